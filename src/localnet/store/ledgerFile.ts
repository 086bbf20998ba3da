import { closeSync, fstatSync, openSync, readSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { Log } from "../../lib/log.ts";
import { LocalnetError } from "../errors.ts";
import type { CheckedBlock } from "../ledger/Ledger.ts";
import type { BlockLog } from "../rounds/RoundMaker.ts";
import { contentLength, encodeRecord, findBlocks, type RecordedBlock, recordHeadBytes } from "./blockRecord.ts";
import { findRecord } from "./findRecord.ts";

/** Reads the bytes of a block again. */
export type ReadAgain = () => Uint8Array;

/** A block in the file. */
export interface StoredBlock {
  readonly id: RecordedBlock["id"];
  readonly readAgain: ReadAgain;
}

/** The blocks of one round. */
export type StoredRound = readonly StoredBlock[];

export interface LedgerFileOptions {
  /** Whether to drop everything from a damaged record on, even if whole records follow it. */
  readonly repair?: boolean;
}

/**
 * Blocks in an append-only file. A round is one record with its length and checksum, and is confirmed when it is on
 * disk. A crash during a write leaves an incomplete record at the end, which was never confirmed. A damaged record with
 * whole records after it was confirmed: continuing without them would fork the chain.
 */
export class LedgerFile implements BlockLog {
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #log: Log;
  readonly #repair: boolean;
  readonly #reader: number;
  #end = 0;
  #isClosed = false;

  static async open(path: string, log: Log, options: LedgerFileOptions = {}): Promise<LedgerFile> {
    // Neither truncated nor appended to: new records are written after the last whole one.
    const handle = await open(path, "a+").then(async (created) => {
      await created.close();
      return open(path, "r+");
    });
    return new LedgerFile(path, handle, log, options);
  }

  private constructor(path: string, handle: FileHandle, log: Log, { repair = false }: LedgerFileOptions) {
    this.#path = path;
    this.#handle = handle;
    this.#log = log;
    this.#repair = repair;
    this.#reader = openSync(path, "r");
  }

  /** The number of valid bytes. */
  get length(): number {
    return this.#end;
  }

  /** All rounds from the beginning. Must be read to the end once, before anything is appended. */
  async *rounds(): AsyncGenerator<StoredRound> {
    const { size } = fstatSync(this.#reader);
    for (let round = this.#next(size); round !== undefined; round = this.#next(size)) yield round;
    if (this.#end === size) return;
    if (!this.#repair) this.#refuseDamage(size);
    await this.#cut(size);
  }

  async append(blocks: readonly CheckedBlock[]): Promise<readonly ReadAgain[]> {
    const at = this.#end;
    const record = encodeRecord(blocks);
    for (let done = 0; done < record.bytes.length; ) {
      const { bytesWritten } = await this.#handle.write(record.bytes, done, record.bytes.length - done, at + done);
      done += bytesWritten;
    }
    await this.#handle.datasync();
    this.#end = at + record.bytes.length;
    return record.blocks.map((block) => this.#reading(at, block));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    closeSync(this.#reader);
    await this.#handle.close();
  }

  #next(size: number): StoredRound | undefined {
    const at = this.#end;
    if (at + recordHeadBytes > size) return undefined;
    const head = this.#read(at, recordHeadBytes);
    const length = contentLength(head);
    if (length === 0 || at + recordHeadBytes + length > size) return undefined;
    const blocks = findBlocks(head, this.#read(at + recordHeadBytes, length));
    if (blocks === undefined) return undefined;
    this.#end = at + recordHeadBytes + length;
    return blocks.map((block) => ({ id: block.id, readAgain: this.#reading(at, block) }));
  }

  #refuseDamage(size: number): void {
    const next = findRecord((position, length) => this.#read(position, length), this.#end + 1, size);
    if (next === undefined) return;
    const place = `${this.#path} is damaged at byte ${this.#end}, and whole blocks follow at byte ${next}`;
    const advice = "restore a copy of the file, or give them up with localnet --repair";
    throw new LocalnetError("localnet/data", `${place}; ${advice}`);
  }

  /**
   * The removed bytes are kept in another file: they should be an incomplete record, but may be the only copy of
   * something.
   */
  async #cut(size: number): Promise<void> {
    const kept = `${this.#path}.torn-${this.#end}`;
    writeFileSync(kept, this.#read(this.#end, size - this.#end));
    await this.#handle.truncate(this.#end);
    await this.#handle.sync();
    const lost = { path: this.#path, at: this.#end, bytes: size - this.#end, kept };
    this.#log.warn("cut a torn record off the end of the chain", lost);
  }

  #reading(recordAt: number, { at, length }: RecordedBlock): ReadAgain {
    const position = recordAt + at;
    return () => this.#read(position, length);
  }

  #read(position: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    for (let done = 0; done < length; ) {
      const count = readSync(this.#reader, bytes, done, length - done, position + done);
      if (count === 0) break;
      done += count;
    }
    return bytes;
  }
}
