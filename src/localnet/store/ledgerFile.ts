import { dirname } from "node:path";
import type { FileSystem, OpenFile } from "../../lib/files/FileSystem.ts";
import { readPart, writeWhole } from "../../lib/files/writeWhole.ts";
import type { Log } from "../../lib/log.ts";
import { masterchain } from "../../model/block/BlockId.ts";
import { LocalnetError } from "../errors.ts";
import type { CheckedBlock } from "../ledger/Ledger.ts";
import type { PlaceHead, PlaceReader, StoredPosition } from "../ledger/LedgerBlocks.ts";
import type { BlockLog } from "../rounds/RoundMaker.ts";
import { blockHeadBytes, decodeHead, encodeRecord, type RecordedBlock, readRecord } from "./blockRecord.ts";
import { findRecord } from "./findRecord.ts";

/** A block in the file. */
export interface StoredBlock {
  readonly id: RecordedBlock["id"];
  readonly position: StoredPosition;
}

/** The blocks of one round, and the position of its record. */
export interface StoredRound {
  readonly at: number;
  readonly blocks: readonly StoredBlock[];
}

/**
 * Blocks in an append-only file. A round is one record with its length and checksum. It is synced before any client
 * sees its blocks, so a loss of power loses no published block. A crash during a write leaves an incomplete record at
 * the end, which was never published. A damaged record with whole records after it was published: continuing without
 * them would fork the chain.
 */
export class LedgerFile implements BlockLog, PlaceReader {
  readonly #path: string;
  readonly #files: FileSystem;
  readonly #file: OpenFile;
  #end = 0;
  #isClosed = false;

  /** Opens the file, or makes an empty one. */
  static open(path: string, files: FileSystem): LedgerFile {
    if (!files.exists(path)) {
      files.open(path, "w").close();
      // Without this a loss of power could lose the name, and all blocks with it.
      files.syncFolder(dirname(path));
    }
    return new LedgerFile(path, files, "r+");
  }

  /** Opens a file that is only read. */
  static openToRead(path: string, files: FileSystem): LedgerFile {
    return new LedgerFile(path, files, "r");
  }

  private constructor(path: string, files: FileSystem, flags: "r" | "r+") {
    this.#path = path;
    this.#files = files;
    // Neither truncated nor appended to: new records are written after the last whole one.
    this.#file = files.open(path, flags);
  }

  get path(): string {
    return this.#path;
  }

  /** The number of valid bytes. */
  get length(): number {
    return this.#end;
  }

  /** All rounds from the beginning. Must be read to the end once, before anything is appended. */
  *rounds(): Generator<StoredRound> {
    const size = this.#file.size();
    for (let round = this.#next(size); round !== undefined; round = this.#next(size)) yield round;
  }

  /** Ends the file before a round that does not belong to its chain. */
  endBefore({ at }: StoredRound): void {
    this.#end = at;
  }

  /** Whether whole records follow a damaged one, as the beginning of a sentence. */
  findDamage(): string | undefined {
    const size = this.#file.size();
    if (this.#end === size) return undefined;
    const next = findRecord((position, length) => this.read(position, length), this.#end + 1, size);
    if (next === undefined) return undefined;
    return `${this.#path} is damaged at byte ${this.#end}, and whole blocks follow at byte ${next}`;
  }

  /**
   * Removes all bytes after the last round that was read. They are kept in another file: they should be an incomplete
   * record, but may be the only copy of something.
   */
  cutRest(log: Log): void {
    const size = this.#file.size();
    if (this.#end === size) return;
    const kept = `${this.#path}.torn-${this.#end}`;
    writeWhole(kept, this.read(this.#end, size - this.#end), this.#files);
    this.#file.truncate(this.#end);
    this.#file.sync();
    const lost = { path: this.#path, at: this.#end, bytes: size - this.#end, kept };
    log.warn("removed an incomplete record at the end of the chain", lost);
  }

  /** After a failure nothing is added: the next record is written in the same place. */
  async append(blocks: readonly CheckedBlock[]): Promise<readonly StoredPosition[]> {
    const at = this.#end;
    const { bytes, blocks: recorded } = encodeRecord(blocks);
    for (let done = 0; done < bytes.length; )
      done += await this.#file.writeLater(bytes, done, bytes.length - done, at + done);
    await this.#file.syncLater();
    this.#end = at + bytes.length;
    return recorded.map((block) => this.#placeOf(at, block));
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#file.close();
  }

  #next(size: number): StoredRound | undefined {
    const at = this.#end;
    const record = readRecord((position, length) => this.read(position, length), at, size);
    if (record === undefined) return undefined;
    if (record.blocks.at(-1)?.id.workchain !== masterchain)
      throw new LocalnetError("localnet/data", `${this.#path} has a round without a masterchain block at byte ${at}`);
    this.#end = record.end;
    return { at, blocks: record.blocks.map((block) => ({ id: block.id, position: this.#placeOf(at, block) })) };
  }

  #placeOf(recordAt: number, { at, length }: RecordedBlock): StoredPosition {
    return { source: this, position: recordAt + at, length };
  }

  head(position: number): PlaceHead {
    return decodeHead(this.read(position - blockHeadBytes, blockHeadBytes));
  }

  read(position: number, length: number): Buffer {
    return readPart(this.#file, position, length);
  }
}
