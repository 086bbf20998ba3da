import { CellKind } from "../../../src/cell/base/CellKind.ts";
import { crcForm, readRoot, writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";

/**
 * A recorded body as a node encodes it. Some expectations have the highest level where the level mask of a pruned
 * branch belongs, which differs for several levels; all other bodies are unchanged.
 */
export function rightMasks(body: string): string {
  const root = readRoot(Buffer.from(body, "base64"));
  return hasSeveralLevels(root) ? writeBoc(root, crcForm).toString("base64") : body;
}

function hasSeveralLevels(cell: Cell): boolean {
  if (cell.kind === CellKind.pruned) return (cell.levelMask & (cell.levelMask - 1)) !== 0;
  return cell.refs().some(hasSeveralLevels);
}
