import type { Hash } from "../../../model/Hash.ts";
import { hash, hashes } from "../../store/schema/columns.ts";
import type { HistorySnapshot } from "../kit/History.ts";
import { columnOf } from "../kit/Page.ts";
import { Params, type Statement } from "../kit/Statement.ts";
import type { FullMessage } from "./FullTransaction.ts";
import { type HashesAt, hashesAt, near, unnested } from "./fillTransactions.ts";

// An external message may have been received any number of times: the first time counts, and no other row is sent.

/** The receivers of messages at any time. */
export function receiversSql(received: readonly Hash[]): Statement {
  const params = new Params();
  return params.lookup(`
    select distinct on (t.in_msg_hash) t.in_msg_hash, t.hash from transactions t
    where t.in_msg_hash = any(${params.of(hashes, received)})
    order by t.in_msg_hash, t.lt`);
}

/** Those that received them within an hour. */
export function receiversNearSql(received: HashesAt): Statement {
  const params = new Params();
  return params.lookup(`
    select distinct on (t.in_msg_hash) t.in_msg_hash, t.hash from ${unnested(params, received)}
    join transactions t on t.in_msg_hash = k.hash and t.lt >= k.lt and t.lt < k.lt + ${near}
    order by t.in_msg_hash, t.lt`);
}

/** The first receiver of each message; outgoing external messages have none. */
export async function findReceivers(
  reading: HistorySnapshot,
  fullMessages: readonly FullMessage[],
): Promise<ReadonlyMap<Hash, Hash>> {
  const received = fullMessages.flatMap(({ row }) => (row.destination === undefined ? [] : row));
  const found = new Map<Hash, Hash>();
  const add = async (statement: Statement) => {
    for (const row of await reading.query(statement))
      found.set(hash.read(columnOf(row, "in_msg_hash")), hash.read(columnOf(row, "hash")));
  };
  if (received.length > 0) await add(receiversNearSql(hashesAt(received)));
  const missing = received.flatMap((row) => (found.has(row.hash) ? [] : row.hash));
  if (missing.length > 0) await add(receiversSql(missing));
  return found;
}
