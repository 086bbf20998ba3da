import { writeBoc } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { blockIdFromTl, blockIdToTl, type TlBlockId } from "../../lite/queries/ids.ts";
import { getLibraries, getLibrariesWithProof } from "../../lite/tl/liteQueries.ts";
import { type Hash, hashFromBytes, hashToBytes } from "../../model/Hash.ts";
import { LibDescr } from "../../model/Library.ts";
import { readState } from "../ledger/proof.ts";
import { type AnswerContext, type QueryHandler, queryHandler } from "./kit/AnswerContext.ts";
import { loadMasterBlock } from "./kit/blockAccess.ts";
import { leavesByHash, openMasterState } from "./kit/masterState.ts";

const maxLibraries = 16;
const maxPublishers = 16;

/** The first requested ones, in order, each once. */
function libraryHashes(list: readonly Uint8Array[]): Hash[] {
  return [...new Set(list.slice(0, maxLibraries).map(hashFromBytes))].sort();
}

/** A library of a masterchain state; its publishers are read as far as requested. */
function findLibrary(state: Cell, hash: Hash, publishers: number): Cell | undefined {
  const leaf = leavesByHash(openMasterState(state).totals.load().libraries.root).find(hash);
  if (leaf === undefined) return undefined;
  const found = LibDescr.load(leaf);
  if (publishers > 0) found.publishers.keys({ limit: publishers });
  return found.library;
}

const nothing = new Uint8Array();

interface ProofArgs {
  readonly id: TlBlockId;
  readonly mode: number;
  readonly libraryList: readonly Uint8Array[];
}

async function answerWithProof({ ledger, state, proofs }: AnswerContext, { id, mode, libraryList }: ProofArgs) {
  const blockIdExt = blockIdFromTl(id);
  const block = loadMasterBlock(ledger, blockIdExt);
  const root = await state(block);
  const reading = readState(root);
  openMasterState(reading.root);
  const result = libraryHashes(libraryList).flatMap((hash) => {
    findLibrary(reading.root, hash, mode & 1 ? maxPublishers : 0);
    const library = findLibrary(root, hash, 0);
    if (library === undefined) return [];
    return [{ hash: hashToBytes(hash), data: mode & 2 ? nothing : writeBoc(library) }];
  });
  return {
    id: blockIdToTl(blockIdExt),
    mode,
    result,
    stateProof: writeBoc(await proofs.header(block)),
    dataProof: writeBoc(reading.proof()),
  };
}

export const libraryAnswers: readonly QueryHandler[] = [
  queryHandler(getLibraries, ({ ledger }, { libraryList }) => {
    const state = ledger.state(ledger.headId);
    const result = libraryHashes(libraryList).flatMap((hash) => {
      const library = findLibrary(state, hash, 0);
      return library === undefined ? [] : [{ hash: hashToBytes(hash), data: writeBoc(library) }];
    });
    return { result };
  }),
  queryHandler(getLibrariesWithProof, answerWithProof),
];
