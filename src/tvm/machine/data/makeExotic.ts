import { CellKind, maxDepth } from "../../../cell/base/CellKind.ts";
import { CellError } from "../../../cell/base/errors.ts";
import { type Cell, makeCell } from "../../../cell/Cell.ts";
import type { CellBuilder } from "../CellBuilder.ts";
import { Exception, fail } from "../exceptions.ts";

const hashBytes = 32;
const depthBytes = 2;

/** Makes an exotic cell; what is no valid one is a cell overflow. */
export function makeExotic(builder: CellBuilder): Cell {
  const data = builder.data();
  const kind = data[0];
  const isValid =
    builder.bits >= 8 &&
    ((kind === CellKind.pruned && isPruned(builder, data)) ||
      (kind === CellKind.library && builder.bits === 8 * (1 + hashBytes) && builder.refs.length === 0) ||
      (kind === CellKind.merkleProof && isMerkle(builder, data, 1)) ||
      (kind === CellKind.merkleUpdate && isMerkle(builder, data, 2)));
  if (!isValid) fail(Exception.cellOverflow);
  try {
    return makeCell(data, builder.bits, builder.refs, kind as CellKind);
  } catch (error) {
    if (error instanceof CellError) fail(Exception.cellOverflow);
    throw error;
  }
}

function isPruned({ bits, refs }: CellBuilder, data: Uint8Array): boolean {
  const mask = data[1];
  if (refs.length !== 0 || bits < 16 || mask === undefined || mask === 0 || mask > 7) return false;
  const count = (mask & 1) + ((mask >> 1) & 1) + (mask >> 2);
  if (bits !== 8 * (2 + count * (hashBytes + depthBytes))) return false;
  for (let i = 0; i < count; i++) if (depthAt(data, 2 + count * hashBytes + i * depthBytes) > maxDepth) return false;
  return true;
}

function depthAt(data: Uint8Array, at: number): number {
  return ((data[at] as number) << 8) | (data[at + 1] as number);
}

/** A Merkle cell names the hashes and depths of its references at the lowest level. */
function isMerkle({ bits, refs }: CellBuilder, data: Uint8Array, count: number): boolean {
  if (refs.length !== count || bits !== 8 * (1 + count * (hashBytes + depthBytes))) return false;
  return refs.every((ref, i) => {
    const from = 1 + i * hashBytes;
    const isSame = Buffer.compare(ref.hashBytes(0), data.subarray(from, from + hashBytes)) === 0;
    return isSame && ref.depth(0) === depthAt(data, 1 + count * hashBytes + i * depthBytes);
  });
}
