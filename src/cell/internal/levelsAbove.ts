import { CellKind, maxDepth } from "../base/CellKind.ts";
import { CellError } from "../base/errors.ts";

const topLevel = 3;

/** What a cell must know of its children. */
interface Child {
  readonly levelMask: number;
  depth(level: number): number;
}

/** The levels of a cell with these children. */
export function maskOf(bytes: Uint8Array, dataAt: number, children: readonly Child[], kind: CellKind): number {
  if (kind === CellKind.pruned) return (bytes[dataAt + 1] as number) & 7;
  let mask = 0;
  for (const child of children) mask |= child.levelMask;
  return kind >= CellKind.merkleProof ? mask >> 1 : mask;
}

/** The depths of a cell with these children: one, or one for each of its levels. */
export function depthsOf(children: readonly Child[], kind: CellKind, mask: number): readonly number[] | number {
  if (mask === 0 && kind < CellKind.merkleProof) return depthOver(children, 0);
  const depths: number[] = [];
  for (let level = 0; level <= topLevel; level++) {
    if (level > 0 && (mask & (1 << (level - 1))) === 0) continue;
    depths.push(depthOver(children, kind >= CellKind.merkleProof ? level + 1 : level));
  }
  return depths;
}

function depthOver(children: readonly Child[], level: number): number {
  let depth = 0;
  for (let i = 0; i < children.length; i++) depth = Math.max(depth, (children[i] as Child).depth(level) + 1);
  if (depth > maxDepth) throw new CellError("cell/depth", `a cell of depth ${depth}; the limit is ${maxDepth}`);
  return depth;
}
