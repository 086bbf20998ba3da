import type { Builder } from "./Builder.ts";
import { beginCell } from "./Builder.ts";
import { CellError } from "./base/errors.ts";
import type { Cell } from "./Cell.ts";
import { type Slice, sliceOf } from "./Slice.ts";

/** Converts between bits and a value; declared once per type of the chain's scheme. */
export interface Codec<T> {
  load(slice: Slice): T;
  store(builder: Builder, value: T): void;
}

export type ValueOf<C> = C extends Codec<infer T> ? T : never;

/** Reads a whole cell; left-over data is refused. */
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
    if (value > limit) throw new CellError("cell/range", `${value}; the limit is ${limit}`);
    return value;
  };
  return { load: (s) => check(s.loadUint(bits)), store: (b, v) => void b.storeUint(check(v), bits) };
}

export function varUint(limit: number): Codec<bigint> {
  return { load: (s) => s.loadVarUint(limit), store: (b, v) => void b.storeVarUint(v, limit) };
}

/** VarUInteger of at most six bytes, as a number. */
export function smallVarUint(limit: 3 | 7): Codec<number> {
  return {
    load: (s) => s.loadSmallVarUint(limit),
    store: (b, v) => {
      if (!Number.isSafeInteger(v)) throw new CellError("cell/range", `${v} is not an integer`);
      b.storeVarUint(BigInt(v), limit);
    },
  };
}

/** A fixed number of whole bytes. */
export function bytes(length: number): Codec<Uint8Array> {
  return {
    load: (s) => s.loadBytes(length),
    store: (b, v) => {
      if (v.length !== length) throw new CellError("cell/range", `${v.length} bytes instead of ${length}`);
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

/** The rest of the cell as a new cell. */
export const rest: Codec<Cell> = {
  load: (s) => s.loadRest(),
  store: (b, v) => void b.storeSlice(sliceOf(v)),
};

type Fields = Readonly<Record<string, Codec<unknown>>>;
export type StructOf<F extends Fields> = { readonly [K in keyof F]: ValueOf<F[K]> };

/**
 * Reads all fields, in order, into an object literal. Only for the types that blocks are full of: the engine knows the
 * shape of a literal in advance, and setting a field costs a twentieth of adding it by name.
 */
type LiteralLoad<F extends Fields, T> = (fields: F, slice: Slice) => T;

/** Fields in order. */
export function struct<F extends Fields>(fields: F, literal?: LiteralLoad<F, StructOf<F>>): Codec<StructOf<F>> {
  const names = Object.keys(fields);
  const codecs = Object.values(fields);
  return {
    load: literal === undefined ? loadNamed(undefined, names, codecs) : (slice) => literal(fields, slice),
    store: (builder, value) => {
      for (let i = 0; i < names.length; i++) (codecs[i] as Codec<unknown>).store(builder, value[names[i] as keyof F]);
    },
  };
}

function loadNamed<T>(kind: string | undefined, names: readonly string[], codecs: readonly Codec<unknown>[]) {
  return (slice: Slice): T => {
    const value: Record<string, unknown> = kind === undefined ? {} : { kind };
    for (let i = 0; i < names.length; i++) value[names[i] as string] = (codecs[i] as Codec<unknown>).load(slice);
    // The kit's one cast: the loop above has set exactly the fields of T.
    return value as T;
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

/** Fields after a constructor tag. */
export function tagged<F extends Fields>(
  tag: string,
  fields: F,
  literal?: LiteralLoad<F, StructOf<F>>,
): Codec<StructOf<F>> {
  const { value: expected, bits } = parseTag(tag);
  const body = struct(fields, literal);
  return {
    load: (slice) => {
      const uint = slice.loadUint(bits);
      if (uint !== expected) throw wrongTag(uint, bits, tag);
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

type VariantLoad = (slice: Slice) => { readonly kind: string };
type Variants = Readonly<Record<string, readonly [tag: string, fields: Fields, load?: VariantLoad]>>;
export type UnionOf<V extends Variants> = {
  [K in keyof V & string]: { readonly kind: K } & StructOf<V[K][1]>;
}[keyof V & string];

/** A union constructor that is read into a literal, which must start with its `kind`. */
export function variant<F extends Fields>(
  tag: string,
  fields: F,
  literal: LiteralLoad<F, StructOf<F> & { readonly kind: string }>,
): readonly [tag: string, fields: F, load: VariantLoad] {
  return [tag, fields, (slice) => literal(fields, slice)];
}

interface Constructor {
  readonly tag: Tag;
  readonly load: (slice: Slice) => unknown;
  readonly names: readonly string[];
  readonly codecs: readonly Codec<unknown>[];
}

/** One of several constructors, distinguished by their tags; the value has the name of its constructor as `kind`. */
export function union<V extends Variants>(variants: V): Codec<UnionOf<V>> {
  const byKind = new Map<string, Constructor>();
  for (const [kind, [tag, fields, literal]] of Object.entries(variants)) {
    const names = Object.keys(fields);
    const codecs = Object.values(fields);
    byKind.set(kind, { tag: parseTag(tag), load: literal ?? loadNamed(kind, names, codecs), names, codecs });
  }
  const tags = Object.values(variants).map(([tag]) => tag);
  const find = constructorFinder([...byKind.values()]);
  return {
    load: (slice) => {
      const found = find(slice);
      if (found === undefined) throw new CellError("cell/tag", `none of the constructors ${tags.join(", ")} is here`);
      slice.skip(found.tag.bits);
      // As in `loadNamed`: a constructor returns exactly its kind and its fields.
      return found.load(slice) as UnionOf<V>;
    },
    store: (builder, value) => {
      const { tag, names, codecs } = byKind.get(value.kind) ?? unknownKind(value.kind);
      builder.storeUint(tag.value, tag.bits);
      const fields = value as Readonly<Record<string, unknown>>;
      for (let i = 0; i < names.length; i++) (codecs[i] as Codec<unknown>).store(builder, fields[names[i] as string]);
    },
  };
}

function unknownKind(kind: string): never {
  throw new CellError("cell/tag", `no constructor is called ${kind}`);
}

/** Tags up to this length are looked up in a table of all possible bits. */
const tableBits = 8;

function constructorFinder(list: readonly Constructor[]): (slice: Slice) => Constructor | undefined {
  const search = (slice: Slice): Constructor | undefined =>
    list.find(({ tag }) => slice.remainingBits >= tag.bits && slice.preloadUint(tag.bits) === tag.value);
  const bits = Math.max(...list.map(({ tag }) => tag.bits));
  if (bits > tableBits) return search;
  const table = Array.from({ length: 1 << bits }, (_, next) =>
    list.find(({ tag }) => next >> (bits - tag.bits) === tag.value),
  );
  return (slice) => (slice.remainingBits < bits ? search(slice) : table[slice.preloadUint(bits)]);
}

/** The same bits as another value. */
export function mapped<A, B>(codec: Codec<A>, to: (value: A) => B, from: (value: B) => A): Codec<B> {
  return { load: (s) => to(codec.load(s)), store: (b, v) => codec.store(b, from(v)) };
}

/** For recursive types. */
export function lazy<T>(make: () => Codec<T>): Codec<T> {
  let made: Codec<T> | undefined;
  const get = (): Codec<T> => {
    made ??= make();
    return made;
  };
  return { load: (s) => get().load(s), store: (b, v) => get().store(b, v) };
}

// true$_ = True; unit$_ = Unit;
/** The value of dictionaries that are sets of keys. */
export const unit: Codec<true> = { load: () => true, store: () => undefined };
