/** A scalar type, parsed. */
export type Scalar =
  | { readonly kind: "uint" | "int"; readonly bits: number }
  | { readonly kind: "varuint" | "varint"; readonly limit: 16 | 32 }
  | { readonly kind: "bits"; readonly bits: number }
  | { [K in PlainScalar]: { readonly kind: K } }[PlainScalar];

type PlainScalar =
  | "bool"
  | "address"
  | "address?"
  | "anyAddress"
  | "slice"
  | "text"
  | "bytes"
  | "cell"
  | "cell?"
  | "content"
  | "any";

const plain: ReadonlyMap<string, Scalar> = new Map(
  (
    ["bool", "address", "address?", "anyAddress", "slice", "text", "bytes", "cell", "cell?", "content", "any"] as const
  ).map((kind) => [kind, { kind } as Scalar]),
);
const special: ReadonlyMap<string, Scalar> = new Map<string, Scalar>([
  ["int", { kind: "int", bits: 257 }],
  ["coins", { kind: "varuint", limit: 16 }],
  ["varuint16", { kind: "varuint", limit: 16 }],
  ["varuint32", { kind: "varuint", limit: 32 }],
  ["varint16", { kind: "varint", limit: 16 }],
  ["varint32", { kind: "varint", limit: 32 }],
]);
const sized = /^(uint|int|bits)([1-9][0-9]{0,3})$/;
const maxBits = { uint: 256, int: 257, bits: 1023 } as const;

/** The scalar type of this name, or `undefined`. */
export function findScalar(name: string): Scalar | undefined {
  const known = plain.get(name) ?? special.get(name);
  if (known !== undefined) return known;
  const [, kind, digits] = sized.exec(name) ?? [];
  if (kind !== "uint" && kind !== "int" && kind !== "bits") return undefined;
  const bits = Number(digits);
  return bits <= maxBits[kind] ? { kind, bits } : undefined;
}

/** What keys of dictionaries can be. */
export type KeyScalar =
  | { readonly kind: "uint" | "int" | "bits"; readonly bits: number }
  | { readonly kind: "address" };

export function isKey(scalar: Scalar): scalar is KeyScalar {
  return scalar.kind === "uint" || scalar.kind === "int" || scalar.kind === "bits" || scalar.kind === "address";
}
