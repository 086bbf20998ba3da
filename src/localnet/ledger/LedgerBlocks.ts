import { Lru } from "../../lib/lru.ts";
import { type BlockId, type BlockIdExt, shardsIntersect } from "../../model/block/BlockId.ts";
import type { BlockInfo } from "../../model/block/BlockInfo.ts";
import type { Hash } from "../../model/Hash.ts";
import { LocalnetError } from "../errors.ts";
import { BlockTable } from "./BlockTable.ts";
import { LedgerEntry } from "./LedgerEntry.ts";

/** What the place of a block says of it. */
export interface PlaceHead {
  readonly id: BlockIdExt;
  readonly length: number;
}

/** Reads parts of a file of blocks. */
export interface PlaceReader {
  read(position: number, length: number): Uint8Array;
  /** Describes the block at a position. */
  head(position: number): PlaceHead;
}

/** Where the bytes of a block can be read again. */
export interface StoredPosition {
  readonly source: PlaceReader;
  readonly position: number;
  readonly length: number;
}

export function readPosition({ source, position, length }: StoredPosition): Uint8Array {
  return source.read(position, length);
}

/** Memory for the blocks used last, and the measured memory of one with its header and without its bytes. */
const entriesBytes = 2 << 20;
const entryBytes = 2_000;

/** The blocks of a ledger without their cells: a row in flat memory for each, and objects for those in use. */
export class LedgerBlocks {
  readonly #table = new BlockTable();
  readonly #entries = new Lru<number, LedgerEntry>({ maxBytes: entriesBytes, sizeOf: () => entryBytes });
  /** Blocks that cannot be read again; their position is their index in this list, negated, less one. */
  readonly #kept: (PlaceHead & { readonly bytes: Uint8Array })[] = [];
  #source: PlaceReader | undefined;

  /** The weight of the rows and of the objects in use, without the bytes of blocks. */
  get bytes(): number {
    return this.#table.bytes + this.#entries.counters().bytes;
  }

  /** Adds a block with its bytes or the place of them; all places of a ledger are in one source. */
  add(id: BlockIdExt, info: BlockInfo, content: Uint8Array | StoredPosition): LedgerEntry {
    const { length } = content;
    let position: number;
    if (content instanceof Uint8Array) {
      position = -this.#kept.push({ id, length, bytes: content });
    } else {
      this.#source = content.source;
      position = content.position;
    }
    return this.#open(this.#table.add(id, info, position), { id, length }, info);
  }

  find(rootHash: Hash): LedgerEntry | undefined {
    const number = this.#find(rootHash);
    return number === undefined ? undefined : this.#get(number);
  }

  /** The block of a seqno whose shard covers the given one or is inside it. */
  findBySeqno({ workchain, shard, seqno }: BlockId): LedgerEntry | undefined {
    for (const number of this.#table.at(workchain, seqno)) {
      const block = this.#get(number);
      if (shardsIntersect(block.id.shard, shard)) return block;
    }
    return undefined;
  }

  lowestSeqno(workchain: number): number {
    return this.#table.lowestSeqno(workchain);
  }

  highestSeqno(workchain: number): number {
    return this.#table.highestSeqno(workchain);
  }

  /** Notes the first masterchain block that commits a block. */
  commit({ id }: Pick<LedgerEntry, "id">, masterSeqno: number): void {
    const number = this.#find(id.rootHash);
    if (number !== undefined) this.#table.setMasterSeqno(number, masterSeqno);
  }

  #find(rootHash: Hash): number | undefined {
    return this.#table.find(rootHash, (number) => this.#get(number).id.rootHash === rootHash);
  }

  #get(number: number): LedgerEntry {
    return this.#entries.find(number) ?? this.#open(number, this.#head(this.#table.position(number)));
  }

  #open(number: number, { id, length }: PlaceHead, info?: BlockInfo): LedgerEntry {
    const bytes = () => this.#read(this.#table.position(number), length);
    const masterSeqno = () => this.#table.masterSeqno(number);
    const entry = new LedgerEntry(id, { bytes, masterSeqno, times: () => this.#table.times(number) }, info);
    this.#entries.set(number, entry);
    return entry;
  }

  #head(position: number): PlaceHead {
    return this.#held(position, position < 0 ? this.#kept[-position - 1] : this.#source?.head(position));
  }

  #read(position: number, length: number): Uint8Array {
    const bytes = position < 0 ? this.#kept[-position - 1]?.bytes : this.#source?.read(position, length);
    return this.#held(position, bytes);
  }

  #held<T>(position: number, found: T | undefined): T {
    if (found === undefined) throw new LocalnetError("localnet/missing", `no block at position ${position}`);
    return found;
  }
}
