/**
 * In the place of `AnswerNotes.ts`, for clients: of how an answer was made, they only need to know whether it lasts.
 */
export class AnswerNotes {
  mayBeCached = true;

  doNotKeep(): void {
    this.mayBeCached = false;
  }

  addHeader(): void {}
}
