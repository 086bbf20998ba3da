import { hash } from "node:crypto";
import { readLazyRootInSteps, readRoot, readRootInSteps } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import { systemClock } from "../../lib/clock.ts";
import { throwIfAborted } from "../../lib/deadline.ts";
import { runInTurns, type Steps } from "../../lib/sharing/steps.ts";
import { TurnBudget } from "../../lib/TurnBudget.ts";
import { Block } from "../../model/block/Block.ts";
import { type BlockIdExt, formatBlockId } from "../../model/block/BlockId.ts";
import type { BlockInfo } from "../../model/block/BlockInfo.ts";
import { askProven, type LiteServer, type TypedAskOptions } from "../server/LiteServer.ts";
import { getBlock, getState } from "../tl/liteQueries.ts";
import type { blockData, blockState } from "../tl/liteRecords.ts";
import type { TlValue } from "../tl/types.ts";
import { blockIdToTl } from "./ids.ts";
import { checkHeader, expectBlock, proofError, proven } from "./proven.ts";

/** A whole block whose bytes have the hashes of its id. */
export interface WholeBlock {
  readonly id: BlockIdExt;
  readonly bytes: Uint8Array;
  readonly root: Cell;
  readonly block: Block;
  readonly info: BlockInfo;
}

function fileHash(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex");
}

/** The file hash covers every byte; the root hash is compared too. */
export function checkBlockData(id: BlockIdExt, answer: TlValue<typeof blockData>): WholeBlock {
  return proven("block", () => checkRoot(openBlockRoot(id, checkFile(id, answer), readRoot(answer.data))));
}

function checkRoot(block: WholeBlock): WholeBlock {
  const { id, root } = block;
  if (root.hash() !== id.rootHash) throw proofError(`a root that is not that of ${formatBlockId(id)}`);
  return block;
}

/** The bytes of a block, every one of them covered by the file hash of its id. */
function checkFile(id: BlockIdExt, { id: answered, data }: TlValue<typeof blockData>): Uint8Array {
  expectBlock(answered, id);
  if (fileHash(data) !== id.fileHash) throw proofError(`bytes that are not those of ${formatBlockId(id)}`);
  return data;
}

function openBlockRoot(id: BlockIdExt, bytes: Uint8Array, root: Cell): WholeBlock {
  const block = loadCell(Block, root);
  const info = block.info.load();
  checkHeader(info, id);
  return { id, bytes, root, block, info };
}

/** How long reading a block holds the event loop at a time: contracts decide how large it is. */
const readTurnMs = 3;

/** A block of an id that anybody named: both its hashes are compared. */
export async function fetchBlock(server: LiteServer, id: BlockIdExt, options: TypedAskOptions): Promise<WholeBlock> {
  const whole = await fetchRead(server, id, options, readRootInSteps);
  return proven("block", () => checkRoot(whole));
}

/**
 * The same for an id that a proved block or its state names, with both hashes of one block: bytes with its file hash
 * have its root hash. Most cells of such a block are never hashed.
 */
export function fetchChainBlock(server: LiteServer, id: BlockIdExt, options: TypedAskOptions): Promise<WholeBlock> {
  return fetchRead(server, id, options, readLazyRootInSteps);
}

async function fetchRead(
  server: LiteServer,
  id: BlockIdExt,
  options: TypedAskOptions,
  read: (bytes: Uint8Array) => Steps<Cell>,
): Promise<WholeBlock> {
  const check = (answer: TlValue<typeof blockData>) => proven("block", () => checkFile(id, answer));
  const bytes = await askProven(server, getBlock, { id: blockIdToTl(id) }, check, options);
  const turns = new TurnBudget(systemClock, readTurnMs);
  const next = () => {
    // Nobody waits for the block any more.
    throwIfAborted(options.signal);
    return turns.yieldIfDue();
  };
  const open = await runInTurns(read(bytes), next).then(
    (root) => () => openBlockRoot(id, bytes, root),
    (error) => () => {
      throw error;
    },
  );
  return proven("block", open);
}

/** A zero state; servers do not send other states. */
export function checkZeroState(id: BlockIdExt, answer: TlValue<typeof blockState>): Cell {
  return proven("zero state", () => {
    expectBlock(answer.id, id);
    if (id.seqno !== 0 || fileHash(answer.data) !== id.fileHash)
      throw proofError("bytes that are not those of the zero state");
    const root = readRoot(answer.data);
    if (root.hash() !== id.rootHash) throw proofError("a root that is not that of the zero state");
    return root;
  });
}

export async function fetchZeroState(server: LiteServer, id: BlockIdExt, options: TypedAskOptions): Promise<Cell> {
  return askProven(server, getState, { id: blockIdToTl(id) }, (answer) => checkZeroState(id, answer), options);
}
