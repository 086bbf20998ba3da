import { writeSha256 } from "../../src/lib/browser/sha256.ts";
import { bytesToHex } from "../format/bytes.ts";
import { BagError, type Cell, type CellKind, type CellLevel } from "./Cell.ts";

/** A cell in a bag, without its references. */
export interface RawCell {
  readonly isExotic: boolean;
  readonly bytes: Uint8Array;
  readonly bitLength: number;
}

const exoticKinds: Readonly<Record<number, CellKind>> = { 1: "pruned", 2: "library", 3: "proof", 4: "update" };

/** Makes a cell and computes its hashes. */
export function makeCell(raw: RawCell, refs: readonly Cell[]): Cell {
  const kind = raw.isExotic ? exoticKinds[raw.bytes[0] ?? 0] : "ordinary";
  if (kind === undefined) throw new BagError(`a special cell has the unknown type ${raw.bytes[0]}`);
  const levelMask = maskOf(kind, raw, refs);
  const levels = levelsOf(kind, raw, refs, levelMask);
  const { hash, depth } = levels[levels.length - 1] ?? { hash: new Uint8Array(), depth: 0 };
  const { bytes, bitLength } = raw;
  return { bytes, bitLength, refs, kind, depth, hash: bytesToHex(hash), levelMask, levels };
}

function maskOf(kind: CellKind, { bytes }: RawCell, refs: readonly Cell[]): number {
  const below = refs.reduce((mask, { levelMask }) => mask | levelMask, 0);
  switch (kind) {
    case "pruned":
      return (bytes[1] ?? 0) & 7;
    case "library":
      return 0;
    case "proof":
    case "update":
      return below >> 1;
    case "ordinary":
      return below;
  }
}

/** A pruned branch contains its hashes; every other cell computes one for each significant level. */
function levelsOf(kind: CellKind, raw: RawCell, refs: readonly Cell[], levelMask: number): CellLevel[] {
  const cellLevels = kind === "pruned" ? prunedLevels(raw, countBits(levelMask)) : [];
  const isMerkle = kind === "proof" || kind === "update";
  for (let level = 0; level <= 3; level++) {
    const isSignificant = level === 0 || (levelMask >> (level - 1)) & 1;
    const isLast = levelMask >> level === 0;
    if (!isSignificant || (kind === "pruned" && !isLast)) continue;
    const below = refs.map((cell) => levelOf(cell, isMerkle ? level + 1 : level));
    const former = kind === "pruned" ? undefined : cellLevels[cellLevels.length - 1];
    const mask = levelMask & ((1 << level) - 1);
    const depth = Math.max(0, ...below.map((each) => each.depth + 1));
    cellLevels.push({ hash: sha256(represent(raw, mask, former?.hash, below)), depth });
    if (isLast) break;
  }
  return cellLevels;
}

// pruned_branch: 1, level mask, then a hash for each level, then a depth for each level
function prunedLevels({ bytes }: RawCell, count: number): CellLevel[] {
  return Array.from({ length: count }, (_none, index) => {
    const at = 2 + 32 * count + 2 * index;
    return {
      hash: bytes.slice(2 + 32 * index, 34 + 32 * index),
      depth: ((bytes[at] ?? 0) << 8) + (bytes[at + 1] ?? 0),
    };
  });
}

function levelOf({ levelMask, levels }: Cell, level: number): CellLevel {
  const index = Math.min(countBits(levelMask & ((1 << level) - 1)), levels.length - 1);
  return levels[index] ?? { hash: new Uint8Array(), depth: 0 };
}

/** The parts of a cell have 266 bytes at most. */
function sha256(parts: readonly Uint8Array[]): Uint8Array {
  const input = new Uint8Array(400);
  let length = 0;
  for (const part of parts) {
    input.set(part, length);
    length += part.length;
  }
  const hash = new Uint8Array(32);
  writeSha256(input, length, hash, 0);
  return hash;
}

function represent(raw: RawCell, mask: number, former: Uint8Array | undefined, below: readonly CellLevel[]) {
  const { bytes, bitLength, isExotic } = raw;
  const whole = Math.floor(bitLength / 8);
  return [
    Uint8Array.of(below.length + (isExotic ? 8 : 0) + mask * 32, whole + Math.ceil(bitLength / 8)),
    former ?? withCompletion(bytes, bitLength),
    ...below.map(({ depth }) => Uint8Array.of(depth >> 8, depth & 0xff)),
    ...below.map(({ hash }) => hash),
  ];
}

function withCompletion(bytes: Uint8Array, bitLength: number): Uint8Array {
  if (bitLength % 8 === 0) return bytes;
  const padded = bytes.slice();
  const last = padded.length - 1;
  padded[last] = (padded[last] ?? 0) | (0x80 >> (bitLength % 8));
  return padded;
}

export function countBits(value: number): number {
  return value === 0 ? 0 : (value & 1) + countBits(value >> 1);
}
