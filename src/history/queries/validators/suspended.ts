import type { Address } from "../../../model/Address.ts";
import { masterchain, wholeShard } from "../../../model/block/BlockId.ts";
import { address, addresses, int4, shard } from "../../store/schema/columns.ts";
import type { HistorySnapshot } from "../kit/History.ts";
import { columnOf } from "../kit/Page.ts";
import { Params, type Statement } from "../kit/Statement.ts";

/** The accounts of a list that the newest indexed configuration suspends, at the time of the newest indexed block. */
export function suspendedSql(accounts: readonly Address[]): Statement {
  const params = new Params();
  const place = `b.workchain = ${params.of(int4, masterchain)} and b.shard = ${params.of(shard, wholeShard)}`;
  return params.lookup(`
    with newest as materialized (
      select s.suspended_until, s.accounts from suspended_lists s where s.key_seqno >= 0 order by s.key_seqno desc limit 1
    ), head as materialized (
      select b.gen_utime from blocks b where ${place} order by b.seqno desc limit 1
    )
    select k.account from newest n join unnest(${params.of(addresses, accounts)}) k(account) on k.account = any(n.accounts)
    where n.suspended_until > coalesce((select gen_utime from head), 0)`);
}

/** The same, by one look-up. */
export async function readSuspended(
  reading: HistorySnapshot,
  accounts: readonly Address[],
): Promise<ReadonlySet<Address>> {
  const rows = await reading.query(suspendedSql(accounts));
  return new Set(rows.map((row) => address.read(columnOf(row, "account"))));
}
