import { readRoot } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import type { Hash } from "../../cell/Hash.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import { ShardStateTotals } from "../../model/block/ShardState.ts";
import { hashFromBytes, hashToBytes } from "../../model/Hash.ts";
import { askProven, type LiteServer, type TypedAskOptions } from "../server/LiteServer.ts";
import { getLibrariesWithProof } from "../tl/liteQueries.ts";
import type { libraryEntry, libraryResultWithProof } from "../tl/liteRecords.ts";
import type { TlValue } from "../tl/types.ts";
import { blockIdToTl } from "./ids.ts";
import { expectBlock, openBlock, openState, proofError, proofRoot, proven } from "./proven.ts";

/** Libraries by hash; those that do not exist are missing. */
export type Libraries = ReadonlyMap<Hash, Cell>;

/** Servers accept at most this many at once. */
export const libraryLimit = 16;

function readEntries(hashes: readonly Hash[], entries: readonly TlValue<typeof libraryEntry>[]): Libraries {
  const cells = new Map<Hash, Cell>();
  for (const entry of entries) {
    const hash = hashFromBytes(entry.hash);
    const root = readRoot(entry.data);
    if (!hashes.includes(hash) || root.hash() !== hash) throw proofError(`a library that is not ${hash}`);
    cells.set(hash, root);
  }
  return cells;
}

/** Libraries at a masterchain block: missing ones are proved to be missing. */
export function checkLibrariesWithProof(
  block: BlockIdExt,
  hashes: readonly Hash[],
  answer: TlValue<typeof libraryResultWithProof>,
): Libraries {
  return proven("libraries", () => {
    expectBlock(answer.id, block);
    const state = openState(proofRoot(answer.dataProof), openBlock(proofRoot(answer.stateProof), block));
    const { libraries } = loadCell(ShardStateTotals, state.totals);
    const entries = readEntries(hashes, answer.result);
    for (const hash of hashes)
      if (libraries.has(hash) !== entries.has(hash)) throw proofError(`library ${hash} does not match its proof`);
    return entries;
  });
}

export async function fetchLibrariesWithProof(
  server: LiteServer,
  block: BlockIdExt,
  hashes: readonly Hash[],
  options: TypedAskOptions,
): Promise<Libraries> {
  const args = { id: blockIdToTl(block), mode: 0, libraryList: hashes.map(hashToBytes) };
  const check = (answer: TlValue<typeof libraryResultWithProof>) => checkLibrariesWithProof(block, hashes, answer);
  return askProven(server, getLibrariesWithProof, args, check, options);
}
