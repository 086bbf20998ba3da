import type { Cell } from "../../../cell/Cell.ts";
import { cell, loadCell } from "../../../cell/codec.ts";
import { Dictionary, maxChainEntries } from "../../../cell/dictionary.ts";
import { bigUintKey, hashKey, intKey, type KeyCodec, uintKey } from "../../../cell/keys.ts";
import type { Slice } from "../../../cell/Slice.ts";
import { McStateExtra } from "../../../model/block/McStateExtra.ts";
import { ShardStateUnsplit } from "../../../model/block/ShardState.ts";
import { LocalnetError } from "../../errors.ts";

/** A state with its totals, which a node reads together. */
export function openMasterState(root: Cell): ShardStateUnsplit {
  const state = loadCell(ShardStateUnsplit, root);
  state.totals.load();
  return state;
}

/** The part of a state that only the masterchain has. */
export function masterExtra(root: Cell): McStateExtra {
  const { custom } = openMasterState(root);
  if (custom === undefined) throw new LocalnetError("localnet/missing", "a masterchain state without McStateExtra");
  return loadCell(McStateExtra, custom.cell);
}

const leaf = {
  load: (slice: Slice): Slice => slice.loadPart(slice.remainingBits, slice.remainingRefs),
  store: (): never => {
    throw new LocalnetError("localnet/missing", "leaves cannot be stored");
  },
};

/** A dictionary, augmented or not, whose leaves are not read: a proof contains only the looked-up path. */
function leaves<K>(root: Cell | undefined, key: KeyCodec<K>): Dictionary<K, Slice> {
  return new Dictionary(root, key, leaf, maxChainEntries);
}

export const leavesByHash = (root: Cell | undefined) => leaves(root, hashKey);
export const leavesByLt = (root: Cell | undefined) => leaves(root, bigUintKey(64));
export const leavesBySeqno = (root: Cell | undefined) => leaves(root, uintKey(32));
export const refsByNumber = (root: Cell | undefined) => new Dictionary(root, intKey(32), cell);
