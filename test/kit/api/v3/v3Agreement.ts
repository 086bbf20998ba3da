import type { Json, JsonList } from "../demoStage.ts";

/** Items as texts, sorted, independent of the order of items and fields. */
export function asTexts(items: readonly unknown[]): readonly string[] {
  return items.map((item) => JSON.stringify(Object.entries(Object(item)).sort())).sort();
}

const listIn = (item: Json, key: string) => (item[key] ?? []) as JsonList;

/** The messages of transactions, each with the hashes of the sending and receiving transaction. */
export function messagesOf(transactions: JsonList): JsonList {
  const jsons = new Map<unknown, Json>();
  // Transactions are sorted from the newest; if several received the same message, the oldest wins.
  for (const transaction of transactions) {
    const received = transaction.in_msg as Json | null;
    if (received !== null)
      jsons.set(received.hash, { ...jsons.get(received.hash), ...received, in_msg_tx_hash: transaction.hash });
    for (const sent of listIn(transaction, "out_msgs"))
      jsons.set(sent.hash, { ...jsons.get(sent.hash), ...sent, out_msg_tx_hash: transaction.hash });
  }
  return [...jsons.values()];
}

export function transactionsIn(traces: JsonList): JsonList {
  return traces.flatMap((trace) => Object.values(Object(trace.transactions)) as JsonList);
}

export function actionsOf(traces: JsonList): JsonList {
  return traces.flatMap((trace) => listIn(trace, "actions"));
}

const placeOf = ({ workchain, shard, seqno }: Json) => `${workchain}:${shard}:${seqno}`;

/** The number of transactions in each block, in the order of the blocks. */
export function countsOf(blocks: JsonList, transactions: JsonList): readonly number[] {
  const counts = new Map<string, number>();
  for (const { block_ref: ref } of transactions)
    counts.set(placeOf(ref as Json), (counts.get(placeOf(ref as Json)) ?? 0) + 1);
  return blocks.map((block) => counts.get(placeOf(block)) ?? 0);
}

/** The state of each account after its newest transaction. Transactions must be sorted from the newest. */
export function statesAfter(transactions: JsonList): JsonList {
  const last = new Map<unknown, Json>();
  for (const each of transactions) if (!last.has(each.account)) last.set(each.account, each);
  return [...last.values()].map(({ account, hash, lt, account_state_after: after, end_status: status }) => {
    const { hash: state, balance, extra_currencies } = after as Json;
    const own = { last_transaction_hash: hash, last_transaction_lt: lt, account_state_hash: state };
    return { address: account, ...own, balance, extra_currencies, status };
  });
}
