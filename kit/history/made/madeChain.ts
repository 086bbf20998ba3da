import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Builder } from "../../../src/cell/Builder.ts";
import { readRoot, writeBoc } from "../../../src/cell/boc.ts";
import { loadCell } from "../../../src/cell/codec.ts";
import { decodeBatch } from "../../../src/history/ingest/decode/decodeBatch.ts";
import { type Address, makeAddress } from "../../../src/model/Address.ts";
import { Block } from "../../../src/model/block/Block.ts";
import { type Hash, zeroHash } from "../../../src/model/Hash.ts";

/** Accounts of a synthetic chain; the number of an account determines everything about it. */
export interface MadeAccounts {
  /** Users; the first ones are much busier than the last. */
  readonly people: number;
  readonly masters: number;
  readonly collections: number;
  readonly items: number;
}

/** Jetton wallets per user. */
export const walletsEach = 3;

const hashBytes = Buffer.from(new ArrayBuffer(32));
const words = new Int32Array(hashBytes.buffer, hashBytes.byteOffset, 8);

/** A deterministic pseudo-random hash. */
export function madeHash(kind: number, number: number): Hash {
  let state = Math.imul(kind + 1, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b);
  for (let word = 0; word < 8; word++) {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1) ^ Math.imul(number, 0x27d4eb2f + word);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    words[word] = mixed ^ (mixed >>> 14);
  }
  return hashBytes.toString("hex") as Hash;
}

export const personAt = (number: number): Address => makeAddress(0, madeHash(1, number));
export const masterAt = (number: number): Address => makeAddress(0, madeHash(2, number));
export const collectionAt = (number: number): Address => makeAddress(0, madeHash(3, number));
export const itemAt = (number: number): Address => makeAddress(0, madeHash(4, number));
/** The item that is a user's domain name. */
export const domainAt = (number: number): Address => makeAddress(0, madeHash(12, number));
/** The wallets of a user have consecutive numbers. */
export const walletAt = (number: number): Address => makeAddress(0, madeHash(5, number));
/** The hash of a transaction by its number, and of the message that it received. */
export const transactionAt = (number: number): Hash => madeHash(6, number);
export const messageAt = (number: number): Hash => madeHash(7, number);

/** A fast seeded stream of numbers in [0, 1). */
export function quickRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A number below `max`; small ones are much more frequent, like busy accounts. */
export function skewed(random: () => number, max: number): number {
  return Math.floor(max * random() ** 3);
}

/** A body; the eight bytes of its query id make each one different. */
export interface MadeBody {
  readonly opcode: number | undefined;
  make(query: number): Uint8Array;
}

function queryBody(opcode: number): MadeBody {
  const cell = new Builder().storeUint(opcode, 32).storeBigUint(0n, 64).storeVarUint(1_000_000_000n, 16);
  if (opcode === 0x0f8a7ea5) cell.storeUint(0, 2).storeUint(0, 2).storeBit(false).storeVarUint(1n, 16).storeBit(false);
  const bag = writeBoc(cell.cell());
  const at = bag.indexOf(Buffer.from(opcode.toString(16).padStart(8, "0"), "hex")) + 4;
  return {
    opcode,
    make: (query) => {
      const own = Buffer.from(bag);
      own.writeUInt32BE(query >>> 0, at + 4);
      return own;
    },
  };
}

const emptyBag = writeBoc(new Builder().cell());

export const bodies = {
  empty: { opcode: undefined, make: () => emptyBag },
  external: queryBody(0x7369676e),
  transfer: queryBody(0x0f8a7ea5),
  internal: queryBody(0x178d4519),
  notify: queryBody(0x7362d09c),
  excesses: queryBody(0xd53276db),
  nftTransfer: queryBody(0x5fcc3d14),
  assigned: queryBody(0x05138d91),
} as const satisfies Record<string, MadeBody>;

/** Transaction descriptions of the recorded chain in the test fixtures. */
export function recordedDescriptions(): readonly Uint8Array[] {
  const folder = join(process.cwd(), "test/fixtures/realnet/traffic");
  const stream = gunzipSync(readFileSync(join(folder, "blocks.bin.gz")));
  const { blocks } = JSON.parse(readFileSync(join(folder, "index.json"), "utf8")) as {
    readonly blocks: readonly { readonly offset: number; readonly size: number }[];
  };
  return blocks.flatMap(({ offset, size }) => {
    const root = readRoot(stream.subarray(offset, offset + size));
    const { shard, seqno } = loadCell(Block, root).info.load();
    const master = { id: { ...shard, seqno, rootHash: zeroHash, fileHash: zeroHash }, root };
    const batch = { mcSeqno: seqno, master, shardBlocks: [], tops: [], globalVersion: 12 };
    return decodeBatch(batch).transactions.map(({ row }) => row.description);
  });
}
