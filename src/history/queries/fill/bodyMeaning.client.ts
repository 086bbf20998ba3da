/**
 * In the place of `bodyMeaning.ts`, for clients: what a body means is not proved, and takes all that is known of
 * contracts.
 */
export function readMeaning() {
  return { opcodeName: undefined, decoded: undefined };
}

export function* describeByAbis<T>(transactions: readonly T[]) {
  yield;
  return transactions;
}

export { describeByAbis as describeMessages };
