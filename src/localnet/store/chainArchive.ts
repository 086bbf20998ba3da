import { closeSync, existsSync, mkdirSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { concatBytes } from "../../lib/bytes.ts";
import { LocalnetError } from "../errors.ts";
import { chainFiles } from "./chainFiles.ts";
import { type ChainHeader, decodeHeader } from "./chainHeader.ts";
import { writeWhole } from "./writeWhole.ts";

// magic, length of the header, the header file, the block file
const magic = new TextEncoder().encode("tongate-chain-archive/1\n");
const lengthBytes = 4;

/**
 * Writes a chain to one file. The chain may grow in the meantime: only its first `length` bytes of blocks are written.
 */
export function archiveChain(folder: string, length: number, path: string): void {
  const header = readFileSync(join(folder, chainFiles.header));
  const headerLength = Buffer.alloc(lengthBytes);
  headerLength.writeUInt32LE(header.length, 0);
  writeWhole(path, concatBytes([magic, headerLength, header, readStart(join(folder, chainFiles.blocks), length)]));
}

function readStart(path: string, length: number): Uint8Array {
  const bytes = Buffer.alloc(length);
  const file = openSync(path, "r");
  for (let done = 0; done < length; ) {
    const count = readSync(file, bytes, done, length - done, done);
    if (count === 0) break;
    done += count;
  }
  closeSync(file);
  return bytes;
}

/** Makes the folder of a chain from its archive and returns its header; a folder with a chain is refused. */
export function restoreChain(path: string, folder: string): ChainHeader {
  const bytes = readFileSync(path);
  const headerAt = magic.length + lengthBytes;
  if (bytes.length < headerAt || !bytes.subarray(0, magic.length).equals(magic))
    throw new LocalnetError("localnet/data", `${path} is not an archive of a chain`);
  const blocksAt = headerAt + bytes.readUInt32LE(magic.length);
  const header = bytes.subarray(headerAt, blocksAt);
  const decoded = decodeHeader(header, path);
  if (existsSync(join(folder, chainFiles.header)) || existsSync(join(folder, chainFiles.blocks)))
    throw new LocalnetError("localnet/data", `${folder} has a chain already`);
  mkdirSync(folder, { recursive: true });
  writeWhole(join(folder, chainFiles.blocks), bytes.subarray(blocksAt));
  writeWhole(join(folder, chainFiles.header), header);
  return decoded;
}
