import type { Hash } from "../../model/Hash.ts";
import { hashes } from "../store/schema/columns.ts";
import { transactions } from "../store/schema/tables.ts";
import type { ActionRow } from "./actions.ts";
import type { FullTransaction } from "./fill/FullTransaction.ts";
import { fillTransactions, type HashesAt, hashesAt, near, unnested } from "./fill/fillTransactions.ts";
import type { HistorySnapshot } from "./kit/History.ts";
import { Params, type Statement } from "./kit/Statement.ts";
import { transactionColumns } from "./transactions.ts";

export function transactionsByHashSql(of: readonly Hash[]): Statement {
  const params = new Params();
  return params.lookup(`
    select ${transactionColumns} from transactions t where t.hash = any(${params.of(hashes, of)})`);
}

/** Those of them that were shortly before the time that comes with their hash. */
export function transactionsNearSql(of: HashesAt): Statement {
  const params = new Params();
  return params.lookup(`
    select ${transactionColumns} from ${unnested(params, of)}
    join transactions t on t.hash = k.hash and t.lt <= k.lt and t.lt > k.lt - ${near}`);
}

/** Indexed transactions of actions by hash. */
export async function readTransactions(
  reading: HistorySnapshot,
  of: readonly Pick<ActionRow, "transactions" | "traceEndLt">[],
): Promise<ReadonlyMap<Hash, FullTransaction>> {
  const ends = new Map(of.flatMap((action) => action.transactions.map((hash) => [hash, action.traceEndLt] as const)));
  if (ends.size === 0) return new Map();
  const places = [...ends].map(([hash, lt]) => ({ hash, lt }));
  const found = await reading.rows(transactions, transactionsNearSql(hashesAt(places)));
  const known = new Set(found.map(({ hash }) => hash));
  const missing = [...ends.keys()].filter((hash) => !known.has(hash));
  const rows = [...found, ...(await readRowsByHash(reading, missing))];
  return new Map((await fillTransactions(reading, rows)).map((full) => [full.row.hash, full]));
}

/** The rows of transactions by hash. */
export async function readRowsByHash(
  reading: HistorySnapshot,
  of: readonly Hash[],
): Promise<readonly FullTransaction["row"][]> {
  return of.length === 0 ? [] : reading.rows(transactions, transactionsByHashSql([...new Set(of)]));
}
