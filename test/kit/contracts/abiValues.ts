import fc from "fast-check";
import { beginCell } from "../../../src/cell/Builder.ts";
import { writeBoc } from "../../../src/cell/boc.ts";
import type { Abi, AbiConstructor, AbiFields, AbiType } from "../../../src/contracts/abi/Abi.ts";
import { findScalar } from "../../../src/contracts/abi/scalars.ts";
import type { JsonObject, JsonValue } from "../../../src/lib/json.ts";

type Types = NonNullable<Abi["types"]>;

/** Values of these fields, as a codec gives them; cells and texts are small, so that all fits into one cell. */
export function abiFields(fields: AbiFields, types: Types = {}): fc.Arbitrary<JsonObject> {
  return fc.record(Object.fromEntries(fields.map(({ name, type }) => [name, abiValue(type, types)])));
}

/** Values of a type. */
export function abiValue(type: AbiType, types: Types): fc.Arbitrary<JsonValue> {
  if (typeof type === "string") return scalarValue(type);
  if ("maybe" in type) return fc.option(abiValue(type.maybe, types));
  if ("ref" in type) return abiValue(type.ref, types);
  if ("either" in type) return abiValue(type.either, types);
  if ("dict" in type) {
    const entry = fc.record({ key: scalarValue(type.dict.key), value: abiValue(type.dict.value, types) });
    return fc.array(entry, { maxLength: 1 });
  }
  if ("hashmap" in type) {
    const entry = fc.record({ key: scalarValue(type.hashmap.key), value: abiValue(type.hashmap.value, types) });
    return entry.map((each) => [each]);
  }
  if ("many" in type) return fc.array(abiValue(type.many, types), { maxLength: 2 });
  if ("array" in type) return fc.array(abiValue(type.array, types), { maxLength: 3 });
  if ("list" in type) return fc.array(abiValue(type.list, types), { maxLength: 3 });
  if ("struct" in type) return abiFields(type.struct, types);
  if ("tuple" in type) return abiFields(type.tuple, types);
  if ("union" in type) return fc.oneof(...type.union.map((each) => constructorValue(each, types)));
  return abiValue(types[type.named] as AbiType, types);
}

function constructorValue({ name, fields }: AbiConstructor, types: Types): fc.Arbitrary<JsonObject> {
  return abiFields(fields, types).map((values) => ({ "@type": name, ...values }));
}

const smallCell = fc
  .bigInt({ min: 0n, max: 2n ** 32n - 1n })
  .map((value) => writeBoc(beginCell().storeBigUint(value, 32).cell()).toString("base64"));
const account = fc
  .tuple(fc.constantFrom(-1, 0), fc.uint8Array({ minLength: 32, maxLength: 32 }))
  .map(([workchain, bytes]) => `${workchain}:${Buffer.from(bytes).toString("hex").toUpperCase()}`);
const content = fc.oneof(
  fc.record({ uri: fc.constantFrom("https://example.org/a.json", "ipfs://b") }),
  fc.record({ name: fc.string({ minLength: 1, maxLength: 9 }), symbol: fc.constantFrom("A", "BC") }),
);

function scalarValue(name: string): fc.Arbitrary<JsonValue> {
  const scalar = findScalar(name);
  if (scalar === undefined) throw new Error(`${name} is not a scalar`);
  switch (scalar.kind) {
    case "uint":
      return integer(0n, 2n ** BigInt(scalar.bits) - 1n, scalar.bits);
    case "int":
      return integer(-(2n ** BigInt(scalar.bits - 1)), 2n ** BigInt(scalar.bits - 1) - 1n, scalar.bits);
    case "varuint":
      return integer(0n, 2n ** 64n - 1n, 256);
    case "varint":
      return integer(-(2n ** 60n), 2n ** 60n, 256);
    case "bits":
      return bitText(scalar.bits);
    case "bool":
      return fc.boolean();
    case "text":
      return fc.string({ maxLength: 20, unit: "grapheme" });
    case "bytes":
      return fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString("base64"));
    case "cell":
    case "slice":
      return smallCell;
    case "cell?":
      return fc.option(smallCell);
    case "content":
      return content;
    case "address":
      return account;
    case "address?":
      return fc.option(account);
    case "anyAddress":
      return fc.oneof(account, fc.constantFrom(null, "ext:", "ext:A", "ext:C_", "ext:0123456789ABCDEF"));
    case "any":
      return fc.constant(null);
  }
}

function integer(min: bigint, max: bigint, bits: number): fc.Arbitrary<JsonValue> {
  return fc.bigInt({ min, max }).map((value) => (bits <= 32 ? Number(value) : value.toString()));
}

function bitText(count: number): fc.Arbitrary<string> {
  const digits = fc.string({
    unit: fc.constantFrom(..."0123456789ABCDEF"),
    minLength: count >>> 2,
    maxLength: count >>> 2,
  });
  // The last digit has the bits beyond a multiple of four, then a one.
  const last = { 0: [""], 1: ["4_", "C_"], 2: ["2_", "6_", "A_", "E_"], 3: ["1_", "7_", "9_", "F_"] }[count & 3] ?? [];
  return fc.tuple(digits, fc.constantFrom(...last)).map(([whole, end]) => whole + end);
}
