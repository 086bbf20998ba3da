import type { Hash } from "../../model/Hash.ts";
import { hash } from "../store/schema/columns.ts";
import { transactions } from "../store/schema/tables.ts";
import type { FullTransaction } from "./fill/FullTransaction.ts";
import { fillTransactions } from "./fill/fillTransactions.ts";
import type { HistorySnapshot } from "./kit/History.ts";
import { Params, type Statement } from "./kit/Statement.ts";
import { transactionColumns } from "./transactions.ts";

export function adjacentTransactionsSql(of: Hash, direction: "in" | "out" | undefined): Statement {
  const params = new Params();
  const own = params.of(hash, of);
  const received = `
    select m.out_tx_hash from (select t.in_msg_hash from transactions t where t.hash = ${own}) t
    join messages m on m.hash = t.in_msg_hash`;
  const parent = `select p.account, p.lt from (${received}) m join transactions p on p.hash = m.out_tx_hash`;
  const sent = `select m.hash from messages m where m.out_tx_hash = ${own}`;
  const children = `select c.account, c.lt from (${sent}) m join transactions c on c.in_msg_hash = m.hash`;
  const sides = direction === "in" ? [parent] : direction === "out" ? [children] : [parent, children];
  return params.statement(`
    select ${transactionColumns} from (${sides.join(" union ")}) p
    join transactions t on t.account = p.account and t.lt = p.lt
    order by t.lt, t.account`);
}

/** The transaction that sent this one's message, and those that received its messages. */
export async function listAdjacentTransactions(
  reading: HistorySnapshot,
  of: Hash,
  direction: "in" | "out" | undefined,
): Promise<readonly FullTransaction[]> {
  return fillTransactions(reading, await reading.rows(transactions, adjacentTransactionsSql(of, direction)));
}
