import { fetchBlockHeader } from "../../lite/queries/blockHeader.ts";
import { lookUpProven } from "../../lite/queries/lookup.ts";
import type { LiteServer } from "../../lite/server/LiteServer.ts";
import { type BlockIdExt, masterchain, wholeShard } from "../../model/block/BlockId.ts";
import { HistoryError } from "../errors.ts";
import { formatBound, type Scope, type ScopeBound } from "./Scope.ts";

/** The ends of a scope as masterchain blocks, as far as the chain has them. */
export interface BlockBounds {
  readonly from: number | undefined;
  /** The last block; absent while the chain has not reached it. */
  readonly to: number | undefined;
  /** Blocks after this time are outside. */
  readonly untilTime: number | undefined;
}

export interface BoundModules {
  readonly server: LiteServer;
  /** A trusted masterchain block, the newest one. */
  readonly head: BlockIdExt;
}

/** Finds the blocks of a scope's ends; throws when the chain has not reached the first one. */
export async function resolveBounds(
  { from, until }: Pick<Scope, "from" | "until">,
  modules: BoundModules,
  signal: AbortSignal,
): Promise<BlockBounds> {
  const first = from && (await findFirst(from, modules, signal));
  if (from !== undefined && first === undefined) {
    const message = `the chain has not reached the start of the scope, ${formatBound(from)}`;
    throw new HistoryError("history/absent", message);
  }
  const to = until && (await findLast(until, modules, signal));
  if (first !== undefined && to !== undefined && first > to)
    throw new HistoryError("history/scope", `the scope begins with block ${first}, after its last block ${to}`);
  return { from: first, to, untilTime: until?.kind === "time" ? until.at : undefined };
}

function findFirst(bound: ScopeBound, modules: BoundModules, signal: AbortSignal): Promise<number | undefined> {
  if (bound.kind === "time") return findAt(bound.at, modules, signal);
  return Promise.resolve(bound.seqno);
}

async function findLast(bound: ScopeBound, modules: BoundModules, signal: AbortSignal): Promise<number | undefined> {
  if (bound.kind === "block") return bound.seqno;
  const after = await findAt(bound.at + 1, modules, signal);
  return after === undefined ? undefined : after - 1;
}

/** The first masterchain block that was made at or after a time; `undefined` while there is none. */
async function findAt(at: number, { server, head }: BoundModules, signal: AbortSignal): Promise<number | undefined> {
  const { info } = await fetchBlockHeader(server, head, { signal });
  if (info.genUtime < at) return undefined;
  const asked = { workchain: masterchain, shard: wholeShard, by: "time", at } as const;
  const { id } = await lookUpProven(server, head, asked, { signal });
  return id.seqno;
}
