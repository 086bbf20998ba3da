import { join } from "node:path";
import { crcForm, readBoc, readBocInSteps, writeBocInSteps } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { hashInSteps } from "../../cell/hashInSteps.ts";
import { restore } from "../../cell/merkle/merkleUpdate.ts";
import type { FileSystem } from "../../lib/files/FileSystem.ts";
import { readPart, readWhole, writeWholeLater } from "../../lib/files/writeWhole.ts";
import type { Log } from "../../lib/log.ts";
import { runInTurns } from "../../lib/sharing/steps.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import { type Hash, hashFromBytes, hashToBytes } from "../../model/Hash.ts";
import type { TurnPause } from "../collate/BlockInput.ts";
import type { LedgerStore } from "../ledger/Ledger.ts";
import type { MarkedHead } from "./HeadMark.ts";
import { pruneOldBlocks } from "./pruneOldBlocks.ts";
import { TreeStore } from "./TreeStore.ts";

interface Place {
  readonly path: string;
  readonly index: number;
}

/** The state after a block. */
export interface StateOfBlock {
  readonly id: BlockIdExt;
  readonly state: Cell;
}

const fileName = /^(\d+)\.states$/;

/**
 * States on disk, all of one masterchain block in a file: the root hashes of their blocks, then one bag with the states
 * in the same order. Trees that later states share are in files of their own, with pruned branches in their place:
 * otherwise every file would have the whole list of old blocks. States are a cache: missing or damaged ones are rebuilt
 * from the blocks, and a loss of power may lose them. They are written after their blocks are durable, so they also
 * prove that those blocks were there.
 */
export class StateStore implements LedgerStore {
  readonly #folder: string;
  readonly #files: FileSystem;
  readonly #log: Log;
  readonly #trees: TreeStore;
  readonly #places = new Map<Hash, Place>();
  #newest: MarkedHead | undefined;

  readonly #findAbsent: ((hash: Hash) => Cell | undefined) | undefined;

  /** `findAbsent` returns the cells that states of a fork do not have: they are not stored. */
  constructor(folder: string, files: FileSystem, log: Log, findAbsent?: (hash: Hash) => Cell | undefined) {
    this.#findAbsent = findAbsent;
    this.#folder = folder;
    this.#files = files;
    this.#trees = new TreeStore(folder, files);
    this.#log = log;
    for (const seqno of this.#listSeqnos()) this.#note(seqno, readHashes(this.#path(seqno), files));
  }

  /** The masterchain block of the newest states. */
  get newest(): MarkedHead | undefined {
    return this.#newest;
  }

  findState(id: BlockIdExt): Cell | undefined {
    const place = this.#places.get(id.rootHash);
    if (place === undefined) return undefined;
    try {
      const bytes = readWhole(place.path, this.#files);
      const state = readBoc(bytes.subarray(headBytes(bytes.readUInt32LE(0))))[place.index];
      return state && this.#whole(state);
    } catch (error) {
      if (!this.#files.exists(place.path)) return undefined;
      this.#log.warn("stored states cannot be read; computing them again", { path: place.path, error: String(error) });
      this.#places.delete(id.rootHash);
      return undefined;
    }
  }

  /**
   * Stores the states of a masterchain block and its shard tops. Returns copies of them, which take a fraction of the
   * memory of built cells and keep nothing else alive.
   */
  async put(seqno: number, states: readonly StateOfBlock[], pause: TurnPause): Promise<readonly StateOfBlock[]> {
    const count = Buffer.alloc(4);
    count.writeUInt32LE(states.length, 0);
    const hashes = states.map(({ id }) => id.rootHash);
    const pruned: Cell[] = [];
    for (const { state } of states) {
      await runInTurns(hashInSteps(state), pause);
      pruned.push(await pruneOldBlocks(state, this.#trees, pause, this.#findAbsent !== undefined));
    }
    const bag = await runInTurns(writeBocInSteps(pruned, crcForm), pause);
    this.#files.makeFolder(this.#folder);
    await writeWholeLater(this.#path(seqno), [count, ...hashes.map(hashToBytes), bag], this.#files);
    this.#note(seqno, hashes);
    const copies = await runInTurns(readBocInSteps(bag), pause);
    return states.map(({ id, state }, i) => ({ id, state: this.#whole(copies[i] ?? state) }));
  }

  /** A stored state with its trees. */
  #whole(state: Cell): Cell {
    return restore(state, (hash) => this.#trees.find(hash) ?? this.#findAbsent?.(hash));
  }

  /** Deletes states that are ahead of the chain: they belong to blocks that were given up. */
  dropAfter(seqno: number): void {
    for (const found of this.#listSeqnos()) if (found > seqno) this.#files.remove(this.#path(found));
    for (const [hash, position] of this.#places) if (!this.#files.exists(position.path)) this.#places.delete(hash);
    this.#newest = undefined;
    for (const found of this.#listSeqnos()) this.#note(found, readHashes(this.#path(found), this.#files));
  }

  #listSeqnos(): readonly number[] {
    if (!this.#files.exists(this.#folder)) return [];
    const seqnos = this.#files.list(this.#folder).map((name) => fileName.exec(name)?.[1]);
    return seqnos.filter((seqno) => seqno !== undefined).map(Number);
  }

  /** The first hash is that of the masterchain block. */
  #note(seqno: number, hashes: readonly Hash[]): void {
    const path = this.#path(seqno);
    for (const [index, hash] of hashes.entries()) this.#places.set(hash, { path, index });
    const [rootHash] = hashes;
    if (rootHash !== undefined && seqno > (this.#newest?.seqno ?? 0)) this.#newest = { seqno, rootHash };
  }

  #path(seqno: number): string {
    return join(this.#folder, `${seqno}.states`);
  }
}

function headBytes(count: number): number {
  return 4 + 32 * count;
}

const maxStates = 64;

function readHashes(path: string, files: FileSystem): Hash[] {
  const file = files.open(path, "r");
  const head = readPart(file, 0, headBytes(maxStates));
  file.close();
  const count = head.length < 4 ? 0 : head.readUInt32LE(0);
  if (count > maxStates || head.length < headBytes(count)) return [];
  return Array.from({ length: count }, (_, i) => hashFromBytes(head.subarray(headBytes(i), headBytes(i + 1))));
}
