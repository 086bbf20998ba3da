import type { Cell } from "../../../cell/Cell.ts";
import { loadCell } from "../../../cell/codec.ts";
import { Block } from "../../../model/block/Block.ts";
import type { LedgerBlock } from "../../ledger/Ledger.ts";
import { openAll, openCell, readWhole } from "../../ledger/proof.ts";
import type { AnswerContext } from "./AnswerContext.ts";

/** The header with its links backwards and to the masterchain. */
export async function linkedHeaderProof({ root }: AnswerContext, block: LedgerBlock): Promise<Cell> {
  const reading = readWhole(await root(block));
  openAll(loadCell(Block, reading.root).info.cell);
  return reading.proof();
}

/** The header alone. */
export async function plainHeaderProof({ root }: AnswerContext, block: LedgerBlock): Promise<Cell> {
  const reading = readWhole(await root(block));
  openCell(loadCell(Block, reading.root).info.cell);
  return reading.proof();
}
