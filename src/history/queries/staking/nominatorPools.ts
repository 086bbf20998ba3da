import { readRoot } from "../../../cell/boc.ts";
import { findPool } from "../../../contracts/families/nominators/pool.ts";
import { nominatorPoolCodes } from "../../../contracts/families/nominators/poolStorage.ts";
import type { Address } from "../../../model/Address.ts";
import { nominatorPoolEntity, nominatorPools } from "../../entities/nominatorPools.ts";
import { address, amount, hashes } from "../../store/schema/columns.ts";
import { type Row, selectList } from "../../store/schema/Table.ts";
import * as tables from "../../store/schema/tables.ts";
import type { HistorySnapshot } from "../kit/History.ts";
import { columnOf } from "../kit/Page.ts";
import { Params, type Statement } from "../kit/Statement.ts";

export type NominatorPoolRow = Row<typeof nominatorPools>;

/** A nominator's coins in one pool. */
export interface Nomination {
  readonly pool: Address;
  readonly balance: bigint;
  readonly pendingBalance: bigint;
}

/** A pool lives while the last transaction of its row is that of its account. */
const livingPools = "nominator_pools p join latest_account_states l on l.account = p.address";
const isLiving = "l.last_trans_lt = p.last_transaction_lt";

export function poolSql(pool: Address): Statement {
  const params = new Params();
  const own = params.of(address, pool);
  return params.lookup(`
    select ${selectList(nominatorPools, "p")} from ${livingPools}
    where p.address = ${own} and l.account = ${own} and ${isLiving}`);
}

/** The state of an account with the code of a pool. */
export function poolStateSql(pool: Address): Statement {
  const params = new Params();
  return params.lookup(`
    select l.code_hash, l.data_hash, l.last_trans_lt, l.data_boc from latest_account_states l
    where l.account = ${params.of(address, pool)} and l.code_hash = any(${params.of(hashes, nominatorPoolCodes)})`);
}

/** A living pool; `undefined` for any other account. */
export async function findNominatorPool(
  reading: HistorySnapshot,
  pool: Address,
): Promise<NominatorPoolRow | undefined> {
  const [row] = await reading.rows(nominatorPools, poolSql(pool));
  return row ?? (await findUnwritten(reading, pool));
}

/** A pool that has had no transaction since the index began to keep pools. */
async function findUnwritten(reading: HistorySnapshot, pool: Address): Promise<NominatorPoolRow | undefined> {
  const [row] = await reading.query(poolStateSql(pool));
  if (row === undefined) return undefined;
  const { codeHash, dataHash, lastTransLt, dataBoc } = tables.latestAccountStates.columns;
  const [boc, code, data] = [
    dataBoc.read(columnOf(row, "data_boc")),
    codeHash.read(columnOf(row, "code_hash")),
    dataHash.read(columnOf(row, "data_hash")),
  ];
  const found = boc && findPool(readRoot(boc));
  if (found === undefined || code === undefined || data === undefined) return undefined;
  const lastTransactionLt = lastTransLt.read(columnOf(row, "last_trans_lt"));
  const place = { address: pool, id: 0n, codeHash: code, dataHash: data, lastTransactionLt };
  return nominatorPoolEntity.makeRows(found, place)[0];
}

export function nominationsSql(nominator: Address): Statement {
  const params = new Params();
  const own = params.of(address, nominator);
  const at = `array_position(p.nominators, ${own})`;
  return params.statement(`
    select p.address, p.balances[${at}] as balance, p.pending_balances[${at}] as pending_balance from ${livingPools}
    where p.nominators @> array[${own}] and ${isLiving} order by p.address`);
}

/** The living pools that have coins of a nominator, by address. */
export async function listNominations(reading: HistorySnapshot, nominator: Address): Promise<readonly Nomination[]> {
  const rows = await reading.query(nominationsSql(nominator));
  return rows.map((row) => ({
    pool: address.read(columnOf(row, "address")),
    balance: amount.read(columnOf(row, "balance")),
    pendingBalance: amount.read(columnOf(row, "pending_balance")),
  }));
}
