import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { concatBytes } from "../../lib/bytes.ts";
import { copyPart, readPieces } from "../../lib/files/copyPart.ts";
import type { FileSystem, OpenFile } from "../../lib/files/FileSystem.ts";
import { readPart, readWhole, unfinishedEnd, writeAll } from "../../lib/files/writeWhole.ts";
import { nextTurn } from "../../lib/TurnBudget.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import { LocalnetError } from "../errors.ts";
import { readRecord } from "./blockRecord.ts";
import { chainFiles } from "./chainFiles.ts";
import { type ChainHeader, decodeHeader } from "./chainHeader.ts";

// Format 2: magic, length of the header:uint32, length of the blocks:uint64, the header file, the block file, and the
// SHA-256 of all that. Format 1 has neither the length of the blocks nor the hash.
const magic = Buffer.from("tongate-chain-archive/2\n");
const formerMagic = Buffer.from("tongate-chain-archive/1\n");
const hashBytes = 32;

/**
 * Writes a chain to one file, which is durable then. The chain may grow in the meantime: only its first `length` bytes
 * of blocks are written.
 */
export async function archiveChain(folder: string, length: number, path: string, files: FileSystem): Promise<void> {
  const header = readWhole(join(folder, chainFiles.header), files);
  const lengths = Buffer.alloc(12);
  lengths.writeUInt32LE(header.length, 0);
  lengths.writeBigUInt64LE(BigInt(length), 4);
  const beginning = concatBytes([magic, lengths, header]);
  const temporary = `${path}${unfinishedEnd}`;
  const blocks = files.open(join(folder, chainFiles.blocks), "r");
  try {
    const file = files.open(temporary, "w");
    try {
      const hash = createHash("sha256").update(beginning);
      writeAll(file, beginning, 0);
      const part = { file: blocks, at: 0, length };
      const copied = await copyPart(part, file, beginning.length, (piece) => hash.update(piece));
      if (copied !== length) throw refuse(folder, `its blocks end at byte ${copied}, not at ${length}`);
      writeAll(file, hash.digest(), beginning.length + length);
      await file.syncLater();
    } finally {
      file.close();
    }
    files.rename(temporary, path);
    files.syncFolder(dirname(path));
  } catch (error) {
    if (files.exists(temporary)) files.remove(temporary);
    throw error;
  } finally {
    blocks.close();
  }
}

/** An archive that was read whole. */
export interface CheckedArchive {
  readonly header: ChainHeader;
  readonly headerBytes: Uint8Array;
  readonly blocksAt: number;
  readonly blocksLength: number;
  /** Its newest masterchain block; none in the archive of a chain without blocks. */
  readonly head: BlockIdExt | undefined;
  /** Whether its first block comes after one of another chain. */
  readonly isFork: boolean;
  /** Whether its checksum proves that nothing is missing; archives of earlier versions have none. */
  readonly isProven: boolean;
}

/** Reads a whole archive and refuses a damaged or incomplete one. */
export async function checkArchive(path: string, files: FileSystem): Promise<CheckedArchive> {
  const file = files.open(path, "r");
  try {
    const layout = findLayout(path, file);
    if (layout.isProven) await checkHash(path, file, layout.blocksAt + layout.blocksLength);
    const headerBytes = readPart(file, layout.headerAt, layout.blocksAt - layout.headerAt);
    const { header } = decodeHeader(headerBytes, path);
    return { ...layout, header, headerBytes, ...(await readBlocks(path, file, layout)) };
  } finally {
    file.close();
  }
}

interface Layout {
  readonly isProven: boolean;
  readonly headerAt: number;
  readonly blocksAt: number;
  readonly blocksLength: number;
}

function findLayout(path: string, file: OpenFile): Layout {
  const size = file.size();
  const start = readPart(file, 0, magic.length + 12);
  const isProven = start.subarray(0, magic.length).equals(magic);
  const isFormer = start.subarray(0, magic.length).equals(formerMagic);
  const headerAt = magic.length + (isProven ? 12 : 4);
  if ((!isProven && !isFormer) || start.length < headerAt) throw refuse(path, "it is not an archive of a chain");
  const blocksAt = headerAt + start.readUInt32LE(magic.length);
  const blocksLength = isProven ? Number(start.readBigUInt64LE(magic.length + 4)) : size - blocksAt;
  const expected = blocksAt + blocksLength + (isProven ? hashBytes : 0);
  if (blocksLength < 0 || size !== expected)
    throw refuse(path, `it has ${size} of ${Math.max(expected, blocksAt)} bytes: a part is missing`);
  return { isProven, headerAt, blocksAt, blocksLength };
}

async function checkHash(path: string, file: OpenFile, end: number): Promise<void> {
  const hash = createHash("sha256");
  for await (const piece of readPieces({ file, at: 0, length: end })) hash.update(piece);
  if (!hash.digest().equals(readPart(file, end, hashBytes))) throw refuse(path, "its checksum is wrong: it is damaged");
}

async function readBlocks(
  path: string,
  file: OpenFile,
  { blocksAt, blocksLength }: Layout,
): Promise<Pick<CheckedArchive, "head" | "isFork">> {
  let head: BlockIdExt | undefined;
  let isFork = false;
  for (let at = 0; at < blocksLength; ) {
    const record = readRecord((position, length) => readPart(file, blocksAt + position, length), at, blocksLength);
    if (record === undefined) throw refuse(path, `its blocks are damaged or end at byte ${at} of ${blocksLength}`);
    const last = record.blocks.at(-1)?.id;
    // A fork begins after the block that it continues.
    if (head !== undefined && last?.seqno !== head.seqno + 1)
      throw refuse(path, `block ${last?.seqno} follows ${head.seqno}`);
    if (head === undefined) isFork = last !== undefined && last.seqno > 1;
    head = last;
    at = record.end;
    await nextTurn();
  }
  return { head, isFork };
}

function refuse(path: string, reason: string): LocalnetError {
  return new LocalnetError("localnet/snapshot", `${path} cannot be used: ${reason}; use another snapshot or copy`);
}
