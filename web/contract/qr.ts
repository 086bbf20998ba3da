/**
 * QR codes (ISO/IEC 18004): byte mode, error correction level M, versions 1 to 20, which hold up to 666 bytes: an
 * address, or a transfer with a small body.
 */

interface Version {
  /** Error correction bytes of each block. */
  readonly check: number;
  /** Data bytes of each block; longer blocks come last. */
  readonly blocks: readonly number[];
}

/**
 * Error correction bytes, then for blocks of one length their number and data bytes, and the number of those with one
 * byte more.
 */
const layouts: readonly (readonly [check: number, blocks: number, data: number, longer?: number])[] = [
  [10, 1, 16],
  [16, 1, 28],
  [26, 1, 44],
  [18, 2, 32],
  [24, 2, 43],
  [16, 4, 27],
  [18, 4, 31],
  [22, 2, 38, 2],
  [22, 3, 36, 2],
  [26, 4, 43, 1],
  [30, 1, 50, 4],
  [22, 6, 36, 2],
  [22, 8, 37, 1],
  [24, 4, 40, 5],
  [24, 5, 41, 5],
  [28, 7, 45, 3],
  [28, 10, 46, 1],
  [26, 9, 43, 4],
  [26, 3, 44, 11],
  [26, 3, 41, 13],
];

const versions: readonly Version[] = layouts.map(([check, blocks, data, longer = 0]) => ({
  check,
  blocks: Array.from({ length: blocks + longer }, (_none, at) => data + (at < blocks ? 0 : 1)),
}));

/** The first version whose length has two bytes. */
const firstWide = 10;

/** Rows of modules, `true` for dark ones; `undefined` for a text that is too long. */
export function makeQr(text: string): readonly (readonly boolean[])[] | undefined {
  const bytes = new TextEncoder().encode(text);
  const at = versions.findIndex(({ blocks }, index) => {
    const room = blocks.reduce((sum, data) => sum + data, 0);
    return bytes.length + (index + 1 < firstWide ? 2 : 3) <= room;
  });
  const version = versions[at];
  if (version === undefined) return undefined;
  const grid = new Grid(at + 1);
  grid.write(interleave(fill(bytes, version, at + 1 >= firstWide), version));
  return grid.finish();
}

/** Mode 4, the length, the bytes, four zero bits, and padding. */
function fill(bytes: Uint8Array, { blocks }: Version, isWide: boolean): Uint8Array {
  const filled = new Uint8Array(blocks.reduce((sum, data) => sum + data, 0));
  const { length } = bytes;
  const size = isWide ? [length >> 12, (length >> 8) & 15] : [];
  const parts = [
    4,
    ...size,
    (length >> 4) & 15,
    length & 15,
    ...[...bytes].flatMap((byte) => [byte >> 4, byte & 15]),
    0,
  ];
  parts.forEach((part, index) => {
    filled[index >> 1] = (filled[index >> 1] ?? 0) | (part << (index % 2 === 0 ? 4 : 0));
  });
  const used = length + (isWide ? 3 : 2);
  for (let index = used; index < filled.length; index++) filled[index] = (index - used) % 2 === 0 ? 0xec : 0x11;
  return filled;
}

/** The blocks one byte after another, first their data, then their error correction. */
function interleave(data: Uint8Array, { check, blocks }: Version): number[] {
  let from = 0;
  const parts = blocks.map((size) => {
    from += size;
    return data.subarray(from - size, from);
  });
  const checks = parts.map((part) => correct(part, check));
  const mix = (lists: readonly ArrayLike<number>[]): number[] => {
    const longest = Math.max(...lists.map(({ length }) => length));
    return Array.from({ length: longest }, (_none, at) => lists.flatMap((list) => list[at] ?? [])).flat();
  };
  return [...mix(parts), ...mix(checks)];
}

/** A product in the field of 256 elements with the polynomial 0x11d. */
function multiply(one: number, other: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ (product & 0x80 ? 0x11d : 0);
    if ((other >> bit) & 1) product ^= one;
  }
  return product;
}

/** Reed-Solomon: the remainder of the data divided by the generator of this degree. */
function correct(data: Uint8Array, degree: number): number[] {
  let generator = [1];
  let root = 1;
  for (let step = 0; step < degree; step++) {
    const shifted = [...generator, 0];
    generator = shifted.map((value, index) => value ^ multiply(generator[index - 1] ?? 0, root));
    root = multiply(root, 2);
  }
  const remainder = Array.from({ length: degree }, () => 0);
  for (const byte of data) {
    const factor = byte ^ (remainder.shift() ?? 0);
    remainder.push(0);
    for (let index = 0; index < degree; index++)
      remainder[index] = (remainder[index] ?? 0) ^ multiply(generator[index + 1] ?? 0, factor);
  }
  return remainder;
}

const masks: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

class Grid {
  readonly #size: number;
  readonly #dark: boolean[][];
  /** Modules of patterns, which carry no data. */
  readonly #fixed: boolean[][];

  constructor(version: number) {
    this.#size = 17 + 4 * version;
    const rows = () => Array.from({ length: this.#size }, () => Array.from({ length: this.#size }, () => false));
    [this.#dark, this.#fixed] = [rows(), rows()];
    const last = this.#size - 1;
    for (let index = 0; index <= last; index++) {
      this.#fix(6, index, index % 2 === 0);
      this.#fix(index, 6, index % 2 === 0);
    }
    this.#square(3, 3, 4);
    this.#square(last - 3, 3, 4);
    this.#square(3, last - 3, 4);
    this.#align(version);
    if (version >= 7) this.#number(version);
    this.#format(0);
  }

  #fix(x: number, y: number, isDark: boolean): void {
    const [dark, fixed] = [this.#dark[y], this.#fixed[y]];
    if (dark === undefined || fixed === undefined || x < 0 || x >= this.#size) return;
    dark[x] = isDark;
    fixed[x] = true;
  }

  /** Squares around a point: of a corner, with its light edge, or of the alignment. */
  #square(x: number, y: number, radius: number): void {
    for (let dy = -radius; dy <= radius; dy++) {
      for (let dx = -radius; dx <= radius; dx++) {
        const distance = Math.max(Math.abs(dx), Math.abs(dy));
        this.#fix(x + dx, y + dy, radius === 4 ? distance !== 2 && distance !== 4 : distance !== 1);
      }
    }
  }

  /** Small squares in a net, but not at corners. */
  #align(version: number): void {
    if (version === 1) return;
    const count = Math.floor(version / 7) + 2;
    const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2;
    const places = [6, ...Array.from({ length: count - 1 }, (_none, at) => this.#size - 7 - (count - 2 - at) * step)];
    const last = this.#size - 7;
    const isCorner = (x: number, y: number) => (x === 6 && (y === 6 || y === last)) || (x === last && y === 6);
    for (const x of places) for (const y of places) if (!isCorner(x, y)) this.#square(x, y, 2);
  }

  /** The version and twelve bits of correction stand at two places. */
  #number(version: number): void {
    let rest = version << 12;
    for (let bit = 17; bit >= 12; bit--) if ((rest >> bit) & 1) rest ^= 0x1f25 << (bit - 12);
    const bits = (version << 12) | rest;
    for (let index = 0; index < 18; index++) {
      const [near, far] = [Math.floor(index / 3), this.#size - 11 + (index % 3)];
      this.#fix(near, far, ((bits >> index) & 1) === 1);
      this.#fix(far, near, ((bits >> index) & 1) === 1);
    }
  }

  /** Level M is 0; the mask and ten bits of correction stand at two places. */
  #format(mask: number): void {
    let rest = mask << 10;
    for (let bit = 14; bit >= 10; bit--) if ((rest >> bit) & 1) rest ^= 0x537 << (bit - 10);
    const bits = ((mask << 10) | rest) ^ 0x5412;
    const last = this.#size - 1;
    for (let index = 0; index < 15; index++) {
      const isDark = ((bits >> index) & 1) === 1;
      const before = index < 6 ? index : index < 8 ? index + 1 : last - 14 + index;
      this.#fix(8, before, isDark);
      const beside = index < 8 ? last - index : index === 8 ? 7 : 14 - index;
      this.#fix(beside, 8, isDark);
    }
    this.#fix(8, last - 7, true);
  }

  /** Two columns at a time, from the right, up and down. */
  write(bytes: readonly number[]): void {
    let bit = 0;
    for (let right = this.#size - 1; right > 0; right -= 2) {
      if (right === 6) right = 5;
      const isUp = ((right + 1) & 2) === 0;
      for (let step = 0; step < this.#size; step++) {
        const y = isUp ? this.#size - 1 - step : step;
        for (const x of [right, right - 1]) {
          const row = this.#dark[y];
          if (row === undefined || this.#fixed[y]?.[x] === true) continue;
          row[x] = (((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
          bit += 1;
        }
      }
    }
  }

  #masked(mask: number): boolean[][] {
    this.#format(mask);
    const flips = masks[mask];
    return this.#dark.map((row, y) => row.map((dark, x) => (this.#fixed[y]?.[x] ? dark : dark !== flips?.(x, y))));
  }

  /** The mask with the fewest long runs, squares and patterns that look like a corner. */
  finish(): boolean[][] {
    const candidates = masks.map((_mask, index) => this.#masked(index));
    const scores = candidates.map(penalty);
    return candidates[scores.indexOf(Math.min(...scores))] ?? [];
  }
}

function penalty(rows: readonly (readonly boolean[])[]): number {
  const columns = rows.map((_row, x) => rows.map((row) => row[x] ?? false));
  let sum = 0;
  for (const line of [...rows, ...columns]) {
    const text = line.map((dark) => (dark ? "1" : "0")).join("");
    for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) sum += run.length - 2;
    sum += 40 * [...text.matchAll(/(?=00001011101|10111010000)/g)].length;
  }
  rows.forEach((row, y) => {
    row.forEach((dark, x) => {
      const isSquare =
        x > 0 && y > 0 && [row[x - 1], rows[y - 1]?.[x], rows[y - 1]?.[x - 1]].every((each) => each === dark);
      if (isSquare) sum += 3;
    });
  });
  const darkness = (rows.flat().filter(Boolean).length * 100) / rows.length ** 2;
  return sum + 10 * Math.floor(Math.abs(darkness - 50) / 5);
}
