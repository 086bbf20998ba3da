import { concatBytes } from "../../lib/bytes.ts";
import { crc32c } from "../../lib/crc.ts";
import { type BlockIdExt, basechain, masterchain } from "../../model/block/BlockId.ts";
import { hashFromBytes, hashToBytes } from "../../model/Hash.ts";

// A record is a round: length:uint32 crc:uint32, then of each block
// workchain:int32 shard:uint64 seqno:uint32 root_hash:bits256 file_hash:bits256 length:uint32 and its bytes.
export const recordHeadBytes = 8;
export const blockHeadBytes = 84;

/** A block within a record; `at` counts from the record's beginning. */
export interface RecordedBlock {
  readonly id: BlockIdExt;
  readonly at: number;
  readonly length: number;
}

export interface BlockToRecord {
  readonly id: BlockIdExt;
  readonly bytes: Uint8Array;
}

export function encodeRecord(blocks: readonly BlockToRecord[]): {
  readonly bytes: Uint8Array;
  readonly blocks: readonly RecordedBlock[];
} {
  const content = concatBytes(blocks.flatMap((block) => [encodeHead(block), block.bytes]));
  const head = Buffer.alloc(recordHeadBytes);
  head.writeUInt32LE(content.length, 0);
  head.writeUInt32LE(crc32c(content), 4);
  return { bytes: concatBytes([head, content]), blocks: listBlocks(content) };
}

function encodeHead({ id, bytes }: BlockToRecord): Uint8Array {
  const head = Buffer.alloc(blockHeadBytes);
  head.writeInt32LE(id.workchain, 0);
  head.writeBigUInt64LE(id.shard, 4);
  head.writeUInt32LE(id.seqno, 12);
  head.set(hashToBytes(id.rootHash), 16);
  head.set(hashToBytes(id.fileHash), 48);
  head.writeUInt32LE(bytes.length, 80);
  return head;
}

/** The head of a block. */
export function decodeHead(head: Buffer): Pick<RecordedBlock, "id" | "length"> {
  const id = {
    workchain: head.readInt32LE(0),
    shard: head.readBigUInt64LE(4),
    seqno: head.readUInt32LE(12),
    rootHash: hashFromBytes(head.subarray(16, 48)),
    fileHash: hashFromBytes(head.subarray(48, 80)),
  };
  return { id, length: head.readUInt32LE(80) };
}

export function contentLength(head: Buffer): number {
  return head.readUInt32LE(0);
}

/** Whether these can be the first bytes of a whole record, given the number of bytes left in the file. */
export function looksLikeRecord(bytes: Buffer, left: number): boolean {
  if (bytes.length < recordHeadBytes + blockHeadBytes) return false;
  const length = contentLength(bytes);
  if (length <= blockHeadBytes || recordHeadBytes + length > left) return false;
  const workchain = bytes.readInt32LE(recordHeadBytes);
  const blockLength = bytes.readUInt32LE(recordHeadBytes + blockHeadBytes - 4);
  return (workchain === masterchain || workchain === basechain) && blockHeadBytes + blockLength <= length;
}

/** The blocks of a record, or `undefined` when its content is damaged. */
export function findBlocks(head: Buffer, content: Uint8Array): readonly RecordedBlock[] | undefined {
  return crc32c(content) === head.readUInt32LE(4) ? listBlocks(content) : undefined;
}

/** The record at a position of a file of this size; `undefined` when it is incomplete or damaged. */
export function readRecord(
  read: (position: number, length: number) => Buffer,
  at: number,
  size: number,
): { readonly blocks: readonly RecordedBlock[]; readonly end: number } | undefined {
  if (at + recordHeadBytes > size) return undefined;
  const head = read(at, recordHeadBytes);
  const length = contentLength(head);
  if (length === 0 || at + recordHeadBytes + length > size) return undefined;
  const blocks = findBlocks(head, read(at + recordHeadBytes, length));
  return blocks && { blocks, end: at + recordHeadBytes + length };
}

function listBlocks(content: Uint8Array): readonly RecordedBlock[] {
  const view = Buffer.from(content.buffer, content.byteOffset, content.length);
  const blocks: RecordedBlock[] = [];
  for (let at = 0; at < view.length; ) {
    const { id, length } = decodeHead(view.subarray(at, at + blockHeadBytes));
    blocks.push({ id, at: recordHeadBytes + at + blockHeadBytes, length });
    at += blockHeadBytes + length;
  }
  return blocks;
}
