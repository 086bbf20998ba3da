import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { nextTurn } from "../../../../lib/TurnBudget.ts";

const pageBytes = 8192;
/** Pages of a full file; the following ones are in a file with a number behind its name. */
const pagesInFile = 131_072;
const pagesAtOnce = 64;

/** The first values of the 32 sums (PostgreSQL, `checksum_impl.h`). */
const firstSums = Uint32Array.from([
  0x5b1f36e9, 0xb8525960, 0x02ab50aa, 0x1de66d2a, 0x79ff467a, 0x9bb9f8a3, 0x217e7cd2, 0x83e13d2c, 0xf8d4474f,
  0xe39eb970, 0x42c6ae16, 0x993216fa, 0x7b093b5d, 0x98daff3c, 0xf718902a, 0x0b1c9cdb, 0xe58f764b, 0x187636bc,
  0x5d7b3bb1, 0xe73de7de, 0x92bec979, 0xcca6c0b2, 0x304a0979, 0x85aa43d4, 0x783125bb, 0x6ca8eaa2, 0xe407eac6,
  0x4b5cfc3e, 0x9fbf8c76, 0x15ca20be, 0xf2ca9fd3, 0x959bd756,
]);
const prime = 16_777_619;

/** A damaged page. */
export interface BadPage {
  readonly file: string;
  readonly page: number;
}

/** Compares the checksum of every page of tables and indexes; yields after some pages, so that other work can run. */
export async function findBadPage(files: string): Promise<BadPage | undefined> {
  for (const file of listFiles(files)) {
    const bad = await findInFile(join(files, file), file);
    if (bad !== undefined) return bad;
  }
  return undefined;
}

/** Files of tables and indexes: a number, perhaps with the number of the part, or of a map of the table. */
function listFiles(files: string): readonly string[] {
  const folders = ["global", ...readdirSync(join(files, "base")).map((name) => join("base", name))];
  return folders.flatMap((folder) =>
    readdirSync(join(files, folder))
      .filter((name) => /^\d+(?:_(?:fsm|vm|init))?(?:\.\d+)?$/.test(name))
      .map((name) => join(folder, name)),
  );
}

async function findInFile(path: string, file: string): Promise<BadPage | undefined> {
  const descriptor = openSync(path, "r");
  try {
    const first = Number(/\.(\d+)$/.exec(file)?.[1] ?? 0) * pagesInFile;
    const buffer = new Uint8Array(pageBytes * pagesAtOnce);
    for (let at = 0; ; at += pagesAtOnce) {
      const length = readSync(descriptor, buffer, 0, buffer.length, at * pageBytes);
      if (length === 0) return undefined;
      for (let page = 0; page * pageBytes < length; page++) {
        const isWhole = (page + 1) * pageBytes <= length;
        const bytes = buffer.subarray(page * pageBytes, (page + 1) * pageBytes);
        if (!isWhole || !isGood(bytes, first + at + page)) return { file, page: at + page };
      }
      await nextTurn();
    }
  } finally {
    closeSync(descriptor);
  }
}

/** A page that was never written is empty and has no checksum. */
function isGood(page: Uint8Array, number: number): boolean {
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  const isEmpty = view.getUint16(14, true) === 0;
  return isEmpty ? page.every((byte) => byte === 0) : view.getUint16(8, true) === checksumOf(view, number);
}

function checksumOf(view: DataView, number: number): number {
  const sums = Uint32Array.from(firstSums);
  for (let at = 0; at < pageBytes; at += 4) {
    // The checksum itself, in the lower half of the third word, counts as zero.
    const word = at === 8 ? view.getUint32(at, true) & 0xffff0000 : view.getUint32(at, true);
    mix(sums, (at / 4) % 32, word);
  }
  for (let round = 0; round < 2; round++) for (let lane = 0; lane < 32; lane++) mix(sums, lane, 0);
  const all = sums.reduce((one, other) => one ^ other, 0) ^ number;
  return ((all >>> 0) % 65_535) + 1;
}

function mix(sums: Uint32Array, lane: number, word: number): void {
  const mixed = (sums[lane] ?? 0) ^ word;
  sums[lane] = Math.imul(mixed, prime) ^ (mixed >>> 17);
}
