import { runAtOnce, type Steps } from "../../lib/sharing/steps.ts";
import { CellKind } from "../base/CellKind.ts";
import type { Cell } from "../Cell.ts";

/** The replacement of a cell below `merkles` Merkle cells; undefined: the cell with its children rebuilt. */
export type Replace = (cell: Cell, merkles: number) => Cell | undefined;

/** Makes a cell with other children. */
export type Rebuild = (cell: Cell, children: readonly Cell[]) => Cell;

/** Cells of the tree that are looked at in one step. */
const visitedPerStep = 500;

/**
 * A tree in which cells are replaced from the root down and the others rebuilt from the leaves up, each cell once per
 * number of Merkle cells above it. Without recursion: a tree may be deeper than the call stack.
 */
export function rebuildTree(root: Cell, replace: Replace, rebuild: Rebuild): Cell {
  return runAtOnce(rebuildTreeInSteps(root, replace, rebuild));
}

export function* rebuildTreeInSteps(root: Cell, replace: Replace, rebuild: Rebuild): Steps<Cell> {
  const done: Map<Cell, Cell>[] = [];
  const ready = (cell: Cell, merkles: number): Cell | undefined => {
    done[merkles] ??= new Map();
    const memo = done[merkles];
    const known = memo.get(cell);
    if (known !== undefined) return known;
    const made = replace(cell, merkles);
    if (made !== undefined) memo.set(cell, made);
    return made;
  };
  const whole = ready(root, 0);
  if (whole !== undefined) return whole;
  const path = [root];
  /** Of every cell on the path: the Merkle cells above it, and how many of its new children are found. */
  const depths = [0];
  const counts = [0];
  const children: Cell[] = [];
  for (let visits = 1; ; visits++) {
    if (visits % visitedPerStep === 0) yield;
    const top = path.length - 1;
    const cell = path[top] as Cell;
    const merkles = depths[top] as number;
    const count = counts[top] as number;
    let made: Cell | undefined;
    if (count < cell.refCount) {
      counts[top] = count + 1;
      const child = cell.ref(count);
      const below = cell.kind >= CellKind.merkleProof ? merkles + 1 : merkles;
      made = ready(child, below);
      if (made === undefined) {
        path.push(child);
        depths.push(below);
        counts.push(0);
        continue;
      }
    } else {
      const own = children.slice(children.length - count);
      children.length -= count;
      made = isSame(cell, own) ? cell : rebuild(cell, own);
      done[merkles]?.set(cell, made);
      path.pop();
      depths.pop();
      counts.pop();
      if (path.length === 0) return made;
    }
    children.push(made);
  }
}

function isSame(cell: Cell, children: readonly Cell[]): boolean {
  for (let i = 0; i < children.length; i++) if (children[i] !== cell.ref(i)) return false;
  return true;
}
