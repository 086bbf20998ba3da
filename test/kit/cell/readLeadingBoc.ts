import { readBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";

/** The length of a bag of cells in the generic form, from its header. */
function bocLength(bytes: Buffer): number {
  const flags = bytes.readUInt8(4);
  const refSize = flags & 7;
  const offsetSize = bytes.readUInt8(5);
  const cells = bytes.readUIntBE(6, refSize);
  const roots = bytes.readUIntBE(6 + refSize, refSize);
  const dataSize = bytes.readUIntBE(6 + 3 * refSize, offsetSize);
  const index = (flags & 0x80) === 0 ? 0 : cells * offsetSize;
  const checksum = (flags & 0x40) === 0 ? 0 : 4;
  return 6 + 3 * refSize + offsetSize + roots * refSize + index + dataSize + checksum;
}

/** Reads a bag of cells that may have trailing bytes, which `readBoc` rejects. Other forms are read as a whole. */
export function readLeadingBoc(bytes: Uint8Array): readonly Cell[] {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isGeneric = view.readUInt32BE(0) === 0xb5ee9c72;
  return readBoc(isGeneric ? view.subarray(0, bocLength(view)) : view);
}
