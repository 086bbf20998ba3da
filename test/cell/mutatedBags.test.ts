import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cellOf, chainOf } from "../../kit/cell/anyCell.ts";
import { makeMerkleProof } from "../../kit/cell/merkleProofs.ts";
import { blockForm, crcForm, plainForm, readBoc, writeBoc } from "../../src/cell/boc.ts";
import { makePruned } from "../../src/cell/exotic.ts";
import { makeMerkleUpdate } from "../../src/cell/merkle/merkleUpdate.ts";
import { crc32c } from "../../src/lib/crc.ts";
import { isCoded } from "../../src/lib/errors.ts";
import { type Random, seededRandom } from "../../src/lib/random.ts";
import { runAtOnce } from "../../src/lib/sharing/steps.ts";
import { listCells } from "../kit/cell/bags.ts";
import { readChainRecord } from "../kit/cell/chainRecord.ts";
import { cpuMs } from "../kit/suite/cpuMs.ts";

/** The same cases in every run; a failing case becomes a fixed one in `boc.test.ts`. */
const cases = 10_000;
const seed = "bent bags";

/** Real blocks and states, and small trees with every exotic kind, in several forms. */
function listSeeds(): Buffer[] {
  const record = readChainRecord(join(import.meta.dirname, "../fixtures/realnet"), "chain");
  const blocks = record.blocks.filter((_, i) => i % 9 === 0).map((block) => record.blockBytes(block));
  const states = record.zerostates.map((state) => record.stateBytes(state));
  const tree = cellOf("10110", [chainOf(5), cellOf("1", [chainOf(5), cellOf("0")])]);
  const exotic = [
    makeMerkleProof(tree, new Set()),
    runAtOnce(makeMerkleUpdate(tree, cellOf("0", [tree, chainOf(3)]))),
    makePruned(makePruned(tree, 1), 2),
  ];
  const made = [plainForm, crcForm, { index: true }, blockForm, { topHashes: true, innerHashes: true }].flatMap(
    (form) => [tree, ...exotic].map((root) => writeBoc([root, tree], form)),
  );
  return [...blocks, ...states, ...made].map((bytes) => Buffer.from(bytes));
}

/** One mutation of bytes, in place or as new bytes. */
type Mutation = (bytes: Buffer, random: Random) => Buffer;

const mutations: readonly Mutation[] = [
  (bytes, random) => bytes.subarray(0, random.int(bytes.length + 1)),
  (bytes, random) => Buffer.concat([bytes, random.bytes(1 + random.int(9))]),
  (bytes, random) => flip(bytes, random.int(bytes.length), random),
  (bytes, random) => flip(bytes, random.int(Math.min(40, bytes.length)), random),
  (bytes, random) =>
    flip(flip(bytes, random.int(bytes.length), random), random.int(Math.min(20, bytes.length)), random),
  (bytes, random) => {
    bytes[4 + random.int(12)] = [0, 1, 2, 0x7f, 0x80, 0xfe, 0xff][random.int(7)] as number;
    return bytes;
  },
  (bytes, random) => {
    const at = random.int(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random.int(4))]);
  },
  (bytes, random) => {
    const at = random.int(bytes.length);
    const from = random.int(bytes.length);
    bytes.copy(bytes, at, from, from + random.int(40));
    return bytes;
  },
  (_bytes, random) => Buffer.from(random.bytes(random.int(200))),
  (_bytes, random) => Buffer.concat([Buffer.from("b5ee9c72", "hex"), random.bytes(random.int(200))]),
];

function flip(bytes: Buffer, at: number, random: Random): Buffer {
  if (bytes.length > 0) bytes[at] = (bytes[at] as number) ^ (1 << random.int(8));
  return bytes;
}

/** Corrects the checksum, so that later checks are reached. */
function withChecksum(bytes: Buffer): Buffer {
  if (bytes.length < 10 || ((bytes[4] as number) & 0x40) === 0) return bytes;
  bytes.writeUInt32LE(crc32c(bytes, 0, bytes.length - 4), bytes.length - 4);
  return bytes;
}

/** Uses a bag in every way: hashes and walks it, writes it and reads it again. */
function useBag(bytes: Buffer): void {
  const roots = readBoc(bytes);
  const hashes = roots.map((root) => root.hash());
  for (const cell of listCells(roots)) for (const level of [0, 1, 2]) cell.hash(level);
  expect(readBoc(writeBoc(roots, blockForm)).map((root) => root.hash())).toEqual(hashes);
}

describe("mutated bags", () => {
  it(`are rejected with a code or stay valid, in ${cases} cases`, () => {
    const random = seededRandom(seed);
    const seeds = listSeeds();
    const codes = new Map<string, number>();
    let slowestMs = 0;
    for (let count = 0; count < cases; count++) {
      const original = Buffer.from(seeds[random.int(seeds.length)] as Buffer);
      const mutated = (mutations[random.int(mutations.length)] as Mutation)(original, random);
      const bytes = random.int(2) === 0 ? mutated : withChecksum(Buffer.from(mutated));
      const before = cpuMs();
      const code = codeOf(bytes);
      slowestMs = Math.max(slowestMs, cpuMs() - before);
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
    process.stdout.write(`bent bags: ${JSON.stringify(Object.fromEntries([...codes].sort()))}\n`);
    // Most take less than a millisecond; the limit only detects an endless run.
    expect(slowestMs).toBeLessThan(10_000);
    expect([...codes.keys()].filter((code) => code.startsWith("cell/boc-")).length).toBeGreaterThan(9);
    expect(codes.get("read")).toBeGreaterThan(cases / 50);
  });
});

/** The error code, or "read"; any other failure is reported with its bytes. */
function codeOf(bytes: Buffer): string {
  try {
    useBag(bytes);
    return "read";
  } catch (error) {
    if (isCoded(error)) return error.code;
    throw new Error(`bag ${bytes.toString("hex")}`, { cause: error });
  }
}
