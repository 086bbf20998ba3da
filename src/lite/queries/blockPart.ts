import { CellKind } from "../../cell/base/CellKind.ts";
import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import { type BlockIdExt, formatBlockId } from "../../model/block/BlockId.ts";
import { BlockOutline } from "../../model/block/outlines.ts";
import type { Hash } from "../../model/Hash.ts";
import { type InCell, loadInCell } from "../../model/Message.ts";
import { Transaction } from "../../model/Transaction.ts";
import { askProven, type LiteServer, type TypedAskOptions } from "../server/LiteServer.ts";
import { getBlock } from "../tl/liteQueries.ts";
import type { blockData } from "../tl/liteRecords.ts";
import type { TlValue } from "../tl/types.ts";
import { blockIdToTl } from "./ids.ts";
import { expectBlock, openBlockBody, proofError, proofRoot, proven } from "./proven.ts";
import { accountBlocksOf } from "./transactions.ts";

/** Where a transaction is in its block. */
export interface PlaceInBlock {
  readonly account: Hash;
  readonly lt: bigint;
}

/** Transactions in the order of their places, undefined where there is none. */
export type BlockPart = readonly (InCell<Transaction> | undefined)[];

/**
 * The transactions at these places of a block. The answer has the whole block, or in its
 * place a Merkle proof of it: a recording has only the part of a block that its reader needs.
 */
export function checkBlockPart(
  id: BlockIdExt,
  places: readonly PlaceInBlock[],
  answer: TlValue<typeof blockData>,
): BlockPart {
  return proven("block", () => {
    expectBlock(answer.id, id);
    return readPlaces(openPart(id, answer.data), places);
  });
}

/** The transactions of a whole block, whose hashes were compared, at these places. */
export function readBlockPart(root: Cell, places: readonly PlaceInBlock[]): BlockPart {
  return proven("block", () => readPlaces(loadCell(BlockOutline, root), places));
}

function readPlaces(block: BlockOutline, places: readonly PlaceInBlock[]): BlockPart {
  const accounts = accountBlocksOf(block);
  return places.map(({ account, lt }) => {
    const cell = accounts.find(account)?.transactions.find(lt)?.cell;
    if (cell === undefined) return undefined;
    // What is left out below it would be taken for what it has.
    if (cell.levelMask !== 0) throw proofError(`transaction ${lt} is not whole`);
    const transaction = loadInCell(Transaction, cell);
    if (transaction.account !== account || transaction.lt !== lt)
      throw proofError(`a transaction of ${transaction.account} at ${lt} of ${account}`);
    return transaction;
  });
}

function openPart(id: BlockIdExt, data: Uint8Array): BlockOutline {
  const root = proofRoot(data);
  if (root.kind === CellKind.merkleProof) return openBlockBody(root, id);
  if (root.hash() !== id.rootHash) throw proofError(`a root that is not that of ${formatBlockId(id)}`);
  return loadCell(BlockOutline, root);
}

/** The same, asked of a server. */
export async function fetchBlockPart(
  server: LiteServer,
  id: BlockIdExt,
  places: readonly PlaceInBlock[],
  options: TypedAskOptions,
): Promise<BlockPart> {
  const check = (answer: TlValue<typeof blockData>) => checkBlockPart(id, places, answer);
  return askProven(server, getBlock, { id: blockIdToTl(id) }, check, options);
}
