import type { BlockIdExt } from "../../model/block/BlockId.ts";
import { type Hash, hashFromBytes } from "../../model/Hash.ts";
import { HashSlots } from "./HashSlots.ts";

/** A row of the table. */
export interface LedgerRow {
  readonly id: BlockIdExt;
  /** Where the bytes of the block are; its meaning is the owner's. */
  readonly position: number;
  readonly length: number;
}

// workchain:int32 shard:uint64 seqno:uint32 root_hash:bits256 file_hash:bits256 position:double length:uint32
// master_seqno:uint32 next:uint32
const rowBytes = 100;
const rootHashAt = 16;
const positionAt = 80;
const lengthAt = 88;
const masterSeqnoAt = 92;
const nextAt = 96;
const pageRows = 1_024;

/**
 * What is kept of every block for good, in flat memory: a chain has millions of blocks, and objects with their texts would
 * take ten times as much. A block is known by its number in the order of arrival.
 */
export class BlockTable {
  readonly #pages: Buffer[] = [];
  readonly #byRootHash = new HashSlots((number) => this.#rootHashStart(number));
  /** By workchain, then seqno: the number of the first block there plus one, or zero. The row has the next one. */
  readonly #bySeqno = new Map<number, Uint32Array>();
  /** By workchain: the highest seqno. */
  readonly #highest = new Map<number, number>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** The memory of the table. */
  get bytes(): number {
    let bytes = this.#pages.length * pageRows * rowBytes + this.#byRootHash.bytes;
    for (const { byteLength } of this.#bySeqno.values()) bytes += byteLength;
    return bytes;
  }

  add({ id, position, length }: LedgerRow): number {
    const number = this.#count;
    if (number % pageRows === 0) this.#pages.push(Buffer.alloc(pageRows * rowBytes));
    this.#count++;
    const page = this.#pageOf(number);
    const at = rowAt(number);
    page.writeInt32LE(id.workchain, at);
    page.writeBigUInt64LE(id.shard, at + 4);
    page.writeUInt32LE(id.seqno, at + 12);
    page.write(id.rootHash, at + rootHashAt, "hex");
    page.write(id.fileHash, at + rootHashAt + 32, "hex");
    page.writeDoubleLE(position, at + positionAt);
    page.writeUInt32LE(length, at + lengthAt);
    this.#byRootHash.add(number);
    this.#link(id, number);
    return number;
  }

  row(number: number): LedgerRow {
    const page = this.#pageOf(number);
    const at = rowAt(number);
    const id = {
      workchain: page.readInt32LE(at),
      shard: page.readBigUInt64LE(at + 4),
      seqno: page.readUInt32LE(at + 12),
      rootHash: hashFromBytes(page.subarray(at + rootHashAt, at + rootHashAt + 32)),
      fileHash: hashFromBytes(page.subarray(at + rootHashAt + 32, at + positionAt)),
    };
    return { id, position: page.readDoubleLE(at + positionAt), length: page.readUInt32LE(at + lengthAt) };
  }

  find(rootHash: Hash): number | undefined {
    const wanted = Buffer.from(rootHash, "hex");
    return this.#byRootHash.find(wanted.readUInt32LE(0), (number) => {
      const at = rowAt(number) + rootHashAt;
      return this.#pageOf(number).compare(wanted, 0, 32, at, at + 32) === 0;
    });
  }

  /** The blocks of a seqno, in the order of arrival: one, or one per shard. */
  *at(workchain: number, seqno: number): Generator<number> {
    for (let next = this.#bySeqno.get(workchain)?.[seqno] ?? 0; next > 0; next = this.#next(next - 1)) yield next - 1;
  }

  highestSeqno(workchain: number): number {
    return this.#highest.get(workchain) ?? 0;
  }

  /** The first masterchain block that commits this one; 0 while none does. */
  masterSeqno(number: number): number {
    return this.#pageOf(number).readUInt32LE(rowAt(number) + masterSeqnoAt);
  }

  setMasterSeqno(number: number, seqno: number): void {
    this.#pageOf(number).writeUInt32LE(seqno, rowAt(number) + masterSeqnoAt);
  }

  #link({ workchain, seqno }: BlockIdExt, number: number): void {
    let firsts = this.#bySeqno.get(workchain) ?? new Uint32Array(pageRows);
    if (seqno >= firsts.length) {
      const longer = new Uint32Array(Math.max(seqno + 1, firsts.length * 2));
      longer.set(firsts);
      firsts = longer;
    }
    this.#bySeqno.set(workchain, firsts);
    this.#highest.set(workchain, Math.max(seqno, this.highestSeqno(workchain)));
    const last = [...this.at(workchain, seqno)].at(-1);
    if (last === undefined) firsts[seqno] = number + 1;
    else this.#pageOf(last).writeUInt32LE(number + 1, rowAt(last) + nextAt);
  }

  #next(number: number): number {
    return this.#pageOf(number).readUInt32LE(rowAt(number) + nextAt);
  }

  #rootHashStart(number: number): number {
    return this.#pageOf(number).readUInt32LE(rowAt(number) + rootHashAt);
  }

  #pageOf(number: number): Buffer {
    const page = this.#pages[Math.floor(number / pageRows)];
    if (page === undefined) throw new RangeError(`no row ${number} in a table of ${this.#count}`);
    return page;
  }
}

function rowAt(number: number): number {
  return (number % pageRows) * rowBytes;
}
