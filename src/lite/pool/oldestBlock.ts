import { masterchain, wholeShard } from "../../model/block/BlockId.ts";
import { lookUpClaimed } from "../queries/lookup.ts";
import type { LiteServer } from "../server/LiteServer.ts";
import type { HeldBlock, ServerHead } from "./health.ts";
import { isMissingAnswer } from "./verdict.ts";

/** Finds a masterchain block on a server; undefined when the server does not have it. */
export type FindHeld = (server: LiteServer, seqno: number, signal: AbortSignal) => Promise<HeldBlock | undefined>;

/** Looks up a masterchain block without a proof: a wrong answer only costs a useless query. */
export const findHeld: FindHeld = async (server, seqno, signal) => {
  try {
    const asked = { workchain: masterchain, shard: wholeShard, by: "seqno", seqno } as const;
    const { info } = await lookUpClaimed(server, asked, { signal });
    return { seqno, genUtime: info.genUtime, startLt: info.startLt };
  } catch (error) {
    if (isMissingAnswer(error)) return undefined;
    throw error;
  }
};

/**
 * The oldest masterchain block from which on a server has all of them, found by binary search: about 25 queries for a
 * whole chain, one when it has all, four when nothing has changed since `known`. Undefined when it does not even have
 * its head.
 */
export async function findOldest(
  server: LiteServer,
  head: ServerHead,
  known: HeldBlock | undefined,
  find: FindHeld,
  signal: AbortSignal,
): Promise<HeldBlock | undefined> {
  const first = await find(server, 1, signal);
  if (first !== undefined) return first;
  let held = await find(server, head.block.seqno, signal);
  let lacking = 1;
  const guesses = known === undefined ? [] : [known.seqno, known.seqno - 1];
  while (held !== undefined && held.seqno - lacking > 1) {
    const [guess = 0] = guesses.splice(0, 1);
    const middle = lacking + Math.floor((held.seqno - lacking) / 2);
    const seqno: number = guess > lacking && guess < held.seqno ? guess : middle;
    const heldBlock = await find(server, seqno, signal);
    if (heldBlock === undefined) lacking = seqno;
    else held = heldBlock;
  }
  return held;
}
