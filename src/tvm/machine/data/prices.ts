import type { Codec } from "../../../cell/codec.ts";
import { Slice } from "../../../cell/Slice.ts";
import { GasLimitsPrices, type GasPrices, gasPricesOf } from "../../../model/config/GasLimitsPrices.ts";
import { MsgForwardPrices, StoragePrices } from "../../../model/config/prices.ts";
import { findRead } from "../../../model/strict/schemes.ts";
import type { CellSlice } from "../CellSlice.ts";
import { Exception, fail } from "../exceptions.ts";
import { smallUint } from "../slices.ts";

/** Prices as instructions read them from the configuration; what cannot be read is a cell underflow. */

/** A reader of the beginning of a slice that keeps what it read for as long as the slice is there. */
function reader<T extends object>(codec: Pick<Codec<T>, "load">): (slice: CellSlice) => T {
  const known = new WeakMap<CellSlice, T>();
  return (cellSlice) => {
    const found = known.get(cellSlice);
    if (found !== undefined) return found;
    const { cell, at, bits, ref, refs } = cellSlice;
    const slice = new Slice(cell)
      .skip(at - cell.dataAt * 8)
      .skipRefs(ref)
      .loadPart(bits, refs);
    const value = findRead(() => codec.load(slice)) ?? fail(Exception.cellUnderflow);
    known.set(cellSlice, value);
    return value;
  };
}

export const readMsgPrices: (slice: CellSlice) => MsgForwardPrices = reader(MsgForwardPrices);
export const readStoragePrices: (slice: CellSlice) => StoragePrices = reader(StoragePrices);
export const readGasPrices: (slice: CellSlice) => GasPrices = reader({
  load(slice) {
    const value = GasLimitsPrices.load(slice);
    // The reference looks for the older form at the very beginning only, so not behind a flat prefix.
    return value.kind === "flat" && value.other.kind !== "extended"
      ? fail(Exception.cellUnderflow)
      : gasPricesOf(value);
  },
});

const defaultMaxCells = 1 << 13;

/** How many cells a message may have, by the limits of the configuration (parameter 43), which may be missing. */
// size_limits_config#01 max_msg_bits:uint32 max_msg_cells:uint32 max_library_cells:uint32 max_vm_data_depth:uint16
//   max_ext_msg_size:uint32 max_ext_msg_depth:uint16 = SizeLimitsConfig;
export function readMaxMessageCells(slice: CellSlice | undefined): number {
  if (slice === undefined) return defaultMaxCells;
  const tag = smallUint(slice, 8);
  return tag < 1 || tag > 3 || slice.bits < 160 ? fail(Exception.cellUnderflow) : smallUint(slice, 32, 40);
}
