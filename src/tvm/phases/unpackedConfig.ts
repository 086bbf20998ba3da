import type { Cell } from "../../cell/Cell.ts";
import type { Codec } from "../../cell/codec.ts";
import { Dictionary } from "../../cell/dictionary.ts";
import { uintKey } from "../../cell/keys.ts";
import { sliceOf } from "../../cell/Slice.ts";
import type { Config } from "../../model/config/ConfigParams.ts";
import { TvmError } from "../errors.ts";
import { type CellSlice, cellSlice, machineSlice } from "../machine/CellSlice.ts";
import type { Tuple } from "../machine/StackValue.ts";

/** A leaf of a dictionary as it stands in its cell. */
const leaf: Codec<CellSlice> = {
  load(slice) {
    const value = machineSlice(slice);
    slice.skip(value.bits).skipRefs(value.refs);
    return value;
  },
  store() {
    throw new TvmError("tvm/input", "prices cannot be stored");
  },
};

const known = new WeakMap<Cell, (now: number) => Tuple>();

/** Parameters that instructions for fees use, as the machine finds them in c7; kept for as long as the root is. */
export function unpackedConfig({ params }: Config, now: number): Tuple {
  const { root } = params;
  if (root === undefined) return [null, null, null, null, null, null, null];
  const unpack = known.get(root) ?? unpackParams(params);
  known.set(root, unpack);
  return unpack(now);
}

function unpackParams(params: Config["params"]): (now: number) => Tuple {
  const fixed = [19, 20, 21, 24, 25, 43].map((id) => {
    const cell = params.find(id);
    return cell === undefined ? null : cellSlice(sliceOf(cell).cell);
  });
  const prices = new Dictionary(params.find(18), uintKey(32), leaf).entries();
  const tuples = new Map<number, Tuple>();
  return (now) => {
    const count = prices.filter(([since]) => since <= now).length;
    const tuple = tuples.get(count) ?? [prices[count - 1]?.[1] ?? null, ...fixed];
    tuples.set(count, tuple);
    return tuple;
  };
}
