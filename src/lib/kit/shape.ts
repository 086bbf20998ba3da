import { type TSchema, Type } from "typebox";
import { LibError } from "../libErrors.ts";

/** How values of one type look in JSON: the schema that is documented and the way out that is sent. */
export interface Form<V, Out> {
  readonly schema: TSchema;
  encode(value: V): Out;
}

/** One property of a shape: a form together with where its value is found. */
export interface Field<T, Out> {
  readonly schema: TSchema;
  encode(whole: T): Out;
}

/** A form that becomes a field when it is told where to find its value: `int((block) => block.seqno)`. */
export interface FieldMaker<V, Out> extends Form<V, Out> {
  <T>(find: (whole: T) => V): Field<T, Out>;
}

/** The JSON that a form gives. */
export type EncodedBy<F> = F extends Form<never, infer Out> ? Out : never;

/** Makes a form usable as a field. */
export function field<V, Out>({ schema, encode }: Form<V, Out>): FieldMaker<V, Out> {
  const make = <T>(find: (whole: T) => V): Field<T, Out> => ({ schema, encode: (whole) => encode(find(whole)) });
  return Object.assign(make, { schema, encode });
}

type Fields<T> = Readonly<Record<string, Field<T, unknown>>>;

/** What a shape of these fields gives. */
export type ShapeOutput<F> = { readonly [K in keyof F]: EncodedBy<F[K]> };

/**
 * Declares how a type looks as a JSON object: `shape<Block>()({ seqno: int((b) => b.seqno) })`. A shape is a form and a
 * field maker, so it stands inside other shapes like any other: `last: block((head) => head.block)`. What comes out is
 * spelled out and not told by its name `ShapeOutput`, which would repeat all it is made of in the declaration files.
 */
export function shape<T>(): <F extends Fields<T>>(
  fields: F,
) => FieldMaker<T, { readonly [K in keyof F]: EncodedBy<F[K]> }> {
  return <F extends Fields<T>>(fields: F) => {
    const entries = Object.entries<Field<T, unknown>>(fields);
    const schema = Type.Object(Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])));
    const encode = (value: T) => {
      const encoded: Record<string, unknown> = {};
      for (const [name, { encode }] of entries) encoded[name] = encode(value);
      // Each property was just made by the field of its name, which is what the type says key by key.
      return encoded as ShapeOutput<F>;
    };
    return field({ schema, encode });
  };
}

/** A whole number JSON can hold exactly. */
export const int = field({
  schema: Type.Integer(),
  encode: (value: number) => {
    if (!Number.isSafeInteger(value))
      throw new LibError("lib/shape", `${value} is not a whole number that JSON holds exactly`);
    return value;
  },
});

/** Text as it is. */
export const text = field({ schema: Type.String(), encode: (value: string) => value });

/** True or false. */
export const bool = field({ schema: Type.Boolean(), encode: (value: boolean) => value });

/** A whole number of any size as decimal text. */
export const decimal = field({
  schema: Type.String({ pattern: "^-?[0-9]+$" }),
  encode: (value: bigint) => value.toString(),
});

/** The form, or null where there is no value. */
export function nullable<V, Out>(form: Form<V, Out>): FieldMaker<V | undefined, Out | null> {
  return field({
    schema: Type.Union([form.schema, Type.Null()]),
    encode: (value: V | undefined) => (value === undefined ? null : form.encode(value)),
  });
}

/** The form, or no property at all where there is no value. */
export function omittable<V, Out>(form: Form<V, Out>): FieldMaker<V | undefined, Out | undefined> {
  return field({
    schema: Type.Optional(form.schema),
    encode: (value: V | undefined) => (value === undefined ? undefined : form.encode(value)),
  });
}

/** A list of the form, in order. */
export function list<V, Out>(form: Form<V, Out>): FieldMaker<readonly V[], readonly Out[]> {
  return field({
    schema: Type.Array(form.schema),
    encode: (values: readonly V[]) => values.map((value) => form.encode(value)),
  });
}
