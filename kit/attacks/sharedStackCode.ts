import { beginCell } from "../../src/cell/Builder.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import { fromHex } from "../../src/lib/bytes.ts";
import { chainOf } from "../cell/anyCell.ts";

/** Makes of the value on the stack a tuple of 255 times this value: 254 PUSHINT, PUSHCONT of DUP, REPEAT, 255 TUPLE. */
const wide = "8100fe9120e48100ff6f80";

/** Code whose every get-method returns tuples that hold one tuple 255 times, 4 levels deep: 255⁴ values. */
export function nestedTuplesCode(): Cell {
  // DROP, 1 PUSHINT, 4 PUSHINT, PUSHCONT, REPEAT
  return beginCell()
    .storeBytes(fromHex(`307174${pushCont(wide)}e4`))
    .cell();
}

/**
 * Code whose every get-method returns one bag of this many cells in 31 × 255 places, which are just less than the 8,000
 * values that an answer may have.
 */
export function repeatedBagCode(cells: number): Cell {
  // DROP, PUSHREF; then 30 PUSHINT, PUSHCONT of DUP, REPEAT, 31 PUSHINT, TUPLEVAR
  return beginCell()
    .storeBytes(fromHex(`3088${wide}801e9120e4801f6f80`))
    .storeRef(chainOf(cells - 1))
    .cell();
}

/** PUSHCONT of code with less than 16 bytes. */
function pushCont(hex: string): string {
  return `9${(hex.length / 2).toString(16)}${hex}`;
}
