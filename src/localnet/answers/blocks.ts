import { createHash } from "node:crypto";
import { blockForm, writeBoc } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import { blockIdFromTl, blockIdToTl, type TlBlockId } from "../../lite/queries/ids.ts";
import { getBlock, getBlockHeader, getState } from "../../lite/tl/liteQueries.ts";
import { Block } from "../../model/block/Block.ts";
import { type BlockIdExt, masterchain, sameBlock } from "../../model/block/BlockId.ts";
import { McBlockExtra } from "../../model/block/McBlockExtra.ts";
import { hashToBytes } from "../../model/Hash.ts";
import type { LedgerBlock } from "../ledger/Ledger.ts";
import { openAll, openCell, readWhole } from "../ledger/proof.ts";
import { type AnswerContext, type QueryHandler, queryHandler } from "./kit/AnswerContext.ts";
import { getCommitted, isFullId } from "./kit/blockAccess.ts";
import { badQuery } from "./kit/refusal.ts";

/** The optional parts of a header proof. */
const shows = { stateUpdate: 1, valueFlow: 2, extra: 16, shardHashes: 32, prevSignatures: 64 } as const;

/** The proof of a block's header and of the parts in `mode`. */
export async function headerProof({ root }: AnswerContext, block: LedgerBlock, mode: number): Promise<Uint8Array> {
  const reading = readWhole(await root(block));
  const { info, stateUpdate, valueFlow, extra } = loadCell(Block, reading.root);
  openAll(info.cell);
  if (mode & shows.stateUpdate) openCell(stateUpdate);
  if (mode & shows.valueFlow) openAll(valueFlow.cell);
  if (mode & shows.extra) openExtra(extra.load().custom?.cell, block, mode);
  return writeBoc(reading.proof());
}

function openExtra(custom: Cell | undefined, block: LedgerBlock, mode: number): void {
  if (block.id.workchain !== masterchain || custom === undefined) return;
  const { shardHashes, details } = loadCell(McBlockExtra, custom);
  if (mode & shows.shardHashes) openAll(shardHashes.root);
  if (mode & shows.prevSignatures) openAll(details.prevBlockSignatures.root);
}

function fullId(id: TlBlockId): BlockIdExt {
  const blockIdExt = blockIdFromTl(id);
  if (!isFullId(blockIdExt)) throw badQuery("invalid BlockIdExt");
  return blockIdExt;
}

/** From this block on a node considers a state too large to send. */
const lastWholeState = 1000;

async function wholeState({ ledger, state: read }: AnswerContext, id: BlockIdExt) {
  if (id.seqno > lastWholeState) throw badQuery("cannot request total state: possibly too large");
  const zero = ledger.zeroStates.find((state) => sameBlock(state.id, id));
  if (zero !== undefined)
    return { rootHash: hashToBytes(id.rootHash), fileHash: hashToBytes(id.fileHash), data: zero.bytes };
  const root = await read(getCommitted(ledger, id));
  const data = writeBoc(root, blockForm);
  return { rootHash: hashToBytes(root.hash()), fileHash: createHash("sha256").update(data).digest(), data };
}

export const blockAnswers: readonly QueryHandler[] = [
  queryHandler(getBlock, ({ ledger }, { id }) => ({ id, data: getCommitted(ledger, fullId(id)).bytes })),
  queryHandler(getBlockHeader, async (context, { id, mode }) => {
    const block = getCommitted(context.ledger, fullId(id));
    return { id, mode, headerProof: await headerProof(context, block, mode) };
  }),
  queryHandler(getState, async (context, { id }) => {
    const blockIdExt = fullId(id);
    return { id: blockIdToTl(blockIdExt), ...(await wholeState(context, blockIdExt)) };
  }),
];
