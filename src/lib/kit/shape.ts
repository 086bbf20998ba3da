import { type TObject, type TSchema, Type } from "typebox";
import { LibError } from "../errors.ts";
import { blankRecord } from "./blankRecord.ts";
import {
  deferFrom,
  deferJson,
  formatEncoded,
  type JsonForm,
  type JsonSink,
  noteDeferred,
  writeList,
} from "./deferredJson.ts";

/** How values of a type look in JSON: the documented schema and the encoder. */
export interface Form<V, Out> extends JsonForm<V> {
  readonly schema: TSchema;
  encode(value: V): Out;
}

/** One property of a shape: what it means, its form and how to get its value. */
export interface Field<T, Out> extends Form<T, Out> {
  /** A sentence for the documentation: unit, notation, when it is null or absent. */
  readonly description: string;
}

/**
 * A form that becomes a field when given what the field means and a function that finds its value:
 * `int("Sequence number of the block.", (block) => block.seqno)`.
 */
export interface FieldMaker<V, Out> extends Form<V, Out> {
  format(value: V): string | undefined;
  <T>(description: string, find: (whole: T) => V): Field<T, Out>;
}

/** The JSON that a form produces. */
export type EncodedBy<F> = F extends Form<never, infer Out> ? Out : never;

type Format<V> = (value: V) => string | undefined;

/** The text of a form, by its encoder where it has nothing faster. */
export function formatOf<V, Out>({ encode, format }: Form<V, Out>): Format<V> {
  return format ?? ((value) => formatEncoded(() => encode(value)));
}

/** Makes a form usable as a field maker. */
export function field<V, Out>(form: Form<V, Out>): FieldMaker<V, Out> {
  const { schema, encode } = form;
  const format = formatOf(form);
  const make = <T>(description: string, find: (whole: T) => V): Field<T, Out> => ({
    schema,
    description,
    encode: (whole) => encode(find(whole)),
    format: (whole) => format(find(whole)),
  });
  return Object.assign(make, { schema, encode, format });
}

/** A form whose texts need no escapes in JSON. */
export function plainText<V>(schema: TSchema, encode: (value: V) => string): FieldMaker<V, string> {
  return field({ schema, encode, format: (value) => `"${encode(value)}"` });
}

/** An object schema; each property has its meaning and its schema. */
export function objectSchema(
  properties: Readonly<Record<string, readonly [description: string, schema: TSchema]>>,
): TObject {
  const described = Object.entries(properties).map(([name, [description, schema]]) => [
    name,
    describe(schema, description),
  ]);
  return Type.Object(Object.fromEntries(described));
}

/** The schema of a property, with what it means. */
function describe(schema: TSchema, description: string): TSchema {
  const described = { ...schema, description };
  return Type.IsOptional(schema) ? Type.Optional(described) : described;
}

type Fields<T> = Readonly<Record<string, Field<T, unknown>>>;

/** The schema of an object of these fields. */
export function schemaOf(fields: Readonly<Record<string, Field<never, unknown>>>): TObject {
  const described = Object.entries(fields).map(
    ([name, { description, schema }]) => [name, [description, schema]] as const,
  );
  return objectSchema(Object.fromEntries(described));
}

/** The JSON that a shape of these fields produces. */
export type ShapeOutput<F> = { readonly [K in keyof F]: EncodedBy<F[K]> };

/**
 * Declares how a type looks as a JSON object: `shape<Block>()({ seqno: int("Its number.", (b) => b.seqno) })`. A shape
 * is both a form and a field maker, so it can be part of another shape: `last: block("The newest one.", (head) =>
 * head.block)`. The result type is written out instead of `ShapeOutput`, which would repeat all its parts in the
 * declaration files.
 */
export function shape<T>(): <F extends Fields<T>>(
  fields: F,
) => FieldMaker<T, { readonly [K in keyof F]: EncodedBy<F[K]> }> {
  return <F extends Fields<T>>(fields: F) => {
    const entries = Object.entries<Field<T, unknown>>(fields);
    const schema = schemaOf(fields);
    const blank = blankRecord(Object.keys(fields));
    const encode = (value: T) => {
      const encoded: Record<string, unknown> = { ...blank };
      for (const [name, { encode }] of entries) encoded[name] = encode(value);
      // The loop has made each property with the field of its name, which is what the mapped type describes.
      return encoded as ShapeOutput<F>;
    };
    return field({ schema, encode, format: formatFields(entries) });
  };
}

/** Writes fields as text: several times faster than to make an object and let the platform write it. */
function formatFields<T>(entries: readonly (readonly [string, Field<T, unknown>])[]): Format<T> {
  const labelled = entries.map(([name, own]) => {
    const label = `${JSON.stringify(name)}:`;
    return { first: `{${label}`, next: `,${label}`, format: formatOf(own) };
  });
  return (value) => {
    let written = "";
    for (const { first, next, format } of labelled) {
      const part = format(value);
      if (part !== undefined) written += (written === "" ? first : next) + part;
    }
    return written === "" ? "{}" : `${written}}`;
  };
}

function checkWhole(value: number): number {
  if (!Number.isSafeInteger(value))
    throw new LibError("lib/shape", `${value} is not a whole number that JSON holds exactly`);
  return value;
}

/** A whole number JSON can hold exactly. */
export const int = field({
  schema: Type.Integer(),
  encode: checkWhole,
  format: (value: number) => `${checkWhole(value)}`,
});

/** Text as it is. */
export const text = field({
  schema: Type.String(),
  encode: (value: string) => value,
  format: (value: string) => JSON.stringify(value),
});

/** True or false. */
export const bool = field({
  schema: Type.Boolean(),
  encode: (value: boolean) => value,
  format: (value: boolean) => (value ? "true" : "false"),
});

/** A whole number of any size as decimal text. */
export const decimal = plainText(Type.String({ pattern: "^-?[0-9]+$" }), (value: bigint) => value.toString());

/** The form, or null without a value. */
export function nullable<V, Out>(form: Form<V, Out>): FieldMaker<V | undefined, Out | null> {
  const format = formatOf(form);
  return field({
    schema: Type.Union([form.schema, Type.Null()]),
    encode: (value: V | undefined) => (value === undefined ? null : form.encode(value)),
    format: (value: V | undefined) => (value === undefined ? "null" : format(value)),
  });
}

/** The form, or no property without a value. */
export function omittable<V, Out>(form: Form<V, Out>): FieldMaker<V | undefined, Out | undefined> {
  const format = formatOf(form);
  return field({
    schema: Type.Optional(form.schema),
    encode: (value: V | undefined) => (value === undefined ? undefined : form.encode(value)),
    format: (value: V | undefined) => (value === undefined ? undefined : format(value)),
  });
}

/** A list of the form, in order; a long one is encoded when it is written. */
export function list<V, Out>(form: Form<V, Out>): FieldMaker<readonly V[], readonly Out[]> {
  const format = formatOf(form);
  return field({
    schema: Type.Array(form.schema),
    encode: (values: readonly V[]) => {
      if (values.length <= deferFrom) return values.map((value) => form.encode(value));
      const write = (sink: JsonSink) => writeList(sink, values, form);
      // In JSON it is the same list.
      return deferJson<readonly Out[]>(write);
    },
    format: (values: readonly V[]) => {
      if (values.length > deferFrom) return noteDeferred();
      let written = "";
      for (const value of values) written += `${written === "" ? "[" : ","}${format(value) ?? "null"}`;
      return written === "" ? "[]" : `${written}]`;
    },
  });
}
