import { orAborted } from "../../lib/abort.ts";
import type { Clock } from "../../lib/clock.ts";
import { runWithin } from "../../lib/deadline.ts";
import { isCoded } from "../../lib/errors.ts";
import type { HeldBlock } from "../../lite/pool/health.ts";
import { findHeld, findOldest } from "../../lite/pool/oldestBlock.ts";
import { fetchBlockHeader } from "../../lite/queries/blockHeader.ts";
import { blockIdFromTl } from "../../lite/queries/ids.ts";
import type { TrustedHead } from "../../lite/queries/TrustedChain.ts";
import { ask, type LiteServer } from "../../lite/server/LiteServer.ts";
import { getMasterchainInfo, getTime } from "../../lite/tl/liteQueries.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import { hashFromBytes } from "../../model/Hash.ts";

/** The report of one lite server. */
export type Probe =
  | { readonly kind: "unreached"; readonly code: string; readonly reason: string }
  | { readonly kind: "stranger" }
  | {
      readonly kind: "reached";
      /** Claimed, not proved. */
      readonly head: TrustedHead;
      /** How far its clock is ahead of ours. */
      readonly aheadMs: number;
      /** The oldest block it has; undefined when that could not be determined in time. */
      readonly oldest: HeldBlock | undefined;
    };

const reachMs = 5_000;
const historyMs = 20_000;

/** Queries a server for what the doctor needs; never rejects. */
export async function probeServer(server: LiteServer, zeroState: BlockIdExt, clock: Clock): Promise<Probe> {
  try {
    const found = await within(clock, reachMs, (signal) => reach(server, zeroState, clock, signal));
    if (found === undefined) return { kind: "stranger" };
    const oldest = await within(clock, historyMs, (signal) =>
      findOldest(server, found.head, undefined, findHeld, signal),
    ).catch(() => undefined);
    return { kind: "reached", ...found, oldest };
  } catch (error) {
    const code = isCoded(error) ? error.code : "";
    return { kind: "unreached", code, reason: error instanceof Error ? error.message : String(error) };
  }
}

function within<T>(clock: Clock, ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return runWithin(clock, ms, ({ signal }) => orAborted(work(signal), signal));
}

/** Undefined for a server of another network. */
async function reach(server: LiteServer, zeroState: BlockIdExt, clock: Clock, signal: AbortSignal) {
  const { last, init } = await ask(server, getMasterchainInfo, {}, { signal });
  if (hashFromBytes(init.rootHash) !== zeroState.rootHash) return undefined;
  const beforeMs = clock.now();
  const { now } = await ask(server, getTime, {}, { signal });
  // The server read its clock about half way; whole seconds add half a second on average.
  const aheadMs = now * 1_000 + 500 - (beforeMs + clock.now()) / 2;
  const block = blockIdFromTl(last);
  const genUtime = block.seqno === 0 ? now : (await fetchBlockHeader(server, block, { signal })).info.genUtime;
  return { head: { block, genUtime }, aheadMs };
}
