/** In the place of `proveAnswer.ts`, for clients, which check proofs and make none. */
export async function proveAnswer(): Promise<never> {
  throw new Error("a client makes no proofs");
}
