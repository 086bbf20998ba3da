import { crc32c } from "../../lib/crc.ts";
import { isCoded } from "../../lib/errors.ts";
import type { FileSystem, OpenFile } from "../../lib/files/FileSystem.ts";
import { readWhole, writeAll } from "../../lib/files/writeWhole.ts";
import type { Log } from "../../lib/log.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import { findHash, type Hash } from "../../model/Hash.ts";

/** A masterchain block that was on disk. */
export interface MarkedHead {
  readonly seqno: number;
  readonly rootHash: Hash;
}

const pattern = /^(\d{10}) ([0-9a-f]{64}) ([0-9a-f]{8})\n/;

/**
 * The newest masterchain block, written in its place after each round is durable. It is not synced, so a loss of power
 * may leave an older one; it is never ahead of the blocks that were on disk. A block log that ends before it has lost
 * blocks that were published.
 */
export class HeadMark {
  readonly #file: OpenFile;
  readonly #log: Log;
  #hasWarned = false;

  constructor(path: string, files: FileSystem, log: Log) {
    this.#file = files.open(path, files.exists(path) ? "r+" : "w");
    this.#log = log;
  }

  /** Failures are logged only: the blocks themselves are durable. */
  write({ seqno, rootHash }: BlockIdExt): void {
    try {
      writeAll(this.#file, encodeMark({ seqno, rootHash }), 0);
    } catch (error) {
      if (!isCoded(error, "lib/storage")) throw error;
      if (!this.#hasWarned) this.#log.warn("the number of the newest block cannot be stored", { error: error.message });
      this.#hasWarned = true;
    }
  }

  close(): void {
    this.#file.close();
  }
}

export function encodeMark({ seqno, rootHash }: MarkedHead): Uint8Array {
  const text = `${String(seqno).padStart(10, "0")} ${rootHash}`;
  return Buffer.from(`${text} ${checksum(text)}\n`);
}

/** The marked block; none where no block was made, or the file is not whole. */
export function findMark(path: string, files: FileSystem): MarkedHead | undefined {
  if (!files.exists(path)) return undefined;
  const [, seqno = "", hash = "", crc] = pattern.exec(readWhole(path, files).toString("latin1")) ?? [];
  const rootHash = findHash(hash);
  if (rootHash === undefined || crc !== checksum(`${seqno} ${hash}`)) return undefined;
  return { seqno: Number(seqno), rootHash };
}

function checksum(text: string): string {
  return crc32c(Buffer.from(text)).toString(16).padStart(8, "0");
}
