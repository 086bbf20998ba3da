import { readRoot, writeBoc } from "../../../cell/boc.ts";
import type { Cell } from "../../../cell/Cell.ts";
import { loadCell } from "../../../cell/codec.ts";
import type { Hash } from "../../../cell/Hash.ts";
import { Lru } from "../../../lib/lru.ts";
import { Block } from "../../../model/block/Block.ts";
import type { BlockIdExt } from "../../../model/block/BlockId.ts";
import type { Ledger, LedgerBlock } from "../../ledger/Ledger.ts";
import { openAll, openCell, readWhole } from "../../ledger/proof.ts";

const headerCount = 4096;
const topBytes = 16 << 20;

/** Proofs that most answers start with: of a block's state, and of a shard top in a block. */
export class ProofCache {
  readonly #ledger: Ledger;
  readonly #headers = new Lru<Hash, Cell>({ maxBytes: headerCount, sizeOf: () => 1 });
  readonly #tops = new Lru<string, Uint8Array>({ maxBytes: topBytes, sizeOf: (bytes) => bytes.length });

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** A block's header with its links backwards, and the two hashes of the state update. */
  header(block: LedgerBlock): Cell {
    const known = this.#headers.find(block.id.rootHash);
    if (known !== undefined) return known;
    const reading = readWhole(this.#ledger.root(block));
    const { info, stateUpdate } = loadCell(Block, reading.root);
    openBlockHeader(info.cell, block);
    openCell(stateUpdate);
    // Written and read again, so that it does not keep the whole block in memory.
    const proof = readRoot(writeBoc(reading.proof()));
    this.#headers.set(block.id.rootHash, proof);
    return proof;
  }

  /** The proof of a shard top at a masterchain block, made on first use. */
  top(master: LedgerBlock, top: BlockIdExt, make: () => Uint8Array): Uint8Array {
    const key = `${master.id.rootHash}:${top.workchain}:${top.shard}`;
    const known = this.#tops.find(key);
    if (known !== undefined) return known;
    const proof = make();
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
  openAll(info.ref(block.info.notMaster ? 1 : 0));
}
