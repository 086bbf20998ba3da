import { createHash } from "node:crypto";
import { readRoot, readRootInSteps } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import { applyMerkleUpdate, openMerkleUpdate } from "../../cell/merkle/merkleUpdate.ts";
import { weighCells } from "../../cell/weighCells.ts";
import { onAbort } from "../../lib/abort.ts";
import { Lru } from "../../lib/lru.ts";
import { runAtOnce, runInTurns, type Steps } from "../../lib/sharing/steps.ts";
import { Block } from "../../model/block/Block.ts";
import {
  type BlockId,
  type BlockIdExt,
  formatBlockId,
  masterchain,
  type ShardId,
  sameBlock,
  wholeShard,
} from "../../model/block/BlockId.ts";
import { type BlockInfo, prevBlockIds } from "../../model/block/BlockInfo.ts";
import { listShardTops, shardTopId } from "../../model/block/ShardHashes.ts";
import { type Hash, hashFromBytes } from "../../model/Hash.ts";
import { LocalnetError } from "../errors.ts";
import type { BlockTimes } from "./BlockTable.ts";
import type { ForkBase } from "./ForkBase.ts";
import { LedgerBlocks, readPosition, type StoredPosition } from "./LedgerBlocks.ts";
import { LedgerEntry } from "./LedgerEntry.ts";
import { PendingShardBlocks } from "./PendingShardBlocks.ts";
import { rebuildState, type StateSource, stateBefore } from "./rebuildState.ts";
import { StateCache } from "./StateCache.ts";

/** A block of a ledger; its bytes may be read from a file each time. */
export interface LedgerBlock {
  readonly id: BlockIdExt;
  readonly info: BlockInfo;
  readonly bytes: Uint8Array;
  /** The first masterchain block that commits this one; 0 while none does. */
  readonly masterSeqno: number;
  /** Known without reading the block. */
  readonly times: BlockTimes;
}

export interface ZeroState {
  readonly id: BlockIdExt;
  readonly bytes: Uint8Array;
  readonly root: Cell;
}

/** A checked block that is not added yet. */
export interface CheckedBlock {
  readonly id: BlockIdExt;
  readonly info: BlockInfo;
  readonly bytes: Uint8Array;
  readonly root: Cell;
  readonly state: Cell;
}

/** A block that this process has just made, with the state after it. */
export type OwnBlock = Omit<CheckedBlock, "info">;

/** Where a ledger stores what need not be in memory. */
export interface LedgerStore {
  /** The stored state after a block, if any. */
  findState(id: BlockIdExt): Cell | undefined;
}

/** A caller that waits for a masterchain block. */
interface Waiting {
  readonly seqno: number;
  readonly resolve: () => void;
}

/** A block that was read from its bytes, and their length. */
interface ParsedBlock {
  readonly root: Cell;
  readonly byteLength: number;
}

/** Memory for parsed blocks and for states, half of it each, unless the owner says otherwise. */
const usualCellBytes = 64 << 20;
/** The measured memory of a decoded block, as a multiple of its bytes. */
const parsedFactor = 6;
const maxStates = 256;
const leastStates = 16;
/** New blocks that are kept as they were made: followers of the chain read them next. */
const maxMade = leastStates;
const anchorEvery = 100;

function openParsed(maxBytes: number): Lru<Hash, ParsedBlock> {
  return new Lru({ maxBytes, sizeOf: ({ byteLength }) => byteLength * parsedFactor });
}

/**
 * Blocks and states of a chain. Blocks are added parents first, shard blocks before the masterchain block that commits
 * them; each state is made by applying the block's update to the previous one.
 */
export class Ledger {
  readonly zeroStates: readonly ZeroState[];
  /** The blocks of another chain that this one continues. */
  readonly base: ForkBase | undefined;
  /** Made and signed, and not committed yet. */
  readonly pending = new PendingShardBlocks();
  readonly #blocks = new LedgerBlocks();
  readonly #states: StateCache;
  #parsed: Lru<Hash, ParsedBlock>;
  /**
   * The newest blocks as they came. A block that was made here has cells of the states it was made from: each would
   * keep a whole old state alive, so none is kept for longer than those states are.
   */
  readonly #made = new Map<Hash, Cell>();
  readonly #keySeqnos: number[] = [];
  readonly #waiting = new Set<Waiting>();
  readonly #store: LedgerStore | undefined;
  #head: LedgerBlock | undefined;
  readonly #source: StateSource<LedgerBlock> = {
    find: (id) => this.#findState(id),
    keep: (block, state) => this.#keepRebuilt(block, state),
    getBlock: (id) => this.getBlock(id),
    root: (block) => this.#rootInSteps(block),
  };
  /** The head and the shard blocks that it commits. */
  #newest: readonly BlockIdExt[] = [];

  constructor(origin: readonly ZeroState[] | ForkBase, store?: LedgerStore) {
    const base = "master" in origin ? origin : undefined;
    // Who asks for the zero state of a fork wants its id, or the time and the configuration with which it began.
    const zeroStates = "master" in origin ? [zeroOf(origin)] : origin;
    this.zeroStates = zeroStates;
    this.base = base;
    this.#store = store;
    this.#states = new StateCache({ max: maxStates, least: leastStates, maxBytes: usualCellBytes / 2 });
    this.#parsed = openParsed(usualCellBytes / 2);
    for (const zero of zeroStates) this.#states.setAnchor(zero.id.rootHash, zero.root);
    for (const { id, bytes, state } of base === undefined ? [] : [...base.shards, base.master]) {
      this.#states.setAnchor(id.rootHash, state);
      const root = readRoot(bytes);
      this.#enter(id, loadCell(Block, root).info.load(), root, bytes);
    }
  }

  /** Sets the memory for parsed blocks and states. */
  limitCells(bytes: number): void {
    this.#states.maxBytes = bytes / 2;
    this.#parsed = openParsed(bytes / 2);
  }

  /** The weight of the parsed blocks and states in memory, without those that an in-memory chain keeps for good. */
  get cellBytes(): number {
    return this.#parsed.counters().bytes + this.#states.bytes;
  }

  /** The masterchain's zero state. */
  get zero(): ZeroState {
    const zeroState = this.zeroStates.find(({ id }) => id.workchain === masterchain);
    if (zeroState === undefined) throw new LocalnetError("localnet/missing", "no zero state of the masterchain");
    return zeroState;
  }

  /** The newest masterchain block; none while there is only the zero state. */
  get head(): LedgerBlock | undefined {
    return this.#head;
  }

  get headId(): BlockIdExt {
    return this.#head?.id ?? this.zero.id;
  }

  /** Seqnos of all key blocks, in order; the zero state is not among them. */
  get keySeqnos(): readonly number[] {
    return this.#keySeqnos;
  }

  /** Resolves as soon as the head reaches this seqno; rejects with the signal's reason. */
  async reach(seqno: number, signal?: AbortSignal): Promise<void> {
    if (this.headId.seqno >= seqno) return;
    await new Promise<void>((resolve, reject) => {
      const waiting: Waiting = {
        seqno,
        resolve: () => {
          stopListening();
          resolve();
        },
      };
      this.#waiting.add(waiting);
      const stopListening = onAbort(signal, (reason) => {
        this.#waiting.delete(waiting);
        reject(reason);
      });
    });
  }

  /** Adds a block. Its hashes, its parents and the state after it are checked. */
  add(bytes: Uint8Array): LedgerBlock {
    return this.take(this.check(bytes));
  }

  /** Checks a possible next block, without changing anything. */
  check(bytes: Uint8Array): CheckedBlock {
    const root = readRoot(bytes);
    const block = loadCell(Block, root);
    const info = block.info.load();
    const id = {
      ...info.shard,
      seqno: info.seqno,
      rootHash: root.hash(),
      fileHash: hashFromBytes(createHash("sha256").update(bytes).digest()),
    };
    return { id, info, bytes, root, state: applyMerkleUpdate(this.#stateBefore(info), block.stateUpdate) };
  }

  /**
   * Checks a block that this process has just made from the states of this ledger. Its hashes come from the code that
   * `check` would run again, so only their agreement is checked: the block must lead from the states before it to the
   * one after it.
   */
  checkOwn({ id, bytes, root, state }: OwnBlock): CheckedBlock {
    const block = loadCell(Block, root);
    const info = block.info.load();
    const { from, to } = openMerkleUpdate(block.stateUpdate);
    const isSame = from.hash(0) === this.#stateBefore(info).hash(0) && to.hash(0) === state.hash(0);
    if (!isSame)
      throw new LocalnetError("localnet/block", `the state update of ${formatBlockId(id)} does not match its states`);
    return { id, info, bytes, root, state };
  }

  /** Adds a checked block. If its bytes have a place where they can be read again, they do not stay in memory. */
  take({ id, info, bytes, root, state }: CheckedBlock, place?: StoredPosition): LedgerBlock {
    this.keepState(id, state, bytes.length * parsedFactor);
    this.#made.set(id.rootHash, root);
    const [oldest] = this.#made.keys();
    if (oldest !== undefined && this.#made.size > maxMade) this.#made.delete(oldest);
    return this.#enter(id, info, root, place ?? bytes);
  }

  /** Adds a block that an earlier run has checked; its state is made on demand. */
  restore(id: BlockIdExt, position: StoredPosition): LedgerBlock {
    const root = readRoot(readPosition(position));
    return this.#enter(id, loadCell(Block, root).info.load(), root, position);
  }

  /**
   * Replaces the known state after a block; one that a block led to shares all but `bytes` with the state before it.
   */
  keepState(id: BlockIdExt, state: Cell, bytes = weighCells(state)): void {
    if (this.#store === undefined && id.seqno % anchorEvery === 0) this.#states.setAnchor(id.rootHash, state);
    else this.#states.set(id.rootHash, state, bytes);
  }

  #enter(id: BlockIdExt, info: BlockInfo, root: Cell, content: Uint8Array | StoredPosition): LedgerBlock {
    const entry = this.#blocks.add(id, info, content);
    if (id.workchain === masterchain) this.#commit(entry, loadCell(Block, root));
    return entry;
  }

  findBlock(id: BlockIdExt): LedgerBlock | undefined {
    const block = this.#blocks.find(id.rootHash);
    return block !== undefined && sameBlock(block.id, id) ? block : undefined;
  }

  getBlock(id: BlockIdExt): LedgerBlock {
    const block = this.findBlock(id);
    if (block === undefined) throw new LocalnetError("localnet/missing", `no block ${formatBlockId(id)}`);
    return block;
  }

  /** The block of a seqno whose shard covers the given one or is inside it. */
  findBySeqno(at: BlockId): LedgerBlock | undefined {
    return this.#blocks.findBySeqno(at);
  }

  getMaster(seqno: number): LedgerBlock {
    const ledgerBlock = this.findBySeqno({ workchain: masterchain, shard: wholeShard, seqno });
    if (ledgerBlock === undefined) throw new LocalnetError("localnet/missing", `no masterchain block ${seqno}`);
    return ledgerBlock;
  }

  /** The id of a masterchain block, also of one before a fork that is known. */
  masterId(seqno: number): BlockIdExt {
    if (seqno === 0) return this.zero.id;
    return this.base?.older.find((id) => id.seqno === seqno) ?? this.getMaster(seqno).id;
  }

  /** Whether a block is one of another chain that this one continues. */
  isBase({ rootHash }: BlockIdExt): boolean {
    return (
      this.base !== undefined && [this.base.master, ...this.base.shards].some(({ id }) => id.rootHash === rootHash)
    );
  }

  /** The first block of a shard whose times are reached; those of all later ones must be. */
  findFirst(workchain: number, shard: ShardId, reached: (times: BlockTimes) => boolean): LedgerBlock | undefined {
    let low = this.#blocks.lowestSeqno(workchain);
    let high = this.#blocks.highestSeqno(workchain) + 1;
    let first: LedgerBlock | undefined;
    while (low < high) {
      const middle = (low + high) >> 1;
      // Before a merge one of the two shards may end earlier than the other: there are seqnos without a block.
      let at = middle;
      let block = this.findBySeqno({ workchain, shard, seqno: at });
      while (block === undefined && ++at < high) block = this.findBySeqno({ workchain, shard, seqno: at });
      if (block !== undefined && !reached(block.times)) {
        low = at + 1;
      } else {
        first = block ?? first;
        high = middle;
      }
    }
    return first;
  }

  root(block: LedgerBlock): Cell {
    const known = this.#findRoot(block);
    if (known !== undefined) return known;
    const { bytes } = block;
    return this.#keepParsed(block, readRoot(bytes), bytes.length);
  }

  /** The same in steps: a block is read for a tenth of a second if it is full. */
  rootInTurns(block: LedgerBlock, next: () => Promise<void> | undefined): Promise<Cell> {
    return runInTurns(this.#rootInSteps(block), next);
  }

  *#rootInSteps(block: LedgerBlock): Steps<Cell> {
    const known = this.#findRoot(block);
    if (known !== undefined) return known;
    const { bytes } = block;
    return this.#keepParsed(block, yield* readRootInSteps(bytes), bytes.length);
  }

  #findRoot({ id }: LedgerBlock): Cell | undefined {
    return this.#made.get(id.rootHash) ?? this.#parsed.find(id.rootHash)?.root;
  }

  #keepParsed(block: LedgerBlock, root: Cell, byteLength: number): Cell {
    this.#parsed.set(block.id.rootHash, { root, byteLength });
    if (block instanceof LedgerEntry) block.learn(root);
    return root;
  }

  block(block: LedgerBlock): Block {
    return loadCell(Block, this.root(block));
  }

  /** The state after a block, rebuilt from the nearest kept one if necessary. */
  state(id: BlockIdExt): Cell {
    return this.#findState(id) ?? runAtOnce(rebuildState(id, this.#source));
  }

  /** The same in turns: hundreds of blocks may have to be applied again. */
  async stateInTurns(id: BlockIdExt, next: () => Promise<void> | undefined): Promise<Cell> {
    return this.#findState(id) ?? runInTurns(rebuildState(id, this.#source), next);
  }

  #stateBefore(info: BlockInfo): Cell {
    return runAtOnce(stateBefore(info, this.#source));
  }

  #keepRebuilt({ id, bytes }: LedgerBlock, state: Cell): void {
    // The next block begins at these: they must not leave memory for the sake of old ones.
    for (const { rootHash } of this.#newest) this.#states.find(rootHash);
    this.keepState(id, state, bytes.length * parsedFactor);
  }

  #findState(id: BlockIdExt): Cell | undefined {
    const known = this.#states.find(id.rootHash);
    if (known !== undefined) return known;
    const stored = this.#store?.findState(id);
    if (stored !== undefined) this.keepState(id, stored);
    return stored;
  }

  /** Marks the shard blocks that a masterchain block commits for the first time. */
  #commit(entry: LedgerBlock, block: Block): void {
    this.#blocks.commit(entry, entry.id.seqno);
    const custom = block.extra.load().custom;
    if (custom === undefined) throw new LocalnetError("localnet/block", "a masterchain block without McBlockExtra");
    const tops = listShardTops(custom.load().shardHashes).map(shardTopId);
    const blockIdExts = [...tops];
    for (let id = blockIdExts.pop(); id !== undefined; id = blockIdExts.pop()) {
      const shard = this.findBlock(id);
      if (shard === undefined || shard.masterSeqno !== 0) continue;
      this.#blocks.commit(shard, entry.id.seqno);
      blockIdExts.push(...prevBlockIds(shard.info));
    }
    if (entry.info.keyBlock) this.#keySeqnos.push(entry.id.seqno);
    this.#head = entry;
    this.#newest = [entry.id, ...tops];
    for (const waiting of [...this.#waiting]) {
      if (waiting.seqno > entry.id.seqno) continue;
      this.#waiting.delete(waiting);
      waiting.resolve();
    }
  }
}

function zeroOf({ zeroState, master }: ForkBase): ZeroState {
  return { id: zeroState, bytes: new Uint8Array(), root: master.state };
}
