import { Type } from "typebox";
import { formatOpcode } from "../../../contracts/kit/opcodeText.ts";
import type { JsonValue } from "../../../lib/json.ts";
import {
  deferFrom,
  deferJson,
  formatPlain,
  type JsonSink,
  noteDeferred,
  writeMap,
} from "../../../lib/kit/deferredJson.ts";
import { type FieldMaker, type Form, field, formatOf, plainText } from "../../../lib/kit/shape.ts";
import { type Address, formatRawAddress } from "../../../model/Address.ts";
import { type Hash, hashToBase64 } from "../../../model/Hash.ts";
import { accountStatuses } from "../../../model/Transaction.ts";
import { encodeBytes } from "../../declare/encodeBag.ts";

/** An account in raw form, hex in upper case. */
export const address = plainText(Type.String({ pattern: "^-?[0-9]+:[0-9A-F]{64}$" }), (value: Address) =>
  formatRawAddress(value),
);

/** 32 bytes as base64 with padding. */
export const hash = plainText(
  Type.String({ pattern: "^[A-Za-z0-9+/]{43}=$", examples: ["CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM="] }),
  (value: Hash) => hashToBase64(value),
);

/** 32 bytes as upper-case hex. */
export const hexHash = field({
  schema: Type.String({
    pattern: "^[0-9A-F]{64}$",
    examples: ["08F504E165DE1094FE0F0CF57D8FEB92B796BD89EC3ADDC8E388B51B9A2324F3"],
  }),
  encode: (value: Hash) => value.toUpperCase(),
});

/** A number with a fraction. */
export const fraction = field({ schema: Type.Number(), encode: (value: number) => value });

/** A bag of cells as base64. */
export const boc = field({
  schema: Type.String({ contentEncoding: "base64" }),
  encode: (value: Uint8Array) => encodeBytes(value),
  format: (value) => {
    const encoded = encodeBytes(value);
    // A long text is deferred.
    return typeof encoded === "string" ? `"${encoded}"` : undefined;
  },
});

/** A shard in upper-case hex, without leading zeros. */
export const shardId = plainText(
  Type.String({ pattern: "^[0-9A-F]{1,16}$", examples: ["8000000000000000"] }),
  (value: bigint) => BigInt.asUintN(64, value).toString(16).toUpperCase(),
);

/** The first 32 bits of a body. */
export const opcode = plainText(Type.String({ pattern: "^0x[0-9a-f]{8}$", examples: ["0x0f8a7ea5"] }), formatOpcode);

/** A whole number as decimal text, for numbers that code holds as numbers. */
export const decimalOf = plainText(Type.String({ pattern: "^-?[0-9]+$" }), (value: number | bigint) =>
  value.toString(),
);

/** Extra currencies by number. */
export const extraCurrencies = field({
  schema: Type.Record(Type.String(), Type.String({ pattern: "^[0-9]+$" })),
  encode: (value: Readonly<Record<string, string>> | undefined) => value ?? {},
  format: (value) => (value === undefined ? "{}" : JSON.stringify(value)),
});

/** Any JSON object. */
export const jsonObject = field({
  schema: Type.Record(Type.String(), Type.Unknown()),
  encode: (value: { readonly [key: string]: JsonValue }) => value,
  format: (value) => formatPlain(value),
});

/** One of a few values. */
export function word<const W extends readonly string[]>(...words: W): FieldMaker<W[number], W[number]> {
  const texts = new Map<string, string>(words.map((each) => [each, JSON.stringify(each)]));
  return field({
    schema: Type.Union(words.map((each) => Type.Literal(each))),
    encode: (value: W[number]) => value,
    format: (value) => texts.get(value) ?? JSON.stringify(value),
  });
}

/** The status of an account. */
export const accountStatus = word(...accountStatuses);

/**
 * An object with a property for each entry, named by `nameOf`; a large one is encoded when it is written. Properties
 * have the order of the entries, which is that of the answer's items or of keys, never that in which rows came.
 */
export function mapOf<K, V, Out>(
  nameOf: (key: K) => string,
  form: Form<V, Out>,
): FieldMaker<ReadonlyMap<K, V>, Readonly<Record<string, Out>>> {
  const format = formatOf(form);
  return field({
    schema: Type.Record(Type.String(), form.schema),
    encode: (values: ReadonlyMap<K, V>) => {
      if (values.size > deferFrom) {
        const entries = function* () {
          for (const [key, value] of values) yield [nameOf(key), value] as const;
        };
        const write = (sink: JsonSink) => writeMap(sink, entries(), form);
        // In JSON it is the same object.
        return deferJson<Readonly<Record<string, Out>>>(write);
      }
      // Without a prototype it is a dictionary from the start, several times faster to fill, and accepts any name.
      const object: Record<string, Out> = Object.create(null);
      for (const [key, value] of values) object[nameOf(key)] = form.encode(value);
      return object;
    },
    format: (values) => {
      if (values.size > deferFrom) return noteDeferred();
      let written = "";
      for (const [key, value] of values)
        written += `${written === "" ? "{" : ","}${JSON.stringify(nameOf(key))}:${format(value) ?? "null"}`;
      return written === "" ? "{}" : `${written}}`;
    },
  });
}

/** A named form in the documentation. */
export function named<V, Out>(name: string, form: Form<V, Out>): FieldMaker<V, Out> {
  return field({
    schema: { ...form.schema, $id: name },
    encode: (value: V) => form.encode(value),
    format: formatOf(form),
  });
}
