import type { Steps } from "../lib/sharing/steps.ts";
import type { Cell } from "./Cell.ts";

/** Cells that are hashed in one step. */
const hashedPerStep = 300;

/** Computes the hashes of a built cell and of all built cells below it. `hash()` of a large tree would do it in one piece. */
export function* hashInSteps(root: Cell): Steps<void> {
  const path = root.waitsForHash ? [root] : [];
  let hashed = 0;
  for (let cell = path.at(-1); cell !== undefined; cell = path.at(-1)) {
    const below = findWaiting(cell);
    if (below !== undefined) {
      path.push(below);
      continue;
    }
    cell.hashBytes();
    path.pop();
    if (++hashed % hashedPerStep === 0) yield;
  }
}

function findWaiting(cell: Cell): Cell | undefined {
  for (let i = 0; i < cell.refCount; i++) {
    const child = cell.ref(i);
    if (child.waitsForHash) return child;
  }
  return undefined;
}
