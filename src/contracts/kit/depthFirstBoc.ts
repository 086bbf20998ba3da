import type { Cell } from "../../cell/Cell.ts";
import { crc32c } from "../../lib/crc.ts";

/** The same bag with a checksum. */
export function writeDepthFirst(root: Cell): Buffer {
  const bag = writeBag(root, 0x40, 4);
  const end = bag.length - 4;
  bag.writeUInt32LE(crc32c(bag, 0, end), end);
  return bag;
}

/**
 * A bag whose cells are in depth-first order, as the public index writes the payloads of actions. Nodes write the same
 * cells in another order (`writeBoc`), so the bytes differ although the cells do not.
 */
export function writeBareDepthFirst(root: Cell): Buffer {
  return writeBag(root, 0, 0);
}

function writeBag(root: Cell, flags: number, trailerBytes: number): Buffer {
  const cells = orderDepthFirst(root);
  const places = new Map(cells.map((cell, index) => [cell.hash(), index]));
  const refSize = sizeFor(cells.length);
  const sizes = cells.map((cell) => 2 + byteLength(cell) + cell.refCount * refSize);
  const dataSize = sizes.reduce((sum, size) => sum + size, 0);
  const offsetSize = sizeFor(dataSize);
  const out = Buffer.alloc(6 + 4 * refSize + offsetSize + dataSize + trailerBytes);
  let at = out.writeUInt32BE(0xb5ee9c72, 0);
  at = out.writeUInt8(flags | refSize, at);
  at = out.writeUInt8(offsetSize, at);
  for (const count of [cells.length, 1, 0]) at = out.writeUIntBE(count, at, refSize);
  at = out.writeUIntBE(dataSize, at, offsetSize);
  at = out.writeUIntBE(0, at, refSize);
  for (const cell of cells) {
    at = writeCell(out, at, cell);
    for (const ref of cell.refs()) at = out.writeUIntBE(places.get(ref.hash()) ?? 0, at, refSize);
  }
  return out;
}

/** Every cell before those it refers to, and as late as possible: the last of several paths to a cell counts. */
function orderDepthFirst(root: Cell): Cell[] {
  const done = new Set<string>();
  const ordered: Cell[] = [];
  const stack: { readonly cell: Cell; next: number }[] = [{ cell: root, next: root.refCount }];
  const open = new Set([root.hash()]);
  while (stack.length > 0) {
    const top = stack[stack.length - 1] as (typeof stack)[number];
    if (top.next === 0) {
      stack.pop();
      done.add(top.cell.hash());
      ordered.push(top.cell);
      continue;
    }
    const child = top.cell.ref(--top.next);
    if (done.has(child.hash()) || open.has(child.hash())) continue;
    open.add(child.hash());
    stack.push({ cell: child, next: child.refCount });
  }
  return ordered.reverse();
}

function byteLength(cell: Cell): number {
  return (cell.bitLength + 7) >> 3;
}

function sizeFor(value: number): number {
  let size = 1;
  while (value >= 2 ** (size * 8)) size++;
  return size;
}

function writeCell(out: Buffer, from: number, cell: Cell): number {
  const bits = cell.bitLength;
  let at = out.writeUInt8(cell.refCount + (cell.isExotic ? 8 : 0) + (cell.levelMask << 5), from);
  at = out.writeUInt8((bits >> 3) + ((bits + 7) >> 3), at);
  const size = byteLength(cell);
  out.set(cell.bytes.subarray(cell.dataAt, cell.dataAt + size), at);
  at += size;
  const rest = bits & 7;
  // An incomplete last byte ends with a one bit and zeros.
  if (rest !== 0) out[at - 1] = ((out[at - 1] as number) & (0xff00 >> rest)) | (0x80 >> rest);
  return at;
}
