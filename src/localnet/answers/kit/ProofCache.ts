import { readRoot, writeBoc } from "../../../cell/boc.ts";
import type { Cell } from "../../../cell/Cell.ts";
import { loadCell } from "../../../cell/codec.ts";
import type { Hash } from "../../../cell/Hash.ts";
import { weighCells } from "../../../cell/weighCells.ts";
import { Lru } from "../../../lib/lru.ts";
import { Block } from "../../../model/block/Block.ts";
import { type BlockIdExt, masterchain } from "../../../model/block/BlockId.ts";
import type { LedgerBlock } from "../../ledger/Ledger.ts";
import { openAll, openCell, readWhole } from "../../ledger/proof.ts";

/** Memory for proofs, half of it for each kind, unless the owner says otherwise. */
const usualProofBytes = 16 << 20;
/** The overhead of an entry that is bytes. */
const entryBytes = 300;

/** Reads the cells of a block. */
export type BlockReader = (block: LedgerBlock) => Promise<Cell>;

/** Proofs that most answers start with: of a block's state, and of a shard top in a block. */
export class ProofCache {
  readonly #read: BlockReader;
  readonly #headers: Lru<Hash, Cell>;
  readonly #tops: Lru<string, Uint8Array>;

  constructor(read: BlockReader, proofBytes = usualProofBytes) {
    const maxBytes = proofBytes / 2;
    this.#read = read;
    this.#headers = new Lru({ maxBytes, sizeOf: (proof) => weighCells(proof) });
    this.#tops = new Lru({ maxBytes, sizeOf: ({ length }) => length + entryBytes });
  }

  /** The weight of all proofs. */
  get bytes(): number {
    return this.#headers.counters().bytes + this.#tops.counters().bytes;
  }

  /** A block's header with its links backwards, and the two hashes of the state update. */
  async header(block: LedgerBlock): Promise<Cell> {
    const known = this.#headers.find(block.id.rootHash);
    if (known !== undefined) return known;
    const reading = readWhole(await this.#read(block));
    const { info, stateUpdate } = loadCell(Block, reading.root);
    openBlockHeader(info.cell, block);
    openCell(stateUpdate);
    // Written and read again, so that it does not keep the whole block in memory.
    const proof = readRoot(writeBoc(reading.proof()));
    this.#headers.set(block.id.rootHash, proof);
    return proof;
  }

  /** The proof of a shard top at a masterchain block, made on first use. */
  async top(master: LedgerBlock, top: BlockIdExt, make: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const key = `${master.id.rootHash}:${top.workchain}:${top.shard}`;
    const known = this.#tops.find(key);
    if (known !== undefined) return known;
    const proof = await make();
    this.#tops.set(key, proof);
    return proof;
  }

  clear(): void {
    this.#headers.clear();
    this.#tops.clear();
  }
}

/** Opens a block's header and the references to the blocks before it, but not the one to the masterchain. */
export function openBlockHeader(info: Cell, block: LedgerBlock): void {
  openCell(info);
  openAll(info.ref(block.id.workchain === masterchain ? 0 : 1));
}
