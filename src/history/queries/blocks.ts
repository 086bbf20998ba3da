import type { Hash } from "../../model/Hash.ts";
import { hash, int4, int53, shard } from "../store/schema/columns.ts";
import { type Row, readRow, selectList } from "../store/schema/Table.ts";
import { blocks } from "../store/schema/tables.ts";
import type { HistorySnapshot } from "./kit/History.ts";
import { by, type Direction, listSql, type Order, type Page } from "./kit/Page.ts";
import { type InBlock, rangeConditions } from "./kit/ranges.ts";
import { listQuery } from "./kit/readPage.ts";
import { ifSet, Params, type Statement } from "./kit/Statement.ts";

/** A block with the blocks before it. */
export type BlockRow = Row<typeof blocks>;

export interface BlockFilter extends InBlock {
  readonly rootHash?: Hash | undefined;
  readonly fileHash?: Hash | undefined;
}

const columns = selectList(blocks, "b");
const read = (row: Parameters<typeof readRow>[1]) => readRow(blocks, row);

function blocksOrder(sort: Direction): Order {
  return [
    by("b.gen_utime", int53, sort),
    by("b.workchain", int4, "asc"),
    by("b.shard", shard, "asc"),
    by("b.seqno", int4, sort),
  ];
}

export function blocksSql(filter: BlockFilter, page: Page, sort: Direction): Statement {
  const params = new Params();
  const { times, lts } = rangeConditions(params, filter, { time: "b.gen_utime", lt: "b.start_lt" });
  return listSql(params, {
    select: columns,
    from: "blocks b",
    where: [
      ifSet(filter.workchain, (value) => `b.workchain = ${params.of(int4, value)}`),
      ifSet(filter.shard, (value) => `b.shard = ${params.of(shard, value)}`),
      ifSet(filter.seqno, (value) => `b.seqno = ${params.of(int4, value)}`),
      ifSet(filter.rootHash, (value) => `b.root_hash = ${params.of(hash, value)}`),
      ifSet(filter.fileHash, (value) => `b.file_hash = ${params.of(hash, value)}`),
      ifSet(filter.mcSeqno, (value) => `b.mc_block_seqno = ${params.of(int4, value)}`),
      ...times,
      ...lts,
    ],
    order: blocksOrder(sort),
    page,
  });
}

/** Blocks by time. */
export const listBlocks = listQuery(blocksSql, blocksOrder, read);

const committedOrder: Order = [by("b.workchain", int4, "asc"), by("b.shard", shard, "asc"), by("b.seqno", int4, "asc")];

export function committedBlocksSql(mcSeqno: number, page: Page): Statement {
  const params = new Params();
  return listSql(params, {
    select: columns,
    from: "blocks b",
    where: [`b.mc_block_seqno = ${params.of(int4, mcSeqno)}`],
    order: committedOrder,
    page,
  });
}

/** A masterchain block and the shard blocks that it newly commits. */
export const listCommittedBlocks = listQuery(committedBlocksSql, () => committedOrder, read);

export function shardStateSql(mcSeqno: number): Statement {
  const params = new Params();
  return params.statement(`
    select ${columns}
    from shard_state s
    join blocks b on b.workchain = s.workchain and b.shard = s.shard and b.seqno = s.seqno
    where s.mc_seqno = ${params.of(int4, mcSeqno)}
    order by s.workchain, s.shard, s.seqno`);
}

/** A masterchain block and the newest block of every shard at it. */
export function listShardState(reading: HistorySnapshot, mcSeqno: number): Promise<readonly BlockRow[]> {
  return reading.rows(blocks, shardStateSql(mcSeqno));
}

/** The shard that is the whole masterchain. */
const wholeShard = 1n << 63n;

export function masterBlockSql(seqno: number): Statement {
  const params = new Params();
  return params.statement(`
    select 1 as one from blocks b
    where b.workchain = -1 and b.shard = ${params.of(shard, wholeShard)} and b.seqno = ${params.of(int4, seqno)}`);
}

/** Whether a masterchain block is indexed. */
export async function hasMasterBlock(reading: HistorySnapshot, seqno: number): Promise<boolean> {
  return (await reading.query(masterBlockSql(seqno))).length > 0;
}

export function endOfIndexSql(direction: Direction): Statement {
  const params = new Params();
  return params.statement(`
    select ${columns} from blocks b
    where b.workchain = -1 and b.shard = ${params.of(shard, wholeShard)}
    order by b.seqno ${direction} limit 1`);
}

/** The first and the last indexed masterchain block; `undefined` when there is none. */
export async function findEndsOfIndex(
  reading: HistorySnapshot,
): Promise<{ readonly first: BlockRow; readonly last: BlockRow } | undefined> {
  const [last] = await reading.rows(blocks, endOfIndexSql("desc"));
  const [first] = await reading.rows(blocks, endOfIndexSql("asc"));
  return first === undefined || last === undefined ? undefined : { first, last };
}
