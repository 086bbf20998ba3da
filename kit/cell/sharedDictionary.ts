import type { Cell } from "../../src/cell/Cell.ts";
import { cellOf } from "./anyCell.ts";

/**
 * The root of a dictionary with 2^keyBits entries in keyBits + 1 cells: the two halves of every fork are one cell.
 * `leaf` is the cell of every entry, its empty label (`00`) included.
 */
export function sharedDictionary(keyBits: number, leaf: Cell): Cell {
  let root = leaf;
  for (let level = 0; level < keyBits; level++) root = cellOf("00", [root, root]);
  return root;
}
