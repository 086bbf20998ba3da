/** Data and error correction bytes of a block, and the number of blocks, of versions 1 to 6 at level M. */
const layouts = [
  [16, 10, 1],
  [28, 16, 1],
  [44, 26, 1],
  [32, 18, 2],
  [43, 24, 2],
  [27, 16, 4],
] as const;

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
  const [data, check, blocks] = layouts[version - 1] ?? [0, 0, 0];
  const bytes = readBytes(rows, readMask(rows), (data + check) * blocks);
  const parts = Array.from({ length: blocks }, (_none, block) => [
    ...bytes.slice(0, data * blocks).filter((_byte, index) => index % blocks === block),
    ...bytes.slice(data * blocks).filter((_byte, index) => index % blocks === block),
  ]);
  for (const part of parts) checkBlock(part, check);
  const all = parts.flatMap((part) => part.slice(0, data));
  const bits = all.map((byte) => byte.toString(2).padStart(8, "0")).join("");
  if (!bits.startsWith("0100")) throw new Error("the code is not in byte mode");
  const length = Number.parseInt(bits.slice(4, 12), 2);
  const content = Array.from({ length }, (_none, index) =>
    Number.parseInt(bits.slice(12 + 8 * index, 20 + 8 * index), 2),
  );
  return Buffer.from(content).toString("utf8");
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
  const near = (place: number) => size > 21 && Math.abs(place - (size - 7)) <= 2;
  return inCorner || row === 6 || column === 6 || (near(row) && near(column));
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
