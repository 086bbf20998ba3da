import type { Clock } from "../../../lib/clock.ts";
import { type AnswerLimits, type AnswerMemory, AnswerWriter, tooLarge } from "./AnswerWriter.ts";
import { UnsentAnswers } from "./UnsentAnswers.ts";

/** What all answers of a process share: their limits, the thread that writes them, and the memory they wait in. */
export interface Answers {
  readonly limits: AnswerLimits;
  readonly unsent: UnsentAnswers;
  readonly writer: AnswerWriter;
}

export function makeAnswers(limits: AnswerLimits, clock: Clock): Answers {
  const unsent = new UnsentAnswers({ maxBytes: limits.maxUnsentBytes }, clock);
  return { limits, unsent, writer: new AnswerWriter(limits, unsent, clock) };
}

/** Counts the answers of one batch, which together may have as many bytes as one answer, until they are sent. */
export class BatchBudget implements AnswerMemory {
  readonly #answers: Answers;
  #held = 0;

  constructor(answers: Answers) {
    this.#answers = answers;
  }

  /** Throws "api/answer-size" for what does not fit any more. */
  reserve(bytes: number): void {
    const { limits, unsent } = this.#answers;
    if (this.#held + bytes > limits.maxAnswerBytes) throw tooLarge(limits.maxAnswerBytes);
    unsent.reserve(bytes);
    this.#held += bytes;
  }

  release(bytes: number): void {
    this.#answers.unsent.release(bytes);
    this.#held -= bytes;
  }

  /** Forgets everything that was counted. */
  close(): void {
    this.release(this.#held);
  }
}
