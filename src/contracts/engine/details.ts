import { Type } from "typebox";
import type { Cell } from "../../cell/Cell.ts";
import {
  bool,
  type Field,
  type FieldMaker,
  type Form,
  field,
  int,
  nullable,
  schemaOf,
  text,
} from "../../lib/kit/shape.ts";
import { type Address, formatRawAddress } from "../../model/Address.ts";
import { writeBareDepthFirst, writeDepthFirst } from "../kit/depthFirstBoc.ts";

/** The `details` of an action as JSON. */
export type Details = Readonly<Record<string, unknown>>;

const rawAddress: Form<Address, string> = { schema: Type.String(), encode: formatRawAddress };
const decimal: Form<bigint, string> = {
  schema: Type.String({ pattern: "^-?[0-9]+$" }),
  encode: (value) => value.toString(),
};
const bag: Form<Cell, string> = {
  schema: Type.String(),
  encode: (cell) => writeDepthFirst(cell).toString("base64"),
};
const bareBag: Form<Cell, string> = {
  schema: Type.String(),
  encode: (cell) => writeBareDepthFirst(cell).toString("base64"),
};

/** The forms of values in details; all but the last few give null for a missing value. */
const forms = {
  /** Raw text in upper case. */
  address: nullable(rawAddress),
  /** A whole number of any size as decimal text. */
  amount: nullable(decimal),
  number: nullable(int),
  /** A whole number as a number, however large. */
  bigNumber: nullable<bigint, number | bigint>({
    schema: Type.Integer(),
    encode: (value) => (value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value),
  }),
  text: nullable(text),
  bool: nullable(bool),
  /** 32 bits as `0x` and eight digits. */
  opcode: nullable<number, string>({
    schema: Type.String(),
    encode: (value) => `0x${value.toString(16).padStart(8, "0")}`,
  }),
  /** A bag of cells in base64. */
  boc: nullable(bag),
  /** The same without a checksum, as the service writes messages and orders (v3-actions.md §6). */
  bareBoc: nullable(bareBag),
  addresses: field({
    schema: Type.Array(rawAddress.schema),
    encode: (values: readonly Address[]) => values.map(formatRawAddress),
  }),
  /** Amounts of other currencies by number. */
  currencies: field({
    schema: Type.Record(Type.String(), Type.String()),
    encode: (extra: ReadonlyMap<number, bigint>) =>
      Object.fromEntries([...extra].map(([id, value]) => [id.toString(), value.toString()])),
  }),
};

type Value<F> = F extends FieldMaker<infer V, unknown> ? V : never;
type Finders<T> = {
  readonly [K in keyof typeof forms]: (
    description: string,
    find: (data: T) => Value<(typeof forms)[K]>,
  ) => Field<T, unknown>;
};

/** Makes the fields of a declaration. */
export interface DetailFieldMakers<T> extends Finders<T> {
  /** A constant text. */
  fixed(description: string, value: string): Field<T, unknown>;
  /** Always null. */
  none(description: string): Field<T, unknown>;
  /** Omitted where the field would be null. */
  whenKnown(field: Field<T, unknown>): Field<T, unknown>;
  /** Omitted where the action has no such field. */
  only(applies: (data: T) => boolean, field: Field<T, unknown>): Field<T, unknown>;
  /** A value with details of its own, or null. */
  nested<V>(description: string, form: Form<V, Details>, find: (data: T) => V | undefined): Field<T, unknown>;
  list<V>(description: string, form: Form<V, unknown>, find: (data: T) => readonly V[]): Field<T, unknown>;
}

/** The fields of details by their public names. */
export type DetailFields<T> = (fields: DetailFieldMakers<T>) => Readonly<Record<string, Field<T, unknown>>>;

const makers = {
  ...forms,
  fixed: (description: string, value: string) => ({ schema: Type.Literal(value), description, encode: () => value }),
  none: (description: string) => ({ schema: Type.Null(), description, encode: () => null }),
  whenKnown: <T>({ schema, description, encode }: Field<T, unknown>) => ({
    schema: Type.Optional(schema),
    description,
    encode: (data: T) => encode(data) ?? undefined,
  }),
  only: <T>(applies: (data: T) => boolean, { schema, description, encode }: Field<T, unknown>) => ({
    schema: Type.Optional(schema),
    description,
    encode: (data: T) => (applies(data) ? encode(data) : undefined),
  }),
  nested: <T, V>(description: string, form: Form<V, Details>, find: (data: T) => V | undefined) =>
    nullable(form)(description, find),
  list: <T, V>(description: string, form: Form<V, unknown>, find: (data: T) => readonly V[]) => ({
    schema: Type.Array(form.schema),
    description,
    encode: (data: T) => find(data).map((value) => form.encode(value)),
  }),
};

/** Declares details: documentation and answers come from the same lines. */
export function details<T>(declare: DetailFields<T>): Form<T, Details> {
  const fields = declare(makers);
  const entries = Object.entries(fields);
  const encode = (data: T): Details => {
    const encoded: Record<string, unknown> = {};
    for (const [name, form] of entries) {
      const value = form.encode(data);
      if (value !== undefined) encoded[name] = value;
    }
    return encoded;
  };
  return { schema: schemaOf(fields), encode };
}
