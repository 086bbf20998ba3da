import type { Steps } from "../lib/sharing/steps.ts";
import type { Cell } from "./Cell.ts";

/** Cells below which all are hashed in one step; with four children of almost as many a step has four times as many. */
const hashedPerStep = 300;

/**
 * Computes the hashes of a built cell and of all built cells below it. `hash()` of a large tree would do it in one
 * piece. Cells of a step are hashed together, because that is faster than one after another.
 */
export function* hashInSteps(root: Cell): Steps<void> {
  if (!root.waitsForHash) return;
  const met = new Set([root]);
  const path = [root];
  /** Of every cell on the path: its children met so far, and the cells below it that wait for a hash. */
  const children = [0];
  const waiting = [1];
  for (let top = 0; top >= 0; top = path.length - 1) {
    const cell = path[top] as Cell;
    const child = children[top] as number;
    if (child < cell.refCount) {
      children[top] = child + 1;
      const below = cell.ref(child);
      if (!below.waitsForHash || met.has(below)) continue;
      met.add(below);
      path.push(below);
      children.push(0);
      waiting.push(1);
      continue;
    }
    path.pop();
    children.pop();
    const count = waiting.pop() as number;
    if (count >= hashedPerStep) {
      cell.hashBytes();
      yield;
    } else if (top > 0) {
      waiting[top - 1] = (waiting[top - 1] as number) + count;
    }
  }
  root.hashBytes();
}
