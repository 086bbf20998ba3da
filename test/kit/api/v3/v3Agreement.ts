import type { Json, JsonList } from "../demoStage.ts";

/** Items as texts in an order that no question decides, whatever the order of their fields. */
export function asTexts(items: readonly unknown[]): readonly string[] {
  return items.map((item) => JSON.stringify(Object.entries(Object(item)).sort())).sort();
}

const listIn = (item: Json, key: string) => (item[key] ?? []) as JsonList;

/** The messages that transactions received and sent, each with the transactions at its ends. */
export function messagesOf(transactions: JsonList): JsonList {
  const found = new Map<unknown, Json>();
  // From the newest on, so that of several that received the same message the first one counts.
  for (const transaction of transactions) {
    const received = transaction.in_msg as Json | null;
    if (received !== null)
      found.set(received.hash, { ...found.get(received.hash), ...received, in_msg_tx_hash: transaction.hash });
    for (const sent of listIn(transaction, "out_msgs"))
      found.set(sent.hash, { ...found.get(sent.hash), ...sent, out_msg_tx_hash: transaction.hash });
  }
  return [...found.values()];
}

/** The transactions of traces. */
export function transactionsIn(traces: JsonList): JsonList {
  return traces.flatMap((trace) => Object.values(Object(trace.transactions)) as JsonList);
}

/** The actions of traces. */
export function actionsOf(traces: JsonList): JsonList {
  return traces.flatMap((trace) => listIn(trace, "actions"));
}

const placeOf = ({ workchain, shard, seqno }: Json) => `${workchain}:${shard}:${seqno}`;

/** How many of the transactions each block holds, in the order of the blocks. */
export function countsOf(blocks: JsonList, transactions: JsonList): readonly number[] {
  const counts = new Map<string, number>();
  for (const { block_ref: ref } of transactions)
    counts.set(placeOf(ref as Json), (counts.get(placeOf(ref as Json)) ?? 0) + 1);
  return blocks.map((block) => counts.get(placeOf(block)) ?? 0);
}

/** What the newest transaction of each account says of the account's state, the transactions given from the newest on. */
export function statesAfter(transactions: JsonList): JsonList {
  const last = new Map<unknown, Json>();
  for (const each of transactions) if (!last.has(each.account)) last.set(each.account, each);
  return [...last.values()].map(({ account, hash, lt, account_state_after: after, end_status: status }) => {
    const { hash: state, balance, extra_currencies } = after as Json;
    const own = { last_transaction_hash: hash, last_transaction_lt: lt, account_state_hash: state };
    return { address: account, ...own, balance, extra_currencies, status };
  });
}
