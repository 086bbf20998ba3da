/** In the place of `bodyMeaning.ts`, for clients: what a body means is not proved, and takes all that is known of contracts. */
export function readMeaning() {
  return { opcodeName: undefined, decoded: undefined };
}

// biome-ignore lint/correctness/useYield: the same as on the server.
export function* describeByAbis<T>(transactions: readonly T[]) {
  return transactions;
}
