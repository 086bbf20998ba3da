import type { Builder } from "./Builder.ts";
import { beginCell } from "./Builder.ts";
import type { Cell } from "./Cell.ts";
import { CellError } from "./errors.ts";
import { type Slice, sliceOf } from "./Slice.ts";

/** A way from bits to a value and back: declared once per type of the chain's scheme. */
export interface Codec<T> {
  load(slice: Slice): T;
  store(builder: Builder, value: T): void;
}

export type ValueOf<C> = C extends Codec<infer T> ? T : never;

/** Reads a whole cell: nothing may be left over. */
export function loadCell<T>(codec: Codec<T>, cell: Cell): T {
  const slice = sliceOf(cell);
  const value = codec.load(slice);
  slice.end();
  return value;
}

export function storeCell<T>(codec: Codec<T>, value: T): Cell {
  const builder = beginCell();
  codec.store(builder, value);
  return builder.cell();
}

/** Unsigned number of up to 53 bits. */
export function uint(bits: number): Codec<number> {
  return { load: (s) => s.loadUint(bits), store: (b, v) => void b.storeUint(v, bits) };
}

/** Signed number of up to 53 bits. */
export function int(bits: number): Codec<number> {
  return { load: (s) => s.loadInt(bits), store: (b, v) => void b.storeInt(v, bits) };
}

export function bigUint(bits: number): Codec<bigint> {
  return { load: (s) => s.loadBigUint(bits), store: (b, v) => void b.storeBigUint(v, bits) };
}

export function bigInt(bits: number): Codec<bigint> {
  return { load: (s) => s.loadBigInt(bits), store: (b, v) => void b.storeBigInt(v, bits) };
}

export const uint8 = uint(8);
export const uint16 = uint(16);
export const uint32 = uint(32);
export const int32 = int(32);
export const uint64 = bigUint(64);
export const uint256 = bigUint(256);

export const bool: Codec<boolean> = { load: (s) => s.loadBit(), store: (b, v) => void b.storeBit(v) };

/** (## n) with a limit written as `#<= limit`. */
export function upTo(limit: number): Codec<number> {
  const bits = 32 - Math.clz32(limit);
  const check = (value: number): number => {
    if (value > limit) throw new CellError("cell/range", `${value} where ${limit} is the limit`);
    return value;
  };
  return { load: (s) => check(s.loadUint(bits)), store: (b, v) => void b.storeUint(check(v), bits) };
}

export function varUint(limit: number): Codec<bigint> {
  return { load: (s) => s.loadVarUint(limit), store: (b, v) => void b.storeVarUint(v, limit) };
}

/** VarUInteger of at most six bytes, as a number. */
export function smallVarUint(limit: 3 | 7): Codec<number> {
  const bits = 32 - Math.clz32(limit - 1);
  return {
    load: (s) => s.loadUint(s.loadUint(bits) * 8),
    store: (b, v) => void b.storeVarUint(BigInt(v), limit),
  };
}

export const coins = varUint(16);

/** A fixed run of whole bytes. */
export function bytes(length: number): Codec<Uint8Array> {
  return {
    load: (s) => s.loadBytes(length),
    store: (b, v) => {
      if (v.length !== length) throw new CellError("cell/range", `${v.length} bytes where ${length} belong`);
      b.storeBytes(v);
    },
  };
}

/** ^Cell: a reference to anything. */
export const cell: Codec<Cell> = { load: (s) => s.loadRef(), store: (b, v) => void b.storeRef(v) };

/** ^X: the value fills the referenced cell. */
export function ref<T>(codec: Codec<T>): Codec<T> {
  return {
    load: (s) => loadCell(codec, s.loadRef()),
    store: (b, v) => void b.storeRef(storeCell(codec, v)),
  };
}

/** Maybe X: absent is `undefined`. */
export function maybe<T>(codec: Codec<T>): Codec<T | undefined> {
  return {
    load: (s) => (s.loadBit() ? codec.load(s) : undefined),
    store: (b, v) => {
      b.storeBit(v !== undefined);
      if (v !== undefined) codec.store(b, v);
    },
  };
}

/** Everything that is left of the cell, as a cell of its own. */
export const rest: Codec<Cell> = {
  load: (s) => {
    const part = s.loadPart(s.remainingBits, s.remainingRefs);
    return part.position.bits === 0 && part.position.refs === 0 && !part.cell.isExotic
      ? part.cell
      : beginCell().storeSlice(part).cell();
  },
  store: (b, v) => void b.storeSlice(sliceOf(v)),
};

type Fields = Readonly<Record<string, Codec<unknown>>>;
export type StructOf<F extends Fields> = { readonly [K in keyof F]: ValueOf<F[K]> };

/** Fields in order. */
export function struct<F extends Fields>(fields: F): Codec<StructOf<F>> {
  const names = Object.keys(fields);
  const codecs = Object.values(fields);
  return {
    load: (slice) => {
      const value: Record<string, unknown> = {};
      for (let i = 0; i < names.length; i++) value[names[i] as string] = (codecs[i] as Codec<unknown>).load(slice);
      // The kit's one cast: the loop above has filled exactly the fields of F.
      return value as StructOf<F>;
    },
    store: (builder, value) => {
      for (let i = 0; i < names.length; i++) (codecs[i] as Codec<unknown>).store(builder, value[names[i] as keyof F]);
    },
  };
}

/** A constructor tag in the scheme's own notation: `#4ac789f3` in hex, `$0111` in bits, `#_` or `$_` for none. */
export interface Tag {
  readonly value: number;
  readonly bits: number;
}

export function parseTag(text: string): Tag {
  const digits = text.slice(1);
  if (digits === "_") return { value: 0, bits: 0 };
  if (text[0] === "$") return { value: Number.parseInt(digits, 2), bits: digits.length };
  return { value: Number.parseInt(digits, 16), bits: digits.length * 4 };
}

/** Fields behind a constructor tag. */
export function tagged<F extends Fields>(tag: string, fields: F): Codec<StructOf<F>> {
  const { value: expected, bits } = parseTag(tag);
  const body = struct(fields);
  return {
    load: (slice) => {
      const found = slice.loadUint(bits);
      if (found !== expected) throw wrongTag(found, bits, tag);
      return body.load(slice);
    },
    store: (builder, value) => {
      builder.storeUint(expected, bits);
      body.store(builder, value);
    },
  };
}

function wrongTag(found: number, bits: number, expected: string): CellError {
  return new CellError("cell/tag", `tag 0b${found.toString(2).padStart(bits, "0")} where ${expected} is expected`);
}

type Variants = Readonly<Record<string, readonly [tag: string, fields: Fields]>>;
export type UnionOf<V extends Variants> = {
  [K in keyof V & string]: { readonly kind: K } & StructOf<V[K][1]>;
}[keyof V & string];

/** One of several constructors, told apart by their tags; the value carries its constructor's name as `kind`. */
export function union<V extends Variants>(variants: V): Codec<UnionOf<V>> {
  const list = Object.entries(variants).map(([kind, [tag, fields]]) => ({
    kind,
    tag: parseTag(tag),
    names: Object.keys(fields),
    codecs: Object.values(fields),
  }));
  const byKind = new Map(list.map((variant) => [variant.kind, variant]));
  const names = Object.values(variants).map(([tag]) => tag);
  return {
    load: (slice) => {
      for (const { kind, tag, names: fields, codecs } of list) {
        if (slice.remainingBits < tag.bits || slice.preloadUint(tag.bits) !== tag.value) continue;
        slice.skip(tag.bits);
        const value: Record<string, unknown> = { kind };
        for (let i = 0; i < fields.length; i++) value[fields[i] as string] = (codecs[i] as Codec<unknown>).load(slice);
        // As in `struct`: the loop has filled exactly the variant's fields.
        return value as UnionOf<V>;
      }
      throw new CellError("cell/tag", `none of the constructors ${names.join(", ")} is here`);
    },
    store: (builder, value) => {
      const variant = byKind.get(value.kind);
      if (variant === undefined) throw new CellError("cell/tag", `no constructor is called ${value.kind}`);
      builder.storeUint(variant.tag.value, variant.tag.bits);
      const fields = value as Readonly<Record<string, unknown>>;
      variant.names.forEach((name, i) => {
        (variant.codecs[i] as Codec<unknown>).store(builder, fields[name]);
      });
    },
  };
}

/** The same bits seen as another value. */
export function mapped<A, B>(codec: Codec<A>, to: (value: A) => B, from: (value: B) => A): Codec<B> {
  return { load: (s) => to(codec.load(s)), store: (b, v) => codec.store(b, from(v)) };
}

/** Two groups of fields, one after the other, as one value. */
export function joined<A extends object, B extends object>(first: Codec<A>, second: Codec<B>): Codec<A & B> {
  return {
    load: (s) => ({ ...first.load(s), ...second.load(s) }),
    store: (b, v) => {
      first.store(b, v);
      second.store(b, v);
    },
  };
}

/** For types that refer to themselves. */
export function lazy<T>(make: () => Codec<T>): Codec<T> {
  let made: Codec<T> | undefined;
  const get = (): Codec<T> => {
    made ??= make();
    return made;
  };
  return { load: (s) => get().load(s), store: (b, v) => get().store(b, v) };
}
