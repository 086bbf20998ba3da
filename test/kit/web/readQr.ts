/**
 * Data and error correction bytes of a block, the number of such blocks, and of those with one byte more, of versions 1
 * to 20 at level M.
 */
const layouts: readonly (readonly [data: number, check: number, blocks: number, longer: number])[] = [
  ...([
    [16, 10, 1, 0],
    [28, 16, 1, 0],
    [44, 26, 1, 0],
    [32, 18, 2, 0],
    [43, 24, 2, 0],
  ] as const),
  ...([
    [27, 16, 4, 0],
    [31, 18, 4, 0],
    [38, 22, 2, 2],
    [36, 22, 3, 2],
    [43, 26, 4, 1],
  ] as const),
  ...([
    [50, 30, 1, 4],
    [36, 22, 6, 2],
    [37, 22, 8, 1],
    [40, 24, 4, 5],
    [41, 24, 5, 5],
  ] as const),
  ...([
    [45, 28, 7, 3],
    [46, 28, 10, 1],
    [43, 26, 9, 4],
    [44, 26, 3, 11],
    [41, 26, 3, 13],
  ] as const),
];

/** Centres of the small squares of versions 7 to 20, as ISO/IEC 18004 lists them; smaller versions have one. */
const centres: readonly (readonly number[])[] = [
  ...[
    [6, 22, 38],
    [6, 24, 42],
    [6, 26, 46],
    [6, 28, 50],
    [6, 30, 54],
    [6, 32, 58],
    [6, 34, 62],
  ],
  ...[
    [6, 26, 46, 66],
    [6, 26, 48, 70],
    [6, 26, 50, 74],
    [6, 30, 54, 78],
    [6, 30, 56, 82],
    [6, 30, 58, 86],
  ],
  [6, 34, 62, 90],
];

/** The 18 bits of versions 7 to 20, as ISO/IEC 18004 lists them. */
const numbers = [
  ...[0x07c94, 0x085bc, 0x09a99, 0x0a4d3, 0x0bbf6, 0x0c762, 0x0d847, 0x0e60d, 0x0f928, 0x10b78],
  ...[0x1145d, 0x12a17, 0x13532, 0x149a6],
];

type Rows = readonly (readonly boolean[])[];

/** The mask of each number, for a row and a column. */
const flips = [
  (i: number, j: number) => (i + j) % 2,
  (i: number) => i % 2,
  (_i: number, j: number) => j % 3,
  (i: number, j: number) => (i + j) % 3,
  (i: number, j: number) => (Math.floor(i / 2) + Math.floor(j / 3)) % 2,
  (i: number, j: number) => ((i * j) % 2) + ((i * j) % 3),
  (i: number, j: number) => (((i * j) % 2) + ((i * j) % 3)) % 2,
  (i: number, j: number) => (((i + j) % 2) + ((i * j) % 3)) % 2,
] as const;

/** Reads a code in byte mode at level M; throws when a pattern or the error correction is wrong. */
export function readQr(rows: Rows): string {
  const version = (rows.length - 17) / 4;
  checkNumber(rows, version);
  const [data, check, short, longer] = layouts[version - 1] ?? [0, 0, 0, 0];
  const blocks = short + longer;
  const total = data * blocks + longer;
  const bytes = readBytes(rows, readMask(rows), total + check * blocks);
  const parts = Array.from({ length: blocks }, (_none, block) => {
    const first = bytes.slice(0, data * blocks).filter((_byte, index) => index % blocks === block);
    const extra = block < short ? [] : bytes.slice(data * blocks + block - short, data * blocks + block - short + 1);
    return { own: [...first, ...extra], checks: bytes.slice(total).filter((_byte, index) => index % blocks === block) };
  });
  for (const { own, checks } of parts) checkBlock([...own, ...checks], check);
  const all = parts.flatMap(({ own }) => own);
  const bits = all.map((byte) => byte.toString(2).padStart(8, "0")).join("");
  if (!bits.startsWith("0100")) throw new Error("the code is not in byte mode");
  const start = version < 10 ? 12 : 20;
  const length = Number.parseInt(bits.slice(4, start), 2);
  const content = Array.from({ length }, (_none, index) =>
    Number.parseInt(bits.slice(start + 8 * index, start + 8 + 8 * index), 2),
  );
  return Buffer.from(content).toString("utf8");
}

/** Both places of the version, which larger codes have. */
function checkNumber(rows: Rows, version: number): void {
  if (version < 7) return;
  const bit = (row: number, column: number) => (rows[row]?.[column] === true ? 1 : 0);
  const places = Array.from({ length: 18 }, (_none, at) => [Math.floor(at / 3), rows.length - 11 + (at % 3)] as const);
  const read = (flip: boolean) =>
    places.reduce((sum, [near, far], at) => sum + (flip ? bit(far, near) : bit(near, far)) * 2 ** at, 0);
  const wanted = numbers[version - 7];
  if (read(true) !== wanted || read(false) !== wanted) throw new Error("the version is wrong");
}

/** The 15 bits of the format beside the first corner: two of the level, three of the mask, ten of correction. */
function readMask(rows: Rows): number {
  const places = [0, 1, 2, 3, 4, 5, 7, 8].map((column) => [8, column] as const);
  const above = [7, 5, 4, 3, 2, 1, 0].map((row) => [row, 8] as const);
  const bits = [...places, ...above].map(([row, column]) => (rows[row]?.[column] === true ? "1" : "0")).join("");
  const format = Number.parseInt(bits, 2) ^ 0b101010000010010;
  let rest = format;
  for (let bit = 14; bit >= 10; bit--) if ((rest >> bit) & 1) rest ^= 0b10100110111 << (bit - 10);
  if (rest !== 0 || format >> 13 !== 0) throw new Error("the format is broken or of another level");
  return (format >> 10) & 7;
}

function isPattern(size: number, row: number, column: number): boolean {
  const inCorner = (row < 9 && column < 9) || (row < 9 && column >= size - 8) || (row >= size - 8 && column < 9);
  const version = (size - 17) / 4;
  const squares = centres[version - 7] ?? (version > 1 ? [size - 7] : []);
  const last = size - 7;
  const isSquare = squares.some((y) =>
    squares.some((x) => {
      const isCorner = (x === 6 && (y === 6 || y === last)) || (x === last && y === 6);
      return !isCorner && Math.abs(row - y) <= 2 && Math.abs(column - x) <= 2;
    }),
  );
  const inNumber = version >= 7 && ((row < 6 && column >= size - 11) || (column < 6 && row >= size - 11));
  return inCorner || row === 6 || column === 6 || isSquare || inNumber;
}

function readBytes(rows: Rows, mask: number, count: number): number[] {
  const size = rows.length;
  const flip = flips[mask];
  const columns = Array.from({ length: (size - 1) / 2 }, (_none, index) => size - 1 - 2 * index).map((right) =>
    right <= 6 ? right - 1 : right,
  );
  const bits = columns.flatMap((right, index) =>
    Array.from({ length: size }, (_none, step) => (index % 2 === 0 ? size - 1 - step : step)).flatMap((row) =>
      [right, right - 1]
        .filter((column) => !isPattern(size, row, column))
        .map((column) => (rows[row]?.[column] === true ? 1 : 0) ^ (flip?.(row, column) === 0 ? 1 : 0)),
    ),
  );
  return Array.from({ length: count }, (_none, index) =>
    Number.parseInt(bits.slice(8 * index, 8 * index + 8).join(""), 2),
  );
}

/** All syndromes of an intact block are zero. */
function checkBlock(block: readonly number[], degree: number): void {
  const powers = [1];
  for (let step = 1; step < 255; step++) {
    const next = (powers[step - 1] ?? 0) * 2;
    powers.push(next > 255 ? next ^ 0x11d : next);
  }
  const product = (one: number, power: number) => (one === 0 ? 0 : (powers[(powers.indexOf(one) + power) % 255] ?? 0));
  for (let root = 0; root < degree; root++) {
    const value = block.reduce((sum, byte) => product(sum, root) ^ byte, 0);
    if (value !== 0) throw new Error(`the error correction is wrong at root ${root}`);
  }
}
