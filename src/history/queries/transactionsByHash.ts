import type { Hash } from "../../model/Hash.ts";
import { hashes } from "../store/schema/columns.ts";
import { transactions } from "../store/schema/tables.ts";
import type { FullTransaction } from "./fill/FullTransaction.ts";
import { fillTransactions } from "./fill/fillTransactions.ts";
import type { HistorySnapshot } from "./kit/History.ts";
import { Params, type Statement } from "./kit/Statement.ts";
import { transactionColumns } from "./transactions.ts";

export function transactionsByHashSql(of: readonly Hash[]): Statement {
  const params = new Params();
  return params.lookup(`
    select ${transactionColumns} from transactions t where t.hash = any(${params.of(hashes, of)})`);
}

/** Indexed transactions by hash. */
export async function readTransactions(
  reading: HistorySnapshot,
  of: readonly Hash[],
): Promise<ReadonlyMap<Hash, FullTransaction>> {
  const rows = await readRowsByHash(reading, of);
  return new Map((await fillTransactions(reading, rows)).map((full) => [full.row.hash, full]));
}

/** The same without their messages and states. */
export async function readRowsByHash(
  reading: HistorySnapshot,
  of: readonly Hash[],
): Promise<readonly FullTransaction["row"][]> {
  return of.length === 0 ? [] : reading.rows(transactions, transactionsByHashSql([...new Set(of)]));
}
