import { createHash } from "node:crypto";
import { dirname } from "node:path";
import type { FileSystem, OpenFile } from "../../lib/files/FileSystem.ts";
import { readWhole, writeAll } from "../../lib/files/writeWhole.ts";
import { decodeForkRecord, encodeForkRecord, type ForkRecord } from "./forkRecords.ts";

/** Before every record: its length, and the first bytes of its checksum. */
const headBytes = 12;

/** The file of what a fork has fetched. What no record proves complete at its end was not used by any block. */
export class ForkFile {
  readonly #file: OpenFile;
  #length: number;

  private constructor(file: OpenFile, length: number) {
    this.#file = file;
    this.#length = length;
  }

  static create(path: string, files: FileSystem): ForkFile {
    const file = files.open(path, "w");
    files.syncFolder(dirname(path));
    return new ForkFile(file, 0);
  }

  static open(path: string, files: FileSystem): { readonly file: ForkFile; readonly records: readonly ForkRecord[] } {
    const bytes = readWhole(path, files);
    const records: ForkRecord[] = [];
    let at = 0;
    for (let next = readRecord(bytes, at); next !== undefined; next = readRecord(bytes, at)) {
      records.push(decodeForkRecord(next));
      at += headBytes + next.length;
    }
    const file = files.open(path, "r+");
    if (at < bytes.length) file.truncate(at);
    return { file: new ForkFile(file, at), records };
  }

  /** Resolves when the record is durable: blocks that need it come after it. */
  async append(record: ForkRecord): Promise<void> {
    const content = encodeForkRecord(record);
    const head = Buffer.alloc(headBytes);
    head.writeUInt32LE(content.length);
    checksumOf(content).copy(head, 4);
    const position = this.#length;
    this.#length += headBytes + content.length;
    writeAll(this.#file, Buffer.concat([head, content]), position);
    await this.#file.syncLater();
  }

  close(): void {
    this.#file.close();
  }
}

function checksumOf(content: Uint8Array): Buffer {
  return createHash("sha256")
    .update(content)
    .digest()
    .subarray(0, headBytes - 4);
}

function readRecord(bytes: Buffer, at: number): Uint8Array | undefined {
  if (at + headBytes > bytes.length) return undefined;
  const content = bytes.subarray(at + headBytes, at + headBytes + bytes.readUInt32LE(at));
  const isWhole = checksumOf(content).equals(bytes.subarray(at + 4, at + headBytes));
  return isWhole && content.length > 0 ? content : undefined;
}
