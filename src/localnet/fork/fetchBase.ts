import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import { isCoded } from "../../lib/errors.ts";
import { findHeld, findOldest } from "../../lite/pool/oldestBlock.ts";
import { isMissingAnswer } from "../../lite/pool/verdict.ts";
import { fetchBlock, type WholeBlock } from "../../lite/queries/blocks.ts";
import { lookUpProven } from "../../lite/queries/lookup.ts";
import type { LiteServer } from "../../lite/server/LiteServer.ts";
import { type BlockIdExt, masterchain, wholeShard } from "../../model/block/BlockId.ts";
import { OutMsgQueueInfo } from "../../model/block/OutMsgQueue.ts";
import { listShardTops, type ShardTop, shardTopId } from "../../model/block/ShardHashes.ts";
import { listProcessed } from "../collate/processed.ts";
import { LocalnetError } from "../errors.ts";
import type { ForkTime } from "./ForkFacts.ts";
import type { ForkRecord } from "./forkRecords.ts";
import { fetchConfigCells, fetchQueueCells } from "./originQueries.ts";

/** The network that a fork continues, as it is reached. */
export interface ForkOrigin {
  /** What it is called in messages. */
  readonly name: string;
  readonly server: LiteServer;
  /** The newest masterchain block of the server, proved. */
  head(signal: AbortSignal): Promise<{ readonly block: BlockIdExt; readonly zeroState: BlockIdExt }>;
}

export interface ForkOptions {
  /** The masterchain block to continue; the newest one by default. */
  readonly seqno?: number | undefined;
  /** The global id of the fork; that of its origin by default. */
  readonly globalId?: number | undefined;
  readonly time?: ForkTime | undefined;
  /** What happens to the messages under way at that block; they are left by default. */
  readonly queues?: "leave" | "deliver" | undefined;
}

/** How many blocks are tried, the newest first, while a shard splits. */
const maxTries = 16;

/** Fetches what a fork begins with: a proved masterchain block, its shard blocks, its configuration. */
export async function fetchBase(
  origin: ForkOrigin,
  options: ForkOptions,
  signal: AbortSignal,
): Promise<readonly ForkRecord[]> {
  const { server, name } = origin;
  const { block: head, zeroState } = await origin.head(signal);
  const { master, tops } = await findMaster(origin, head, options.seqno, signal);
  const [shards, config] = await Promise.all([
    Promise.all(tops.map((top) => fetchBlock(server, shardTopId(top), { signal }))),
    fetchConfigCells(server, master.id, { signal }),
  ]);
  const globalId = options.globalId ?? master.block.globalId;
  const ids = { zeroState, master: master.id, shards: shards.map(({ id }) => id) };
  const queues = options.queues === "deliver" ? await fetchQueues(origin, [master, ...shards], signal) : undefined;
  const seen = queues && (await fetchSeen(origin, master.id, queues, signal));
  return [
    { kind: "facts", facts: { origin: name, ...ids, globalId, time: options.time ?? "now", seen: seen?.map(idOf) } },
    ...[master, ...shards, ...(seen ?? [])].map(({ bytes }): ForkRecord => ({ kind: "block", bytes })),
    { kind: "cells", cells: [config, ...(queues ?? [])] },
  ];
}

const idOf = ({ id }: WholeBlock): BlockIdExt => id;

/** The messages under way after blocks, from whole states: no other query gives them. */
async function fetchQueues(
  { server, name }: ForkOrigin,
  blocks: readonly WholeBlock[],
  signal: AbortSignal,
): Promise<readonly Cell[]> {
  try {
    return await Promise.all(blocks.map(({ id, block }) => fetchQueueCells(server, id, block, { signal })));
  } catch (error) {
    if (!isCoded(error, "lite/server")) throw error;
    const problem = `does not give the messages under way, as only small networks do (${error.message})`;
    throw refuse(`${name} ${problem}; leave out --fork-queues`, error);
  }
}

/** The masterchain blocks that the queues name; they say which messages shards have seen. */
async function fetchSeen(
  origin: ForkOrigin,
  master: BlockIdExt,
  queues: readonly Cell[],
  signal: AbortSignal,
): Promise<readonly WholeBlock[]> {
  const points = queues.flatMap((queue) => listProcessed(loadCell(OutMsgQueueInfo, queue).processed));
  const seqnos = new Set(points.map(({ masterSeqno }) => masterSeqno));
  const older = [...seqnos].filter((seqno) => seqno > 0 && seqno < master.seqno);
  return Promise.all(
    older.map(async (seqno) => fetchBlock(origin.server, await findBlock(origin, master, seqno, signal), { signal })),
  );
}

/**
 * A block that can be continued, and its shards. While a shard is about to split or has no block, that is an older one.
 */
async function findMaster(
  origin: ForkOrigin,
  head: BlockIdExt,
  seqno: number | undefined,
  signal: AbortSignal,
): Promise<{ readonly master: WholeBlock; readonly tops: readonly ShardTop[] }> {
  let id = seqno === undefined ? head : await findBlock(origin, head, seqno, signal);
  for (let tries = 0; ; tries++) {
    const master = await fetchBlock(origin.server, id, { signal });
    const custom = master.block.extra.load().custom?.load();
    const tops = custom === undefined ? [] : listShardTops(custom.shardHashes);
    const unready = tops.find(({ description }) => description.beforeSplit || description.seqno === 0);
    if (unready === undefined && tops.length > 0) return { master, tops };
    const isLast = seqno !== undefined || tries >= maxTries || id.seqno <= 1;
    if (isLast) {
      const problem = "a shard splits there or has no block; use another --fork-block";
      throw refuse(`block ${id.seqno} of ${origin.name} cannot be continued: ${problem}`);
    }
    id = await findBlock(origin, head, id.seqno - 1, signal);
  }
}

async function findBlock(
  origin: ForkOrigin,
  head: BlockIdExt,
  seqno: number,
  signal: AbortSignal,
): Promise<BlockIdExt> {
  if (seqno === head.seqno) return head;
  const { name, server } = origin;
  if (seqno > head.seqno) throw refuse(`${name} has no block ${seqno} yet: its newest one is ${head.seqno}`);
  if (seqno < 1) throw refuse(`block ${seqno} cannot be continued; --fork-block takes blocks from 1 on`);
  try {
    return await lookUp(origin, head, seqno, signal);
  } catch (error) {
    if (!isMissingAnswer(error)) throw error;
    const oldest = await findOldest(server, { block: head, genUtime: 0 }, undefined, findHeld, signal);
    const held = oldest === undefined ? "" : `; the oldest one it has is ${oldest.seqno}`;
    throw refuse(`${name} does not have block ${seqno} any more${held}`, error);
  }
}

async function lookUp({ server }: ForkOrigin, head: BlockIdExt, seqno: number, signal: AbortSignal) {
  const wanted = { workchain: masterchain, shard: wholeShard, by: "seqno", seqno } as const;
  return (await lookUpProven(server, head, wanted, { signal })).id;
}

function refuse(text: string, cause?: unknown): LocalnetError {
  return new LocalnetError("localnet/origin", text, { cause });
}
