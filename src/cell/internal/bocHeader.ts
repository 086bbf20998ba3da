import { CellError } from "../base/errors.ts";

/** Limits of a reader; it uses a small multiple of the smaller one as memory. */
export interface BocLimits {
  readonly maxBytes: number;
  readonly maxCells: number;
  readonly maxRoots: number;
}

export interface BocHeader {
  readonly refSize: number;
  readonly offsetSize: number;
  readonly cells: number;
  readonly roots: readonly number[];
  readonly hasCrc: boolean;
  readonly hasCacheBits: boolean;
  /** The offset of the index, or undefined without one. */
  readonly indexAt: number | undefined;
  readonly cellsAt: number;
  readonly cellsEnd: number;
}

const genericMagic = 0xb5ee9c72;
const indexedMagic = 0x68ff65f3;
const indexedCrcMagic = 0xacc3a728;

/** Reads and checks everything before the first cell and the total length. */
export function readBocHeader(bytes: Buffer, limits: BocLimits): BocHeader {
  const header = readFields(bytes, limits);
  checkLength(bytes, header);
  return header;
}

function endOf({ cellsEnd, hasCrc }: BocHeader): number {
  return cellsEnd + (hasCrc ? 4 : 0);
}

function readFields(bytes: Buffer, limits: BocLimits): BocHeader {
  if (bytes.length > limits.maxBytes)
    throw new CellError("cell/boc-size", `a bag of ${bytes.length} bytes; the limit is ${limits.maxBytes}`);
  const reader = new HeaderReader(bytes);
  const magic = reader.uint(4);
  const flags = readFlags(reader, magic);
  reader.required = 7 + 3 * flags.refSize;
  const offsetSize = reader.uint(1);
  if (flags.refSize < 1 || flags.refSize > 4 || offsetSize < 1 || offsetSize > 8)
    throw new CellError("cell/boc-header", `sizes of ${flags.refSize} and ${offsetSize} bytes`);
  reader.required = 6 + 3 * flags.refSize + offsetSize;
  const cells = reader.uint(flags.refSize);
  const rootCount = reader.uint(flags.refSize);
  const absent = reader.uint(flags.refSize);
  const dataSize = reader.uint(offsetSize);
  checkCounts(cells, rootCount, absent, dataSize, limits);
  const rootsSize = magic === genericMagic ? rootCount * flags.refSize : 0;
  const indexSize = flags.hasIndex ? cells * offsetSize : 0;
  reader.required = reader.at + rootsSize + indexSize + dataSize + (flags.hasCrc ? 4 : 0);
  const roots: number[] = [];
  if (magic === genericMagic) for (let i = 0; i < rootCount; i++) roots.push(reader.uint(flags.refSize));
  else if (rootCount === 1) roots.push(0);
  else throw new CellError("cell/boc-roots", `${rootCount} roots in a bag of the old form, which has one`);
  for (const root of roots)
    if (root >= cells) throw new CellError("cell/boc-roots", `root ${root} of a bag of ${cells} cells`);
  const indexAt = flags.hasIndex ? reader.at : undefined;
  const cellsAt = reader.at + indexSize;
  const { refSize, hasCrc, hasCacheBits } = flags;
  return { refSize, offsetSize, cells, roots, hasCrc, hasCacheBits, indexAt, cellsAt, cellsEnd: cellsAt + dataSize };
}

interface Flags {
  readonly hasIndex: boolean;
  readonly hasCrc: boolean;
  readonly hasCacheBits: boolean;
  readonly refSize: number;
}

function readFlags(reader: HeaderReader, magic: number): Flags {
  if (magic !== genericMagic && magic !== indexedMagic && magic !== indexedCrcMagic)
    throw new CellError("cell/boc-magic", `0x${magic.toString(16).padStart(8, "0")} begins no bag of cells`);
  const byte = reader.uint(1);
  if (magic === indexedMagic || magic === indexedCrcMagic)
    return { hasIndex: true, hasCrc: magic === indexedCrcMagic, hasCacheBits: false, refSize: byte };
  const flags = {
    hasIndex: (byte & 0x80) !== 0,
    hasCrc: (byte & 0x40) !== 0,
    hasCacheBits: (byte & 0x20) !== 0,
    refSize: byte & 7,
  };
  if ((byte & 0x18) !== 0 || (flags.hasCacheBits && !flags.hasIndex))
    throw new CellError("cell/boc-header", `flags 0x${byte.toString(16)} are not allowed`);
  return flags;
}

function checkCounts(cells: number, roots: number, absent: number, dataSize: number, limits: BocLimits): void {
  // There may be more roots than cells: the same cell may be a root several times.
  if (roots < 1 || roots > limits.maxRoots)
    throw new CellError("cell/boc-roots", `${roots} roots; 1 to ${limits.maxRoots} are allowed`);
  if (absent !== 0) throw new CellError("cell/boc-header", `${absent} absent cells; none are supported`);
  if (cells > limits.maxCells)
    throw new CellError("cell/boc-size", `a bag of ${cells} cells; the limit is ${limits.maxCells}`);
  if (dataSize < cells * 2) throw new CellError("cell/boc-header", `${cells} cells cannot lie in ${dataSize} bytes`);
}

function checkLength(bytes: Buffer, header: BocHeader): void {
  const end = endOf(header);
  if (end > bytes.length) throw tooShort(bytes, end);
  if (end < bytes.length)
    throw new CellError("cell/boc-trailing", `${bytes.length - end} bytes lie behind the end of the bag`);
}

/** The words of the reference, which clients know. */
function tooShort({ length }: Buffer, required: number): CellError {
  return new CellError("cell/boc-cut", `not enough bytes (${length} present, ${required} required)`);
}

class HeaderReader {
  at = 0;
  /** The least length of the bag, as far as it is known. */
  required = 10;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  uint(size: number): number {
    if (this.at + size > this.#bytes.length) throw tooShort(this.#bytes, this.required);
    let value = 0;
    for (let i = 0; i < size; i++) value = value * 256 + (this.#bytes[this.at++] as number);
    if (!Number.isSafeInteger(value)) throw new CellError("cell/boc-header", `a size of ${value} bytes`);
    return value;
  }
}
