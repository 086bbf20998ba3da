import { createHash } from "node:crypto";
import { bytesOf, textOf } from "../../../kit/cell/anyCell.ts";
import { CellKind } from "../../../src/cell/base/CellKind.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { rawSliceOf } from "../../../src/cell/Slice.ts";

/** Level mask, hashes and depths of a cell, computed in the simplest way from the definition of the format. */
export interface ModelCell {
  readonly mask: number;
  readonly at: readonly (readonly [hash: string, depth: number])[];
}

const levels = [0, 1, 2, 3];

/** Computes models of cells and of all cells below them. */
export class Model {
  readonly #done = new Map<Cell, ModelCell>();

  of(cell: Cell): ModelCell {
    const known = this.#done.get(cell);
    if (known !== undefined) return known;
    const children = cell.refs().map((child) => this.of(child));
    const bits = textOf(rawSliceOf(cell).loadBits(cell.bitLength)).slice(0, cell.bitLength);
    const mask = maskOf(cell.kind, bits, children);
    const at: (readonly [string, number])[] = [];
    for (const level of levels) {
      const isNew = level === 0 || (mask & (1 << (level - 1))) !== 0;
      const before = at[level - 1];
      at.push(before !== undefined && !isNew ? before : atLevel(cell.kind, bits, mask, children, level, before?.[0]));
    }
    const made = { mask, at };
    this.#done.set(cell, made);
    return made;
  }
}

function maskOf(kind: CellKind, bits: string, children: readonly ModelCell[]): number {
  if (kind === CellKind.pruned) return Number.parseInt(bits.slice(8, 16), 2);
  const mask = children.reduce((sum, child) => sum | child.mask, 0);
  return isMerkle(kind) ? mask >> 1 : mask;
}

function isMerkle(kind: CellKind): boolean {
  return kind === CellKind.merkleProof || kind === CellKind.merkleUpdate;
}

/** Hash and depth at a level; `below` is the hash at the level below, which replaces the data. */
function atLevel(
  kind: CellKind,
  bits: string,
  mask: number,
  children: readonly ModelCell[],
  level: number,
  below: string | undefined,
): readonly [string, number] {
  const applied = mask & ((1 << level) - 1);
  if (kind === CellKind.pruned && applied !== mask) {
    const count = ones(mask);
    const hashAt = 16 + ones(applied) * 256;
    const depthAt = 16 + count * 256 + ones(applied) * 16;
    const hash = Buffer.from(bytesOf(bits.slice(hashAt, hashAt + 256))).toString("hex");
    return [hash, Number.parseInt(bits.slice(depthAt, depthAt + 16), 2)];
  }
  const inner = children.map(
    ({ at }) => at[Math.min(3, isMerkle(kind) ? level + 1 : level)] as ModelCell["at"][number],
  );
  const first = children.length + (kind === CellKind.ordinary ? 0 : 8) + applied * 32;
  const second = Math.floor(bits.length / 8) + Math.ceil(bits.length / 8);
  const data = bytesOf(bits.length % 8 === 0 ? bits : `${bits}1`);
  const hash = createHash("sha256").update(Uint8Array.of(first, second));
  hash.update(below === undefined || kind === CellKind.pruned ? data : Buffer.from(below, "hex"));
  for (const [, depth] of inner) hash.update(Uint8Array.of(depth >> 8, depth & 0xff));
  for (const [child] of inner) hash.update(Buffer.from(child, "hex"));
  return [hash.digest("hex"), children.length === 0 ? 0 : 1 + Math.max(...inner.map(([, depth]) => depth))];
}

function ones(mask: number): number {
  return mask.toString(2).replaceAll("0", "").length;
}
