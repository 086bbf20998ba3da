import { CellKind } from "../base/CellKind.ts";
import { layout } from "../wasm/sha256Code.ts";
import { findKernel, type Sha256Kernel } from "../wasm/sha256Kernel.ts";
import { sha256Into } from "./sha256.ts";

export const laneCount = 4;

/**
 * Buffers for the bytes that a cell's hash covers, for up to four cells: two descriptor bytes, data (or the hash of the
 * level below), depths of children, hashes of children. Each lane has an offset so that the hashes of children are
 * aligned to four bytes and can be copied by words. Words are little-endian, as in WebAssembly and on every machine
 * that the engine supports.
 */
export class Lanes {
  readonly #bytes: Uint8Array;
  readonly #halves: Int16Array;
  readonly #words: Int32Array;
  readonly #kernel: Sha256Kernel;

  constructor(kernel: Sha256Kernel) {
    this.#kernel = kernel;
    this.#bytes = new Uint8Array(kernel.memory);
    this.#halves = new Int16Array(kernel.memory);
    this.#words = new Int32Array(kernel.memory);
  }

  /** Writes the descriptors; returns the offset of the data, which has `size` bytes. */
  begin(lane: number, kind: CellKind, mask: number, refCount: number, bits: number, size: number): number {
    const at = lane * layout.laneSize + (-(2 + size + 2 * refCount) & 3);
    this.#words[startsWord + lane] = at;
    this.#bytes[at] = refCount + (kind === CellKind.ordinary ? 0 : 8) + (mask << 5);
    this.#bytes[at + 1] = (bits >> 3) + ((bits + 7) >> 3);
    return at + 2;
  }

  /** Data bits followed by the completion bit. */
  data(source: Uint8Array, from: number, bits: number, at: number): number {
    const bytes = this.#bytes;
    const whole = bits >> 3;
    for (let i = 0; i < whole; i++) bytes[at + i] = source[from + i] as number;
    const rest = bits & 7;
    if (rest === 0) return at + whole;
    bytes[at + whole] = ((source[from + whole] as number) & (0xff00 >> rest)) | (0x80 >> rest);
    return at + whole + 1;
  }

  depth(depth: number, at: number): void {
    this.#bytes[at] = depth >> 8;
    this.#bytes[at + 1] = depth;
  }

  /** The hash of the level below in place of the data. It is at an even offset, like all data of 32 bytes. */
  lowerHash(hashes: Int32Array, slot: number, at: number): number {
    const halves = this.#halves;
    for (let i = 0, to = at >> 1; i < 8; i++, to += 2) {
      const word = hashes[slot * 8 + i] as number;
      halves[to] = word;
      halves[to + 1] = word >> 16;
    }
    return at + 32;
  }

  /** The hash of a child, from storage of hashes. */
  childHash(hashes: Int32Array, slot: number, at: number): void {
    copyHash(hashes, slot * 8, this.#words, at >> 2);
  }

  /** The hash of a child, from any bytes. */
  childBytes(source: Uint8Array, from: number, at: number): void {
    const words = this.#words;
    for (let i = from, to = at >> 2; i < from + 32; i += 4, to++) {
      words[to] =
        (source[i] as number) |
        ((source[i + 1] as number) << 8) |
        ((source[i + 2] as number) << 16) |
        ((source[i + 3] as number) << 24);
    }
  }

  /** Writes the padding after the content of a lane, which ends at `at`, a multiple of four. */
  finish(lane: number, at: number): void {
    const words = this.#words;
    const from = words[startsWord + lane] as number;
    const bits = (at - from) << 3;
    const size = ((at - from + 72) >>> 6) << 6;
    const end = from + size;
    words[at >> 2] = 0x80;
    for (let i = (at >> 2) + 1, last = (end - 1) >> 2; i <= last; i++) words[i] = 0;
    this.#bytes[end - 2] = bits >> 8;
    this.#bytes[end - 1] = bits;
    words[sizesWord + lane] = size;
  }

  /** Hashes the first `count` lanes. */
  run(count: number): void {
    const words = this.#words;
    let size = words[sizesWord] as number;
    for (let lane = 1; lane < count; lane++) size = Math.max(size, words[sizesWord + lane] as number);
    if (count === 1) this.#kernel.hashOne(size);
    else this.#kernel.hashFour(size);
  }

  /** Copies the hash of a lane into any bytes. */
  takeBytes(lane: number, target: Uint8Array, at: number): void {
    const from = layout.hashesAt + lane * 32;
    for (let i = 0; i < 32; i++) target[at + i] = this.#bytes[from + i] as number;
  }

  /** Copies the hash of a lane into storage of hashes. */
  take(lane: number, hashes: Int32Array, slot: number): void {
    copyHash(this.#words, hashesWord + lane * 8, hashes, slot * 8);
  }
}

const startsWord = layout.startsAt / 4;
const sizesWord = layout.sizesAt / 4;
const hashesWord = layout.hashesAt / 4;

function copyHash(source: Int32Array, from: number, target: Int32Array, at: number): void {
  for (let i = 0; i < 8; i++) target[at + i] = source[from + i] as number;
}

let made: Lanes | undefined;

/** The lanes of this process: hashing runs do not overlap. */
export function lanes(): Lanes {
  made ??= new Lanes(findKernel() ?? plainKernel());
  return made;
}

/**
 * The same without WebAssembly, for engines that have it disabled (`--jitless`) or lack SIMD. Can be removed when the
 * program refuses such engines at start.
 */
export function plainKernel(): Sha256Kernel {
  const memory = new ArrayBuffer(layout.constantsAt);
  const bytes = new Uint8Array(memory);
  const words = new Int32Array(memory);
  const message = new Uint8Array(layout.laneSize + 72);
  const hashLane = (lane: number) => {
    const from = words[startsWord + lane] as number;
    const end = from + (words[sizesWord + lane] as number);
    // An unused lane has no bytes, and its hash is not read.
    if (end === from) return;
    message.set(bytes.subarray(from, end));
    const length = (((bytes[end - 2] as number) << 8) | (bytes[end - 1] as number)) >> 3;
    sha256Into(message, length, bytes, layout.hashesAt + lane * 32);
  };
  return {
    memory,
    hashOne: () => hashLane(0),
    hashFour: () => {
      for (let lane = 0; lane < laneCount; lane++) hashLane(lane);
    },
  };
}
