import type { Cell } from "../../../cell/Cell.ts";
import { type BlockIdExt, masterBlockId, sameBlock } from "../../../model/block/BlockId.ts";
import { KeyExtBlkRef, type McStateExtra } from "../../../model/block/McStateExtra.ts";
import { LocalnetError } from "../../errors.ts";
import type { LedgerBlock } from "../../ledger/Ledger.ts";
import { readState } from "../../ledger/proof.ts";
import type { AnswerContext } from "./AnswerContext.ts";
import { leavesBySeqno, masterExtra } from "./masterState.ts";

/** One of the masterchain blocks before a state; only its path in the dictionary is read. */
export function findOldBlock(extra: McStateExtra, seqno: number): BlockIdExt | undefined {
  const leaf = leavesBySeqno(extra.history.prevBlocks.root).find(seqno);
  if (leaf === undefined) return undefined;
  // key_max_lt: one bit and the logical time.
  leaf.skip(1 + 64);
  return masterBlockId(KeyExtBlkRef.load(leaf).block);
}

/** Proves, from the state after a masterchain block, that another one came before it. */
export async function proveOldBlock(
  { state }: Pick<AnswerContext, "state">,
  from: LedgerBlock,
  old: BlockIdExt,
): Promise<Cell> {
  const reading = readState(await state(from));
  checkOldBlock(masterExtra(reading.root), old);
  return reading.proof();
}

/** The same with the path to the zero state, which a node checks too. */
export async function proveOldBlockWithZero(
  { ledger, state }: Pick<AnswerContext, "ledger" | "state">,
  from: LedgerBlock,
  old: BlockIdExt,
): Promise<Cell> {
  const reading = readState(await state(from));
  const extra = masterExtra(reading.root);
  // A fork may not have the path to the zero state.
  if (ledger.base === undefined) findOldBlock(extra, 0);
  checkOldBlock(extra, old);
  return reading.proof();
}

function checkOldBlock(extra: McStateExtra, old: BlockIdExt): void {
  const oldBlock = findOldBlock(extra, old.seqno);
  if (oldBlock === undefined || !sameBlock(oldBlock, old))
    throw new LocalnetError("localnet/missing", `masterchain block ${old.seqno} is not among the old ones`);
}
