/** In the place of `recordBlockPart.ts`, for clients, which check proofs and make none. */
export async function recordBlockPart(): Promise<never> {
  throw new Error("a client makes no proofs");
}
