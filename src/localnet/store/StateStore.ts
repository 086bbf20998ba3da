import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, readSync, rmSync } from "node:fs";
import { join } from "node:path";
import { crcForm, readBoc, writeBoc } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { concatBytes } from "../../lib/bytes.ts";
import { isCoded } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import { type Hash, hashFromBytes, hashToBytes } from "../../model/Hash.ts";
import type { LedgerStore } from "../ledger/Ledger.ts";
import { writeWhole } from "./writeWhole.ts";

interface Place {
  readonly path: string;
  readonly index: number;
}

const fileName = /^(\d+)\.states$/;

/**
 * States on disk, all of one masterchain block in a file: the root hashes of their blocks, then one bag with the states
 * in the same order. They are a cache: missing or damaged ones are rebuilt from the blocks.
 */
export class StateStore implements LedgerStore {
  readonly #folder: string;
  readonly #log: Log;
  readonly #places = new Map<Hash, Place>();
  #newest = 0;

  constructor(folder: string, log: Log) {
    this.#folder = folder;
    this.#log = log;
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(folder)) {
      const seqno = fileName.exec(name)?.[1];
      if (seqno !== undefined) this.#note(Number(seqno), readHashes(join(folder, name)));
    }
  }

  /** The masterchain block of the newest states; 0 while there are none. */
  get newest(): number {
    return this.#newest;
  }

  findState(id: BlockIdExt): Cell | undefined {
    const place = this.#places.get(id.rootHash);
    if (place === undefined) return undefined;
    try {
      const bytes = readFileSync(place.path);
      return readBoc(bytes.subarray(headBytes(bytes.readUInt32LE(0))))[place.index];
    } catch (error) {
      if (!isCoded(error) && !existsSync(place.path)) return undefined;
      this.#log.warn("states put by cannot be read and are made again", { path: place.path, error: String(error) });
      this.#places.delete(id.rootHash);
      return undefined;
    }
  }

  /** Stores the states of a masterchain block and its shard tops. */
  put(seqno: number, states: readonly { readonly id: BlockIdExt; readonly state: Cell }[]): void {
    const count = Buffer.alloc(4);
    count.writeUInt32LE(states.length, 0);
    const hashes = states.map(({ id }) => id.rootHash);
    const bag = writeBoc(
      states.map(({ state }) => state),
      crcForm,
    );
    writeWhole(this.#path(seqno), concatBytes([count, ...hashes.map(hashToBytes), bag]));
    this.#note(seqno, hashes);
  }

  /** Deletes states that are ahead of the chain: they belong to lost blocks. */
  dropAfter(seqno: number): void {
    for (const name of readdirSync(this.#folder)) {
      const found = fileName.exec(name)?.[1];
      if (found !== undefined && Number(found) > seqno) rmSync(join(this.#folder, name), { force: true });
    }
    this.#newest = Math.min(this.#newest, seqno);
  }

  #note(seqno: number, hashes: readonly Hash[]): void {
    const path = this.#path(seqno);
    for (const [index, hash] of hashes.entries()) this.#places.set(hash, { path, index });
    if (hashes.length > 0) this.#newest = Math.max(this.#newest, seqno);
  }

  #path(seqno: number): string {
    return join(this.#folder, `${seqno}.states`);
  }
}

function headBytes(count: number): number {
  return 4 + 32 * count;
}

const mostStates = 64;

function readHashes(path: string): Hash[] {
  const head = Buffer.alloc(headBytes(mostStates));
  const file = openSync(path, "r");
  const length = readSync(file, head, 0, head.length, 0);
  closeSync(file);
  const count = length < 4 ? 0 : head.readUInt32LE(0);
  if (count > mostStates || length < headBytes(count)) return [];
  return Array.from({ length: count }, (_, i) => hashFromBytes(head.subarray(headBytes(i), headBytes(i + 1))));
}
