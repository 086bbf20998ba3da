import { LiteError } from "../errors.ts";
import { constructorId, parseLine, type TlLine } from "./line.ts";
import type { DeclaredNeed } from "./need.ts";
import type { TlReader } from "./TlReader.ts";
import type { TlWriter } from "./TlWriter.ts";
import { type TlType, type TlWhen, unknownConstructor } from "./types.ts";

export type TlFields = Readonly<Record<string, TlType<unknown> | TlWhen<unknown>>>;

type Always<F> = { readonly [K in keyof F as F[K] extends TlWhen<unknown> ? never : K]: AlwaysValue<F[K]> };
type AlwaysValue<D> = D extends TlType<infer T> ? T : never;
type Sometimes<F> = { readonly [K in keyof F as F[K] extends TlWhen<unknown> ? K : never]?: SometimesValue<F[K]> };
type SometimesValue<D> = D extends TlWhen<infer T> ? T | undefined : never;
type Flat<T> = { readonly [K in keyof T]: T[K] };

/** The value a list of fields describes; a field that depends on a flag may be absent. */
export type FieldValues<F> = Flat<Always<F> & Sometimes<F>>;

/** One line of a scheme. As a `TlType` it is bare: fields only. */
export interface TlRecord<T> extends TlType<T> {
  readonly line: string;
  readonly fields: TlFields;
  /** The number before the fields of the boxed form. */
  readonly id: number;
  /** The type to which the constructor belongs, or which the function answers. */
  readonly result: string;
  /** The form with the number: queries, answers and messages are boxed. */
  readonly boxed: TlType<T>;
}

/** A function of a scheme: `boxed` is the query, `answer.boxed` the answer. */
export interface TlQuery<Q, A> extends TlRecord<Q> {
  readonly answer: TlRecord<A>;
  /**
   * What a server must have to answer it. A method, so that a query of known arguments is assignable to one of unknown
   * ones.
   */
  need(args: Q): ReturnType<DeclaredNeed<Q>>;
}

/** A type with several constructors, always boxed; a value's `kind` says which one it is. */
export interface TlUnion<T> extends TlType<T> {
  readonly variants: Readonly<Record<string, TlRecord<unknown>>>;
}

type VariantRecords = Readonly<Record<string, TlRecord<unknown>>>;
type UnionValue<V> = {
  [K in keyof V]: V[K] extends TlRecord<infer T> ? Flat<{ readonly kind: K } & T> : never;
}[keyof V];

/**
 * Declares a constructor by the scheme's own line; number, names and types follow from it. The field list repeats, in
 * the same order, the names in code and their types: a test compares the two for all declarations, so that importing
 * them costs nothing. Flags: a given field sets its bit in the written flags; a set bit without its field is refused.
 */
export function record<F extends TlFields>(line: string, fields: F): TlRecord<FieldValues<F>> {
  const codec = fieldsCodec<FieldValues<F>>(fields);
  const parsed = lazy(() => parseLine(line));
  const id = lazy(() => constructorId(line));
  return {
    line,
    fields,
    get id() {
      return id();
    },
    get name() {
      return parsed().name;
    },
    get result() {
      return parsed().result;
    },
    ...codec,
    boxed: boxedForm(parsed, id, codec),
  };
}

/** Declares a function by the scheme's own line, with the constructor that answers it and what it needs of a server. */
export function query<F extends TlFields, A>(
  line: string,
  fields: F,
  answer: TlRecord<A>,
  need: DeclaredNeed<FieldValues<F>>,
): TlQuery<FieldValues<F>, A> {
  // Defined, not spread: a spread would run the getters at import time.
  return Object.defineProperties(record(line, fields), {
    answer: { value: answer, enumerable: true },
    need: { value: need },
  }) as TlQuery<FieldValues<F>, A>;
}

/** Declares a type of several constructors; the key of each is its `kind`. */
export function union<V extends VariantRecords>(name: string, variants: V): TlUnion<UnionValue<V>> {
  const byId = lazy(() => new Map(Object.entries(variants).map(([kind, variant]) => [variant.id, { kind, variant }])));
  return {
    name,
    variants,
    read: (reader) => {
      const id = reader.nat();
      const found = byId().get(id);
      if (found === undefined) throw unknownConstructor(id, reader);
      // The variant of this kind has read these fields: together they are the value of the type.
      return Object.assign({ kind: found.kind }, found.variant.read(reader)) as UnionValue<V>;
    },
    write: (writer, value) => {
      const { kind } = value as { readonly kind: string };
      const variant = variants[kind];
      if (variant === undefined) throw new LiteError("lite/tl-value", `${name} has no kind "${kind}"`);
      variant.boxed.write(writer, value);
    },
  };
}

function boxedForm<T>(parsed: () => TlLine, id: () => number, codec: Codec<T>): TlType<T> {
  return {
    get name() {
      return parsed().result;
    },
    read: (reader) => {
      const found = reader.nat();
      if (found !== id()) throw unknownConstructor(found, reader);
      return codec.read(reader);
    },
    write: (writer, value) => {
      writer.int(id());
      codec.write(writer, value);
    },
  };
}

type Codec<T> = Pick<TlType<T>, "read" | "write">;

interface Entry {
  readonly key: string;
  readonly type: TlType<unknown>;
  /** For a field that depends on a flag: the flags' key and the bit as a mask. */
  readonly flags: string | undefined;
  readonly mask: number;
  /** For a flags field: the fields that depend on it. */
  readonly dependents: readonly { readonly key: string; readonly mask: number }[];
}

function fieldsCodec<T>(fields: TlFields): Codec<T> {
  const entries = makeEntries(fields);
  return {
    // The fields read are those of the declaration, so the object is the value of its type.
    read: (reader) => readFields(entries, reader) as T,
    write: (writer, value) => writeFields(entries, writer, value as Readonly<Record<string, unknown>>),
  };
}

function makeEntries(fields: TlFields): readonly Entry[] {
  const whens = Object.entries(fields).flatMap(([key, field]) => ("flags" in field ? [{ key, field }] : []));
  return Object.entries(fields).map(([key, field]) => ({
    key,
    type: "flags" in field ? field.type : field,
    flags: "flags" in field ? field.flags : undefined,
    mask: "flags" in field ? 1 << field.bit : 0,
    dependents: whens
      .filter((other) => other.field.flags === key)
      .map((other) => ({ key: other.key, mask: 1 << other.field.bit })),
  }));
}

function readFields(entries: readonly Entry[], reader: TlReader): Readonly<Record<string, unknown>> {
  const value: Record<string, unknown> = {};
  for (const { key, type, flags, mask } of entries) {
    if (flags === undefined || (Number(value[flags]) & mask) !== 0) value[key] = type.read(reader);
  }
  return value;
}

function writeFields(entries: readonly Entry[], writer: TlWriter, value: Readonly<Record<string, unknown>>): void {
  for (const { key, type, flags, mask, dependents } of entries) {
    const field = value[key];
    if (dependents.length > 0) type.write(writer, withPresent(Number(field), dependents, value));
    else if (field !== undefined) type.write(writer, field);
    else if (flags === undefined) throw new LiteError("lite/tl-value", `field ${key} is missing`);
    else if ((Number(value[flags]) & mask) !== 0 && type.name !== "true")
      throw new LiteError("lite/tl-value", `field ${key} is missing, but ${flags} ${value[flags]} announces it`);
  }
}

function withPresent(flags: number, dependents: Entry["dependents"], value: Readonly<Record<string, unknown>>): number {
  let all = flags;
  for (const { key, mask } of dependents) {
    if (value[key] !== undefined) all |= mask;
  }
  return all;
}

/** Computes a value once, on first use: declarations do no work at import time. */
function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
