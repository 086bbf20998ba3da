import { base64ToBytes, hexToBytes } from "../format/bytes.ts";
import { BagError, type Cell } from "./Cell.ts";
import { countBits, makeCell, type RawCell } from "./makeCell.ts";

const magic = 0xb5ee9c72;
const maxCells = 200_000;

interface StoredCell extends RawCell {
  readonly refs: readonly number[];
}

/** Parses a bag of cells from hex or base64; throws BagError with the reason. */
export function parseBag(text: string): readonly Cell[] {
  const plain = text.replace(/\s+/g, "");
  const bytes = /^b5ee9c72/i.test(plain) ? hexToBytes(plain) : base64ToBytes(plain);
  if (bytes === undefined || bytes.length === 0) throw new BagError("this is neither hex nor base64");
  return readBag(bytes);
}

// serialized_boc#b5ee9c72 has_idx:(## 1) has_crc32c:(## 1) has_cache_bits:(## 1) flags:(## 2) size:(## 3)
//   off_bytes:(## 8) cells:(##(size * 8)) roots:(##(size * 8)) absent:(##(size * 8)) tot_cells_size:(##(off_bytes * 8))
//   root_list:(roots * ##(size * 8)) index:has_idx?(cells * ##(off_bytes * 8)) cell_data:(tot_cells_size * [ uint8 ])
function readBag(bytes: Uint8Array): readonly Cell[] {
  const reader = new ByteReader(bytes);
  if (reader.number(4) !== magic) throw new BagError("this is not a bag of cells: it does not begin with b5ee9c72");
  const flags = reader.number(1);
  const size = flags & 7;
  const offsetSize = reader.number(1);
  if (size < 1 || size > 4 || offsetSize < 1 || offsetSize > 8) throw new BagError("the header is malformed");
  const count = reader.number(size);
  const rootCount = reader.number(size);
  reader.number(size);
  reader.number(offsetSize);
  if (count < 1 || count > maxCells || rootCount < 1 || rootCount > count) throw new BagError("the counts are wrong");
  const roots = Array.from({ length: rootCount }, () => reader.number(size));
  if (flags & 0x80) reader.skip(count * offsetSize);
  const raws = Array.from({ length: count }, () => readCell(reader, size));
  return link(raws, roots);
}

function readCell(reader: ByteReader, size: number): StoredCell {
  const d1 = reader.number(1);
  const d2 = reader.number(1);
  const refCount = d1 & 7;
  if (refCount > 4) throw new BagError("a cell has more than four references");
  // Stored hashes are not trusted; they are computed.
  if (d1 & 16) reader.skip(34 * (countBits(d1 >> 5) + 1));
  const data = reader.take((d2 + 1) >> 1).slice();
  const bitLength = d2 & 1 ? trimCompletion(data) : data.length * 8;
  const refs = Array.from({ length: refCount }, () => reader.number(size));
  return { isExotic: (d1 & 8) !== 0, bytes: data, bitLength, refs };
}

/** Removes the completion bit from the bytes and returns the number of bits before it. */
function trimCompletion(data: Uint8Array): number {
  const last = data[data.length - 1] ?? 0;
  if (last === 0) throw new BagError("a cell has no end mark");
  const free = 31 - Math.clz32(last & -last);
  data[data.length - 1] = last & (last - 1);
  return data.length * 8 - free - 1;
}

/** References only point forwards, so cells are made from the last to the first. */
function link(raws: readonly StoredCell[], roots: readonly number[]): readonly Cell[] {
  const made: Cell[] = [];
  for (let at = raws.length - 1; at >= 0; at--) {
    const raw = raws[at];
    if (raw === undefined) break;
    const refs = raw.refs.map((to) => {
      const cell = to > at ? made[to] : undefined;
      if (cell === undefined) throw new BagError(`cell ${at} refers to cell ${to}, which does not come after it`);
      return cell;
    });
    made[at] = makeCell(raw, refs);
  }
  return roots.map((root) => {
    const cell = made[root];
    if (cell === undefined) throw new BagError(`there is no root ${root}`);
    return cell;
  });
}

class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new BagError("the bag ends too early");
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  skip(length: number): void {
    this.take(length);
  }

  number(length: number): number {
    return this.take(length).reduce((sum, byte) => sum * 256 + byte, 0);
  }
}
