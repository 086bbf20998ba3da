import { crc32c } from "../lib/crc.ts";
import { runAtOnce, type Steps } from "../lib/sharing/steps.ts";
import { Bag } from "./Bag.ts";
import { CellError } from "./base/errors.ts";
import type { Cell } from "./Cell.ts";
import { CellOrder } from "./cellOrder.ts";
import { readBocCells } from "./internal/bocCells.ts";
import { type BocHeader, type BocLimits, readBocHeader } from "./internal/bocHeader.ts";
import { levelCount, significantLevels } from "./internal/levels.ts";

export const defaultBocLimits: BocLimits = { maxBytes: 1 << 28, maxCells: 1 << 23, maxRoots: 1 << 14 };

/** Reads a bag of cells in any form the network has used. The bytes must not be written to afterwards. */
export function readBoc(bytes: Uint8Array, limits: Partial<BocLimits> = {}): readonly Cell[] {
  return runAtOnce(readLazily(bytes, limits));
}

function* readLazily(bytes: Uint8Array, limits: Partial<BocLimits> = {}): Steps<readonly Cell[]> {
  const view = viewOf(bytes);
  const header = readBocHeader(view, { ...defaultBocLimits, ...limits });
  yield* checkCrc(view, header);
  const bag = new Bag(yield* readBocCells(view, header));
  return header.roots.map((root) => bag.cell(root));
}

/** Like `readRoot`, for large bags of which few cells are hashed. */
export function* readLazyRootInSteps(bytes: Uint8Array): Steps<Cell> {
  return onlyRoot(yield* readLazily(bytes));
}

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Reads a bag that must have exactly one root. */
export function readRoot(bytes: Uint8Array, limits: Partial<BocLimits> = {}): Cell {
  return onlyRoot(readBoc(bytes, limits));
}

/** Like `readRoot`, for large bags, with all hashes computed. */
export function* readRootInSteps(bytes: Uint8Array, limits: Partial<BocLimits> = {}): Steps<Cell> {
  return onlyRoot(yield* readBocInSteps(viewOf(bytes), limits));
}

function onlyRoot(roots: readonly Cell[]): Cell {
  const [root] = roots;
  if (root === undefined || roots.length !== 1)
    throw new CellError("cell/boc-roots", `a bag with ${roots.length} roots where one is expected`);
  return root;
}

/** Cells of a bag that are hashed in one step. */
const hashedPerStep = 1_000;

/** Like `readBoc`, for large bags, with all hashes computed. */
export function* readBocInSteps(bytes: Buffer, limits: Partial<BocLimits> = {}): Steps<readonly Cell[]> {
  const header = readBocHeader(bytes, { ...defaultBocLimits, ...limits });
  yield* checkCrc(bytes, header);
  const bag = new Bag(yield* readBocCells(bytes, header));
  // References lead to later cells, so the last cells are hashed first.
  for (let end = header.cells; end > 0; end -= hashedPerStep) {
    yield;
    const from = Math.max(0, end - hashedPerStep);
    bag.hashAll(Array.from({ length: end - from }, (_, i) => from + i));
  }
  return header.roots.map((root) => bag.cell(root));
}

function* checkCrc(bytes: Buffer, { hasCrc, cellsEnd }: BocHeader): Steps<void> {
  if (hasCrc && (yield* crcInSteps(bytes, cellsEnd)) !== bytes.readUInt32LE(cellsEnd))
    throw new CellError("cell/boc-crc", "the checksum at the end is wrong");
}

/** The optional parts of a bag. */
export interface BocForm {
  readonly index?: boolean;
  readonly crc?: boolean;
  /** Marks in the index the cells that occur more than once; needs the index. */
  readonly cacheBits?: boolean;
  readonly topHashes?: boolean;
  readonly innerHashes?: boolean;
}

/** The form of messages, states and answers. */
export const plainForm: BocForm = {};
export const crcForm: BocForm = { crc: true };
/** The form in which nodes write blocks and states. */
export const blockForm: BocForm = { index: true, crc: true, cacheBits: true, innerHashes: true };

/** Writes cells in the order of the node, so that equal cells give equal bytes. */
export function writeBoc(roots: Cell | readonly Cell[], form: BocForm = plainForm): Buffer {
  if (form.cacheBits && !form.index) throw new CellError("cell/boc-header", "cache bits need an index");
  const list = Array.isArray(roots) ? roots : [roots as Cell];
  if (list.length === 0) throw new CellError("cell/boc-roots", "a bag without roots");
  const [first] = list;
  if (first !== undefined && list.length === 1 && first.refCount === 0 && isBare(form))
    return writeLoneCell(first, form.crc === true);
  return runAtOnce(writeOrdered(CellOrder.of(list), form));
}

/** Cells that are written in one step. */
const writtenPerStep = 2_000;
/** Bytes whose checksum is computed in one step. */
const checkedPerStep = 1 << 20;

/** Like `writeBoc`, for large trees, whose hashes should be computed before (`hashInSteps`). */
export function* writeBocInSteps(roots: Cell | readonly Cell[], form: BocForm): Steps<Buffer> {
  const list = Array.isArray(roots) ? roots : [roots as Cell];
  return yield* writeOrdered(yield* CellOrder.inSteps(list), form);
}

function* writeOrdered(order: CellOrder, form: BocForm): Steps<Buffer> {
  const count = order.cells.length;
  const refSize = sizeFor(count);
  const hashed = markHashed(order, form);
  const sizes = new Uint32Array(count);
  let dataSize = 0;
  for (let i = 0; i < count; i++) {
    if (i % writtenPerStep === writtenPerStep - 1) yield;
    const size = serializedSize(order.cells[i] as Cell, refSize, hashed[i] === 1);
    sizes[i] = size;
    dataSize += size;
  }
  const offsetSize = sizeFor(form.cacheBits ? dataSize * 2 : dataSize);
  const indexSize = form.index ? count * offsetSize : 0;
  const headSize = 6 + 3 * refSize + offsetSize + order.roots.length * refSize;
  const out = Buffer.alloc(headSize + indexSize + dataSize + (form.crc ? 4 : 0));
  let at = out.writeUInt32BE(0xb5ee9c72, 0);
  const flags = (form.index ? 0x80 : 0) | (form.crc ? 0x40 : 0) | (form.cacheBits ? 0x20 : 0);
  at = out.writeUInt8(flags | refSize, at);
  at = out.writeUInt8(offsetSize, at);
  for (const number of [count, order.roots.length, 0]) at = out.writeUIntBE(number, at, refSize);
  at = out.writeUIntBE(dataSize, at, offsetSize);
  for (const root of order.roots) at = writeNumber(out, order.indexOf(root), at, refSize);
  if (form.index) at = yield* writeIndex(out, at, offsetSize, order, sizes, form.cacheBits === true);
  at = yield* writeCells(out, at, order, refSize, hashed);
  if (form.crc) out.writeUInt32LE(yield* crcInSteps(out, at), at);
  return out;
}

/** The checksum of the bytes before `end`. */
function* crcInSteps(bytes: Buffer, end: number): Steps<number> {
  let crc = 0;
  for (let from = 0; from < end; from += checkedPerStep) {
    if (from > 0) yield;
    crc = crc32c(bytes, from, Math.min(end, from + checkedPerStep), crc);
  }
  return crc;
}

/** By number of the cell: whether its hashes are stored. */
function markHashed(order: CellOrder, { innerHashes, topHashes }: BocForm): Uint8Array {
  const hashed = new Uint8Array(order.cells.length);
  if (innerHashes === true) for (let i = 0; i < hashed.length; i++) if (order.isStop(i)) hashed[i] = 1;
  if (topHashes === true) for (const root of order.roots) hashed[root] = 1;
  return hashed;
}

function isBare({ index, topHashes, innerHashes }: BocForm): boolean {
  return !index && !topHashes && !innerHashes;
}

/** The bytes before a single cell: magic, flags, sizes of one byte, one cell, one root, none absent; then its size. */
const loneHead = Buffer.from("b5ee9c720101010100", "hex");

/** Most bodies are one cell, which needs no ordering. */
function writeLoneCell(cell: Cell, crc: boolean): Buffer {
  const size = serializedSize(cell, 1, false);
  const end = loneHead.length + 2 + size;
  const out = Buffer.allocUnsafe(end + (crc ? 4 : 0));
  out.set(loneHead);
  if (crc) out[4] = 0x41;
  out[loneHead.length] = size;
  out[loneHead.length + 1] = 0;
  writeData(out, loneHead.length + 2, cell, false);
  if (crc) out.writeUInt32LE(crc32c(out, 0, end), end);
  return out;
}

function sizeFor(value: number): number {
  let size = 1;
  while (value >= 2 ** (size * 8)) size++;
  return size;
}

function serializedSize(cell: Cell, refSize: number, withHash: boolean): number {
  return (
    2 + ((cell.bitLength + 7) >> 3) + cell.refCount * refSize + (withHash ? (levelCount(cell.levelMask) + 1) * 34 : 0)
  );
}

function* writeIndex(
  out: Buffer,
  from: number,
  size: number,
  order: CellOrder,
  sizes: Uint32Array,
  cacheBits: boolean,
): Steps<number> {
  let at = from;
  let end = 0;
  for (let i = 0; i < sizes.length; i++) {
    if (i % writtenPerStep === writtenPerStep - 1) yield;
    const number = order.at(i);
    end += sizes[number] as number;
    at = writeNumber(out, cacheBits ? end * 2 + (order.isShared(number) ? 1 : 0) : end, at, size);
  }
  return at;
}

/** By hand where it is short: the method of buffers takes longer than the rest of a cell. */
function writeNumber(out: Buffer, value: number, at: number, size: number): number {
  if (size > 3) return out.writeUIntBE(value, at, size);
  for (let i = size - 1, rest = value; i >= 0; i--, rest >>>= 8) out[at + i] = rest;
  return at + size;
}

function* writeCells(out: Buffer, from: number, order: CellOrder, refSize: number, hashed: Uint8Array): Steps<number> {
  let at = from;
  for (let i = 0; i < hashed.length; i++) {
    if (i % writtenPerStep === writtenPerStep - 1) yield;
    const number = order.at(i);
    const cell = order.cells[number] as Cell;
    at = writeData(out, at, cell, hashed[number] === 1);
    for (let j = 0; j < cell.refCount; j++) at = writeNumber(out, order.indexOf(order.ref(number, j)), at, refSize);
  }
  return at;
}

/** A cell without its references. */
function writeData(out: Buffer, from: number, cell: Cell, withHash: boolean): number {
  const { bitLength: bits, bytes, dataAt } = cell;
  const size = (bits + 7) >> 3;
  out[from] = cell.refCount + (cell.isExotic ? 8 : 0) + (withHash ? 16 : 0) + (cell.levelMask << 5);
  out[from + 1] = (bits >> 3) + size;
  const start = withHash ? writeHashes(out, from + 2, cell) : from + 2;
  for (let i = 0; i < size; i++) out[start + i] = bytes[dataAt + i] as number;
  const at = start + size;
  const rest = bits & 7;
  if (rest !== 0) out[at - 1] = ((out[at - 1] as number) & (0xff00 >> rest)) | (0x80 >> rest);
  return at;
}

function writeHashes(out: Buffer, from: number, cell: Cell): number {
  const levels = significantLevels(cell.levelMask);
  let at = from;
  for (const level of levels) {
    out.set(cell.hashBytes(level), at);
    at += 32;
  }
  for (const level of levels) at = out.writeUInt16BE(cell.depth(level), at);
  return at;
}
