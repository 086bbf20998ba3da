import { CellKind } from "../../../src/cell/base/CellKind.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import type { Codec } from "../../../src/cell/codec.ts";
import { Linked } from "../../../src/cell/linked.ts";
import { openMerkleProof } from "../../../src/cell/merkle/merkleProof.ts";
import { openMerkleUpdate } from "../../../src/cell/merkle/merkleUpdate.ts";
import { sliceOf } from "../../../src/cell/Slice.ts";
import { Block } from "../../../src/model/block/Block.ts";
import { ShardState } from "../../../src/model/block/ShardState.ts";
import { addStored, checkStored, type Stored } from "../cell/checkStored.ts";

const byTag = new Map<number, Codec<unknown>>([
  [0x11ef55aa, Block],
  [0x9023afe2, ShardState],
]);

/** Checks a block or state, whole or the part shown by a proof; `undefined` for anything else. */
export function checkRoot(root: Cell): Stored | undefined {
  const body = root.kind === CellKind.merkleProof ? openMerkleProof(root) : root;
  if (body.isExotic || body.bitLength < 32) return undefined;
  const codec = byTag.get(sliceOf(body).loadUint(32));
  if (codec === undefined) return undefined;
  const met = checkStored(new Linked(body, codec));
  if (codec === Block) addHalves(met, body);
  return met;
}

/** Checks both halves of a block's state update, as far as present. */
function addHalves(met: Stored, block: Cell): void {
  const update = block.ref(2);
  if (update.kind !== CellKind.merkleUpdate) return;
  const { from, to } = openMerkleUpdate(update);
  for (const half of [from, to]) if (!half.isExotic) addStored(met, checkStored(new Linked(half, ShardState)));
}
