import { beginCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";

/** A tree of this many different cells; trees of different salts have none in common. */
export function makeCellTree(cells: number, salt: number): Cell {
  let made = 0;
  const make = (count: number): Cell => {
    const builder = beginCell().storeUint(salt, 32).storeUint(made++, 32);
    const left = count >> 1;
    for (const below of [left, count - 1 - left]) if (below > 0) builder.storeRef(make(below));
    return builder.cell();
  };
  return make(cells);
}
