import { writeBoc } from "../../cell/boc.ts";
import { blockIdFromTl, type TlBlockId } from "../../lite/queries/ids.ts";
import { getValidatorStats } from "../../lite/tl/liteQueries.ts";
import { hashFromBytes, zeroHash } from "../../model/Hash.ts";
import { readState } from "../ledger/proof.ts";
import { type AnswerContext, type QueryHandler, queryHandler } from "./kit/AnswerContext.ts";
import { loadMasterBlock } from "./kit/blockAccess.ts";
import { leavesByHash, masterExtra } from "./kit/masterState.ts";
import { badQuery } from "./kit/refusal.ts";

/** The largest page of a node. */
const maxEntries = 1000;

interface StatsArgs {
  readonly mode: number;
  readonly id: TlBlockId;
  readonly limit: number;
  readonly startAfter?: Uint8Array | undefined;
}

async function answerStats({ ledger, state, proofs }: AnswerContext, { mode, id, limit, startAfter }: StatsArgs) {
  if (limit <= 0) throw badQuery("requested entry count limit must be positive");
  if ((mode & ~7) !== 0) throw badQuery("unknown flags set in mode");
  const block = loadMasterBlock(ledger, blockIdFromTl(id));
  const reading = readState(await state(block));
  const stats = masterExtra(reading.root).history.blockCreateStats;
  if (stats?.kind !== "plain") throw badQuery("cannot extract block create stats from mc state");
  const from = startAfter === undefined ? zeroHash : hashFromBytes(startAfter);
  const allowEqual = (mode & 3) !== 1;
  const max = Math.min(limit, maxEntries);
  let count = 0;
  leavesByHash(stats.counters.root).walk(
    (_, creator) => {
      if (allowEqual || creator !== from) count++;
      return count < max;
    },
    { from },
  );
  return {
    mode: mode & 0xff,
    id,
    count,
    complete: count < max,
    stateProof: writeBoc(await proofs.header(block)),
    dataProof: writeBoc(reading.proof()),
  };
}

export const statsAnswers: readonly QueryHandler[] = [queryHandler(getValidatorStats, answerStats)];
