import type { CellSlice } from "../CellSlice.ts";
import { Exception, fail } from "../exceptions.ts";
import { sliceUint, smallUint } from "../slices.ts";

/** Prices as instructions read them from the configuration; what cannot be read is a cell underflow. */

/** Unsigned numbers one after another behind a tag. */
function readFields(slice: CellSlice, tag: number, widths: readonly number[]): bigint[] | undefined {
  const size = widths.reduce((sum, width) => sum + width, 8);
  if (slice.bits < size || smallUint(slice, 8) !== tag) return undefined;
  let at = 8;
  return widths.map((width) => {
    at += width;
    return BigInt(sliceUint(slice, width, at - width));
  });
}

function fields(slice: CellSlice, tag: number, widths: readonly number[]): bigint[] {
  return readFields(slice, tag, widths) ?? fail(Exception.cellUnderflow);
}

const word = 64;

export interface UnpackedGasPrices {
  readonly price: bigint;
  readonly flatLimit: bigint;
  readonly flatPrice: bigint;
}

const sixWords = [word, word, word, word, word, word];
const sevenWords = [...sixWords, word];

// gas_flat_pfx#d1 flat_gas_limit:uint64 flat_gas_price:uint64 other:GasLimitsPrices = GasLimitsPrices;
// gas_prices_ext#de gas_price:uint64 gas_limit:uint64 special_gas_limit:uint64 gas_credit:uint64 block_gas_limit:uint64
//   freeze_due_limit:uint64 delete_due_limit:uint64 = GasLimitsPrices;
// gas_prices#dd gas_price:uint64 gas_limit:uint64 gas_credit:uint64 block_gas_limit:uint64 freeze_due_limit:uint64
//   delete_due_limit:uint64 = GasLimitsPrices;
export function readGasPrices(slice: CellSlice): UnpackedGasPrices {
  const flat = readFields(slice, 0xd1, [word, word]);
  const [flatLimit = 0n, flatPrice = 0n] = flat ?? [];
  const extended = readFields(flat === undefined ? slice : slice.without(8 + 2 * word, 0), 0xde, sevenWords);
  // The reference looks for the older form at the very beginning only, so not behind a flat prefix.
  const [price = 0n] = extended ?? fields(slice, 0xdd, sixWords);
  return { price, flatLimit, flatPrice };
}

export interface MsgPrices {
  readonly lumpPrice: bigint;
  readonly bitPrice: bigint;
  readonly cellPrice: bigint;
  readonly ihrFactor: bigint;
  readonly firstFraction: bigint;
}

// msg_forward_prices#ea lump_price:uint64 bit_price:uint64 cell_price:uint64 ihr_price_factor:uint32 first_frac:uint16
//   next_frac:uint16 = MsgForwardPrices;
export function readMsgPrices(slice: CellSlice): MsgPrices {
  const read = fields(slice, 0xea, [word, word, word, 32, 16, 16]);
  const [lumpPrice = 0n, bitPrice = 0n, cellPrice = 0n, ihrFactor = 0n, firstFraction = 0n] = read;
  return { lumpPrice, bitPrice, cellPrice, ihrFactor, firstFraction };
}

export interface UnpackedStoragePrices {
  readonly bitPrice: bigint;
  readonly cellPrice: bigint;
  readonly masterBitPrice: bigint;
  readonly masterCellPrice: bigint;
}

// _#cc utime_since:uint32 bit_price_ps:uint64 cell_price_ps:uint64 mc_bit_price_ps:uint64 mc_cell_price_ps:uint64 = StoragePrices;
export function readStoragePrices(slice: CellSlice): UnpackedStoragePrices {
  const read = fields(slice, 0xcc, [32, word, word, word, word]);
  const [, bitPrice = 0n, cellPrice = 0n, masterBitPrice = 0n, masterCellPrice = 0n] = read;
  return { bitPrice, cellPrice, masterBitPrice, masterCellPrice };
}

const defaultMaxCells = 1 << 13;

/** How many cells a message may have, by the limits of the configuration (parameter 43), which may be missing. */
// size_limits_config#01 max_msg_bits:uint32 max_msg_cells:uint32 max_library_cells:uint32 max_vm_data_depth:uint16
//   max_ext_msg_size:uint32 max_ext_msg_depth:uint16 = SizeLimitsConfig;
export function readMaxMessageCells(slice: CellSlice | undefined): number {
  if (slice === undefined) return defaultMaxCells;
  const tag = smallUint(slice, 8);
  if (tag < 1 || tag > 3) fail(Exception.cellUnderflow);
  const [, cells = 0n] = fields(slice, tag, [32, 32, 32, 16, 32, 16]);
  return Number(cells);
}
