import type { Cell } from "../../../cell/Cell.ts";
import { loadCell } from "../../../cell/codec.ts";
import { Block } from "../../../model/block/Block.ts";
import type { Ledger, LedgerBlock } from "../../ledger/Ledger.ts";
import { openAll, openCell, readWhole } from "../../ledger/proof.ts";

/** The header with its links backwards and to the masterchain. */
export function linkedHeaderProof(ledger: Ledger, block: LedgerBlock): Cell {
  const reading = readWhole(ledger.root(block));
  openAll(loadCell(Block, reading.root).info.cell);
  return reading.proof();
}

/** The header alone. */
export function plainHeaderProof(ledger: Ledger, block: LedgerBlock): Cell {
  const reading = readWhole(ledger.root(block));
  openCell(loadCell(Block, reading.root).info.cell);
  return reading.proof();
}
