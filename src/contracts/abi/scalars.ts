import type { AbiScalar } from "./Abi.ts";

type Sized = "uint" | "int" | "bits";
/** Scalars without a number of bits in their name. */
type NamedScalar = Exclude<AbiScalar, `${Sized}${number}`>;
type NumberScalar = Extract<NamedScalar, "int" | "coins" | `var${string}`>;
type PlainScalar = Exclude<NamedScalar, NumberScalar>;

/** A scalar type, parsed. */
export type Scalar =
  | { readonly kind: "uint" | "int"; readonly bits: number }
  | { readonly kind: "varuint" | "varint"; readonly limit: 16 | 32 }
  | { readonly kind: "bits"; readonly bits: number }
  | { [K in PlainScalar]: { readonly kind: K } }[PlainScalar];

/** Every name of the type of scalars has its place here: neither compiles without the other. */
const named: { readonly [K in NamedScalar]: K extends PlainScalar ? { readonly kind: K } : Scalar } = {
  int: { kind: "int", bits: 257 },
  coins: { kind: "varuint", limit: 16 },
  varuint16: { kind: "varuint", limit: 16 },
  varuint32: { kind: "varuint", limit: 32 },
  varint16: { kind: "varint", limit: 16 },
  varint32: { kind: "varint", limit: 32 },
  bool: { kind: "bool" },
  address: { kind: "address" },
  "address?": { kind: "address?" },
  anyAddress: { kind: "anyAddress" },
  slice: { kind: "slice" },
  text: { kind: "text" },
  bytes: { kind: "bytes" },
  cell: { kind: "cell" },
  "cell?": { kind: "cell?" },
  content: { kind: "content" },
  any: { kind: "any" },
};
const scalars: ReadonlyMap<string, Scalar> = new Map(Object.entries(named));
const sized = /^(uint|int|bits)([1-9][0-9]{0,3})$/;
const maxBits: Readonly<Record<Sized, number>> = { uint: 256, int: 257, bits: 1023 };

/** The scalar type of this name, or `undefined`. */
export function findScalar(name: string): Scalar | undefined {
  const known = scalars.get(name);
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
