import type { Cell } from "../../cell/Cell.ts";
import { rest as restCodec } from "../../cell/codec.ts";
import { type Slice, sliceOf } from "../../cell/Slice.ts";
import type { JsonValue } from "../../lib/json.ts";
import type { BodyField } from "./declare.ts";
import { ContractError } from "./errors.ts";
import type { ShowContext } from "./ShowContext.ts";

/** Unsigned number of up to 53 bits. */
export function uint(bits: number): BodyField<number> {
  return {
    load: (s) => s.loadUint(bits),
    show: (s) => String(s.loadUint(bits)),
    abi: `uint${bits}`,
    leastBits: bits,
  };
}

/** Signed number of up to 53 bits. */
export function int(bits: number): BodyField<number> {
  return { load: (s) => s.loadInt(bits), show: (s) => String(s.loadInt(bits)), abi: `int${bits}`, leastBits: bits };
}

export function bigUint(bits: number): BodyField<bigint> {
  return {
    load: (s) => s.loadBigUint(bits),
    show: (s) => s.loadBigUint(bits).toString(),
    abi: `uint${bits}`,
    leastBits: bits,
  };
}

export function bigInt(bits: number): BodyField<bigint> {
  return {
    load: (s) => s.loadBigInt(bits),
    show: (s) => s.loadBigInt(bits).toString(),
    abi: `int${bits}`,
    leastBits: bits,
  };
}

export const uint8 = uint(8);
export const uint16 = uint(16);
export const uint32 = uint(32);
export const uint48 = uint(48);
export const uint64 = bigUint(64);
export const uint256 = bigUint(256);
export const int64 = bigInt(64);
export const queryId = uint64;

/** Bool, and every one-bit number; the public decoder shows both the same way. */
export const bool: BodyField<boolean> = {
  load: (s) => s.loadBit(),
  show: (s) => s.loadBit(),
  abi: "bool",
  leastBits: 1,
};

/** Bits as hex: in code whole bytes in lower case, left-aligned; in JSON as Fift writes them, in upper case. */
export function bits(count: number): BodyField<string> {
  return {
    load: (s) => Buffer.from(s.loadBits(count)).toString("hex"),
    show: (s, showing) => {
      showing.spend(count >>> 2);
      return showBits(s, count);
    },
    abi: `bits${count}`,
    leastBits: count,
  };
}

export const bits256 = bits(256);
export const bits512 = bits(512);

/** Upper-case hex; a length that is not a multiple of four is marked by a final one bit and an underscore. */
export function showBits(slice: Slice, count: number): string {
  if ((count & 7) === 0) return slice.loadHex(count).toUpperCase();
  const bytes = slice.loadBits(count);
  if ((count & 3) !== 0) bytes[count >>> 3] = (bytes[count >>> 3] as number) | (0x80 >> (count & 7));
  const hex = Buffer.from(bytes).toString("hex").toUpperCase();
  return (count & 3) === 0 ? hex.slice(0, count >>> 2) : `${hex.slice(0, (count >>> 2) + 1)}_`;
}

/** Shows a VarUInteger with its stored length, which need not be the shortest. */
function showVarUint(slice: Slice, limit: number): JsonValue {
  const length = slice.loadUint(32 - Math.clz32(limit - 1));
  const value = length <= 6 ? slice.loadUint(length * 8) : slice.loadBigUint(length * 8);
  return { "@type": "var_uint", len: String(length), value: value.toString() };
}

export function varUint(limit: 16 | 32): BodyField<bigint> {
  return {
    load: (s) => s.loadVarUint(limit),
    show: (s, showing) => {
      showing.spend(64);
      return showVarUint(s, limit);
    },
    abi: `varuint${limit}`,
    leastBits: 32 - Math.clz32(limit - 1),
  };
}

function amount(type: string): BodyField<bigint> {
  return {
    load: (s) => s.loadCoins(),
    show: (s, showing) => {
      showing.spend(96);
      return { "@type": type, amount: showVarUint(s, 16) };
    },
    abi: "coins",
    leastBits: 4,
  };
}

/** VarUInteger 16 that the public decoder's scheme names so: the same bits as `coins` and `grams`, shown bare. */
export const vcoins: BodyField<bigint> = { ...varUint(16), abi: "coins" };
export const coins = amount("nanocoins");
export const grams = amount("nanograms");

const nothing: JsonValue = { "@type": "nothing_from_maybe" };

export function maybe<T>(field: BodyField<T>): BodyField<T | undefined> {
  return {
    load: (s) => (s.loadBit() ? field.load(s) : undefined),
    show: (s, showing) => {
      showing.spend(40);
      return s.loadBit() ? { "@type": "something_from_maybe", value: field.show(s, showing) } : nothing;
    },
    abi: { maybe: field.abi },
    leastBits: 1,
  };
}

/** ^X shown as X itself. */
export function ref<T>(field: BodyField<T>): BodyField<T> {
  return {
    load: (s) => field.load(sliceOf(s.loadRef())),
    show: (s, showing) => {
      const inner = sliceOf(s.loadRef());
      const value = field.show(inner, showing);
      inner.end();
      return value;
    },
    abi: { ref: field.abi },
    leastRefs: 1,
  };
}

/** ^X in a place where a scheme expects a type, as in `Maybe ^X`: shown with its reference. */
export function refType<T>(field: BodyField<T>): BodyField<T> {
  const inner = ref(field);
  return {
    load: inner.load,
    show: (s, showing) => {
      showing.spend(24);
      return { cell_reference: inner.show(s, showing) };
    },
    abi: inner.abi,
    leastRefs: 1,
  };
}

/** ^Cell: any cell. */
export const cellRef: BodyField<Cell> = {
  load: (s) => s.loadRef(),
  show: (s, showing) => showing.cell(s.loadRef()),
  abi: "cell",
  leastRefs: 1,
};

/** Maybe ^Cell */
export const maybeRef: BodyField<Cell | undefined> = maybe(cellRef);

/** Maybe ^X */
export function maybeRefTo<T>(field: BodyField<T>): BodyField<T | undefined> {
  return maybe(refType(field));
}

/** The rest of the cell. */
export const rest: BodyField<Cell> = {
  load: (s) => restCodec.load(s),
  show: (s, showing) => showing.cell(restCodec.load(s)),
  abi: "slice",
};

function showEither(
  slice: Slice,
  showing: ShowContext,
  first: BodyField<unknown>,
  second: BodyField<unknown>,
): JsonValue {
  showing.spend(40);
  return slice.loadBit()
    ? { "@type": "second_from_either", value: second.show(slice, showing) }
    : { "@type": "first_from_either", value: first.show(slice, showing) };
}

/** Either Cell ^Cell. In code `undefined` when the body ends before it, which some wallets send. */
export const payload: BodyField<Cell | undefined> = {
  load: (s) => (s.remainingBits === 0 ? undefined : s.loadBit() ? s.loadRef() : restCodec.load(s)),
  show: (s, showing) => showEither(s, showing, rest, cellRef),
  abi: { either: "slice" },
  leastBits: 1,
};

/** Either X ^X */
export function either<T>(field: BodyField<T>): BodyField<T> {
  const boxed = refType(field);
  return {
    load: (s) => (s.loadBit() ? boxed.load(s) : field.load(s)),
    show: (s, showing) => showEither(s, showing, field, boxed),
    abi: { either: field.abi },
    leastBits: 1,
  };
}

const maxTextBytes = 1 << 20;

/** What a cell of a text costs beside its bytes: many texts can share one long chain of empty cells. */
const textCellCost = 64;

/** The bytes of a slice and of its continuation cells, along the first references. */
export function loadSnake(slice: Slice, showing?: ShowContext): Buffer {
  const parts: Uint8Array[] = [];
  let length = 0;
  for (
    let at: Slice | undefined = slice;
    at !== undefined;
    at = at.remainingRefs > 0 ? sliceOf(at.loadRef()) : undefined
  ) {
    if (at.remainingBits % 8 !== 0) throw new ContractError("contracts/text", `text of ${at.remainingBits} bits`);
    if (at.remainingRefs > 1) throw new ContractError("contracts/text", "text in several cells");
    length += at.remainingBits >>> 3;
    showing?.spend(textCellCost);
    if (length > maxTextBytes)
      throw new ContractError("contracts/too-large", `text of more than ${maxTextBytes} bytes`);
    parts.push(at.loadBytes(at.remainingBits >>> 3));
  }
  return Buffer.concat(parts);
}

/** Snake text. */
export const text: BodyField<string> = {
  load: (s) => loadSnake(s).toString("utf8"),
  show: (s, showing) => showing.text(loadSnake(s, showing).toString("utf8")),
  abi: "text",
};

/** For recursive layouts; ABIs have no types that contain themselves. */
export function lazy<T>(make: () => BodyField<T>): BodyField<T> {
  let made: BodyField<T> | undefined;
  const get = (): BodyField<T> => {
    made ??= make();
    return made;
  };
  return { load: (s) => get().load(s), show: (s, showing) => get().show(s, showing), abi: "slice" };
}
