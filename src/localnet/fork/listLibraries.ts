import { CellKind } from "../../cell/base/CellKind.ts";
import type { Cell } from "../../cell/Cell.ts";
import { libraryHash } from "../../cell/exotic.ts";
import type { Hash } from "../../model/Hash.ts";

/** Cells that are looked at: large contracts name their libraries near the root. */
const maxCells = 20_000;

/** The libraries that an account names in its code and data. */
export function listLibraries(account: Cell): ReadonlySet<Hash> {
  const found = new Set<Hash>();
  const seen = new Set([account]);
  for (const cell of seen) {
    if (cell.kind === CellKind.library) found.add(libraryHash(cell));
    if (seen.size < maxCells) for (const child of cell.refs()) seen.add(child);
  }
  return found;
}
