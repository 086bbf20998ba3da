import { listNamed } from "../api/book.ts";
import type { Transaction } from "../api/types.ts";

/** Addresses of one request, which are a part of its path. */
const maxCandidates = 100;

/** Accounts that may have the code of this one: the other sides of its messages, then accounts that have a name here. */
export function listCandidates(
  address: string,
  transactions: readonly Pick<Transaction, "in_msg" | "out_msgs">[],
): readonly string[] {
  const sides = transactions.flatMap(({ in_msg: incoming, out_msgs: outgoing }) => [
    incoming?.source,
    ...outgoing.map(({ destination }) => destination),
  ]);
  const all = new Set([...sides.flatMap((side) => side ?? []), ...listNamed().map((named) => named.address)]);
  all.delete(address);
  return [...all].slice(0, maxCandidates);
}
