import type { Cell } from "../Cell.ts";
import { CellKind } from "../CellKind.ts";

/** The replacement of a cell below `merkles` Merkle cells; undefined: the cell with its children rebuilt. */
export type Replace = (cell: Cell, merkles: number) => Cell | undefined;

interface Place {
  readonly cell: Cell;
  readonly merkles: number;
  /** The new children found so far. */
  readonly children: Cell[];
}

/**
 * A tree in which cells are replaced from the root down and the others rebuilt from the leaves up, each cell once per
 * number of Merkle cells above it. Without recursion: a tree may be deeper than the call stack.
 */
export function rebuildTree(
  root: Cell,
  replace: Replace,
  rebuild: (cell: Cell, children: readonly Cell[]) => Cell,
): Cell {
  const done: Map<Cell, Cell>[] = [];
  const ready = (cell: Cell, merkles: number): Cell | undefined => {
    done[merkles] ??= new Map();
    const memo = done[merkles];
    const made = memo.get(cell) ?? replace(cell, merkles);
    if (made !== undefined) memo.set(cell, made);
    return made;
  };
  const whole = ready(root, 0);
  if (whole !== undefined) return whole;
  const stack: Place[] = [{ cell: root, merkles: 0, children: [] }];
  for (;;) {
    const { cell, merkles, children } = stack[stack.length - 1] as Place;
    if (children.length < cell.refCount) {
      const child = cell.ref(children.length);
      const below = cell.kind >= CellKind.merkleProof ? merkles + 1 : merkles;
      const made = ready(child, below);
      if (made === undefined) stack.push({ cell: child, merkles: below, children: [] });
      else children.push(made);
      continue;
    }
    const made = children.every((child, i) => child === cell.ref(i)) ? cell : rebuild(cell, children);
    done[merkles]?.set(cell, made);
    stack.pop();
    if (stack.length === 0) return made;
  }
}
