import { readRoot } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import { openMerkleProof } from "../../cell/merkle/merkleProof.ts";
import { openMerkleUpdate } from "../../cell/merkle/merkleUpdate.ts";
import { checkAccountState } from "../../lite/queries/accounts.ts";
import { checkConfig } from "../../lite/queries/config.ts";
import { accountIdToTl, blockIdToTl } from "../../lite/queries/ids.ts";
import { checkLibrariesWithProof } from "../../lite/queries/libraries.ts";
import { proofError, proofPair, proofRoot, proven } from "../../lite/queries/proven.ts";
import { askProven, type LiteServer, type TypedAskOptions } from "../../lite/server/LiteServer.ts";
import { getAccountState, getConfigAll, getLibrariesWithProof, getState } from "../../lite/tl/liteQueries.ts";
import type { Address } from "../../model/Address.ts";
import type { Block } from "../../model/block/Block.ts";
import { type BlockIdExt, formatBlockId } from "../../model/block/BlockId.ts";
import { ShardStateUnsplit } from "../../model/block/ShardState.ts";
import { type Hash, hashToBytes } from "../../model/Hash.ts";

/**
 * What a state has of an account: the path to it, and the account itself if it exists. `block` is that of its shard.
 */
export function fetchAccountCells(
  server: LiteServer,
  block: BlockIdExt,
  address: Address,
  options: TypedAskOptions,
): Promise<readonly Cell[]> {
  const args = { id: blockIdToTl(block), account: accountIdToTl(address) };
  return askProven(
    server,
    getAccountState,
    args,
    (answer) => {
      const { entry } = checkAccountState(block, address, answer);
      const path = openMerkleProof(proofPair(answer.proof)[1]);
      return entry === undefined ? [path] : [path, entry.cell];
    },
    options,
  );
}

/** What a masterchain state has of libraries, also of those that are not published. */
export function fetchLibraryCells(
  server: LiteServer,
  block: BlockIdExt,
  hashes: readonly Hash[],
  options: TypedAskOptions,
): Promise<readonly Cell[]> {
  const args = { id: blockIdToTl(block), mode: 0, libraryList: hashes.map(hashToBytes) };
  return askProven(
    server,
    getLibrariesWithProof,
    args,
    (answer) => {
      const libraries = checkLibrariesWithProof(block, hashes, answer);
      return [openMerkleProof(proofRoot(answer.dataProof)), ...libraries.values()];
    },
    options,
  );
}

/** Proves the blocks that code may ask for, along with the configuration. */
const withOldBlocks = 0x80;

/** What a masterchain state has of its configuration, all of it, and of the blocks before it that code may ask for. */
export function fetchConfigCells(server: LiteServer, block: BlockIdExt, options: TypedAskOptions): Promise<Cell> {
  return askProven(
    server,
    getConfigAll,
    { mode: withOldBlocks, id: blockIdToTl(block) },
    (answer) => {
      checkConfig(block, answer);
      return openMerkleProof(proofRoot(answer.configProof));
    },
    options,
  );
}

/** The messages under way after a block, out of its whole state. */
export function fetchQueueCells(
  server: LiteServer,
  id: BlockIdExt,
  { stateUpdate }: Block,
  options: TypedAskOptions,
): Promise<Cell> {
  return askProven(
    server,
    getState,
    { id: blockIdToTl(id) },
    ({ data }) =>
      proven("state", () => {
        const root = readRoot(data);
        if (root.hash() !== openMerkleUpdate(stateUpdate).to.hash(0))
          throw proofError(`a state that is not the one after ${formatBlockId(id)}`);
        return loadCell(ShardStateUnsplit, root).outMsgQueueInfo.cell;
      }),
    options,
  );
}
