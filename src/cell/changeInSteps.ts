import type { Steps } from "../lib/sharing/steps.ts";
import type { Cell } from "./Cell.ts";
import { changeLeaves, checkAscending, type ForkExtra, type LeafChange } from "./tree.ts";

/** Leaves that are changed in one step. */
const changedPerStep = 100;

/**
 * `changeLeaves` in steps. The nodes near the root are made again in each step, but few others: the leaves of a step, which
 * are in key order, are close together.
 */
export function* changeInSteps(
  root: Cell | undefined,
  keyBits: number,
  changes: readonly LeafChange[],
  extra: ForkExtra | undefined,
): Steps<Cell | undefined> {
  checkAscending(changes, keyBits);
  let changed = root;
  for (let from = 0; from < changes.length; from += changedPerStep) {
    if (from > 0) yield;
    changed = changeLeaves(changed, keyBits, changes.slice(from, from + changedPerStep), extra);
  }
  return changed;
}
