import type { BlockIdExt } from "../../model/block/BlockId.ts";
import type { Hash } from "../../model/Hash.ts";
import { HashSlots } from "./HashSlots.ts";

// position:double hash_start:uint32 master_seqno:uint32 next:uint32 gen_utime:uint32 end_lt:uint64
const offsets = { hashStart: 8, masterSeqno: 12, next: 16, genUtime: 20, endLt: 24 };
const rowBytes = 32;
const pageRows = 1_024;

/** When a block was made, and where it ends: what blocks are searched by. */
export interface BlockTimes {
  readonly genUtime: number;
  readonly endLt: bigint;
}

/** The blocks of a workchain by seqno, from the lowest one on. */
interface SeqnoRange {
  readonly from: number;
  readonly highest: number;
  readonly firsts: Uint32Array;
}

/**
 * What memory has of every block for good: where the rest of it is, and how to find that by hash, seqno and time. A
 * chain has millions of blocks. A block is known by its number in the order of arrival.
 */
export class BlockTable {
  readonly #pages: Buffer[] = [];
  readonly #byRootHash = new HashSlots((number) => this.#hashStart(number));
  /** By workchain, then seqno: the number of the first block there plus one, or zero. The row has the next one. */
  readonly #bySeqno = new Map<number, SeqnoRange>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** The memory of the table. */
  get bytes(): number {
    let bytes = this.#pages.length * pageRows * rowBytes + this.#byRootHash.bytes;
    for (const { firsts } of this.#bySeqno.values()) bytes += firsts.byteLength;
    return bytes;
  }

  /** Adds a block; the meaning of its position is the owner's. */
  add(id: Pick<BlockIdExt, "workchain" | "seqno" | "rootHash">, times: BlockTimes, position: number): number {
    const number = this.#count;
    if (number % pageRows === 0) this.#pages.push(Buffer.alloc(pageRows * rowBytes));
    this.#count++;
    const page = this.#pageOf(number);
    const at = rowAt(number);
    page.writeDoubleLE(position, at);
    page.writeUInt32LE(startOf(id.rootHash), at + offsets.hashStart);
    page.writeUInt32LE(times.genUtime, at + offsets.genUtime);
    page.writeBigUInt64LE(times.endLt, at + offsets.endLt);
    this.#byRootHash.add(number);
    this.#link(id, number);
    return number;
  }

  position(number: number): number {
    return this.#pageOf(number).readDoubleLE(rowAt(number));
  }

  times(number: number): BlockTimes {
    const [page, at] = [this.#pageOf(number), rowAt(number)];
    return { genUtime: page.readUInt32LE(at + offsets.genUtime), endLt: page.readBigUInt64LE(at + offsets.endLt) };
  }

  /** The block with this hash: the first whose hash begins alike and for which `isWanted` holds. */
  find(rootHash: Hash, isWanted: (number: number) => boolean): number | undefined {
    const start = startOf(rootHash);
    return this.#byRootHash.find(start, (number) => this.#hashStart(number) === start && isWanted(number));
  }

  /** The blocks of a seqno, in the order of arrival: one, or one per shard. */
  *at(workchain: number, seqno: number): Generator<number> {
    const range = this.#bySeqno.get(workchain);
    const first = range?.firsts[seqno - range.from] ?? 0;
    for (let next = first; next > 0; next = this.#next(next - 1)) yield next - 1;
  }

  /** The lowest seqno of a chain that continues another one; otherwise 1. */
  lowestSeqno(workchain: number): number {
    return Math.max(this.#bySeqno.get(workchain)?.from ?? 1, 1);
  }

  highestSeqno(workchain: number): number {
    return this.#bySeqno.get(workchain)?.highest ?? 0;
  }

  /** The first masterchain block that commits this one; 0 while none does. */
  masterSeqno(number: number): number {
    return this.#pageOf(number).readUInt32LE(rowAt(number) + offsets.masterSeqno);
  }

  setMasterSeqno(number: number, seqno: number): void {
    this.#pageOf(number).writeUInt32LE(seqno, rowAt(number) + offsets.masterSeqno);
  }

  #link({ workchain, seqno }: Pick<BlockIdExt, "workchain" | "seqno">, number: number): void {
    const known = this.#bySeqno.get(workchain);
    const from = Math.min(seqno, known?.from ?? (seqno > 1 ? seqno : 0));
    const highest = Math.max(seqno, known?.highest ?? 0);
    const length = highest - from + 1;
    let firsts = known?.firsts ?? new Uint32Array(pageRows);
    if (length > firsts.length || from !== (known?.from ?? from)) {
      const longer = new Uint32Array(Math.max(length, firsts.length * 2));
      longer.set(firsts.subarray(0, longer.length - ((known?.from ?? from) - from)), (known?.from ?? from) - from);
      firsts = longer;
    }
    this.#bySeqno.set(workchain, { from, highest, firsts });
    const last = [...this.at(workchain, seqno)].at(-1);
    if (last === undefined) firsts[seqno - from] = number + 1;
    else this.#pageOf(last).writeUInt32LE(number + 1, rowAt(last) + offsets.next);
  }

  #next(number: number): number {
    return this.#pageOf(number).readUInt32LE(rowAt(number) + offsets.next);
  }

  #hashStart(number: number): number {
    return this.#pageOf(number).readUInt32LE(rowAt(number) + offsets.hashStart);
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

function startOf(hash: Hash): number {
  return Number.parseInt(hash.slice(0, 8), 16);
}
