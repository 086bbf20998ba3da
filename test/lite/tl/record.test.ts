import { describe, expect, expectTypeOf, it } from "vitest";
import { toHex } from "../../../src/lib/bytes.ts";
import { record, union } from "../../../src/lite/tl/record.ts";
import {
  bool,
  bytes,
  decode,
  encode,
  int,
  long,
  nat,
  present,
  type TlValue,
  text,
  vector,
  when,
} from "../../../src/lite/tl/types.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const flagged = record("flagged mode:# a:mode.0?int b:mode.3?bytes c:mode.31?true end:int = Flagged", {
  mode: nat,
  a: when("mode", 0, int),
  b: when("mode", 3, bytes),
  c: when("mode", 31, present),
  end: int,
});
const leaf = record("leaf#00000001 value:long = Tree", { value: long });
const branch = record("branch#00000002 name:string leaves:(vector leaf) = Tree", { name: text, leaves: vector(leaf) });
const tree = union("Tree", { leaf, branch });

describe("record", () => {
  it("has the type of its fields", () => {
    expectTypeOf<TlValue<typeof flagged>>().toEqualTypeOf<{
      readonly mode: number;
      readonly a?: number | undefined;
      readonly b?: Uint8Array | undefined;
      readonly c?: true | undefined;
      readonly end: number;
    }>();
    expectTypeOf<TlValue<typeof tree>>().toEqualTypeOf<
      | { readonly kind: "leaf"; readonly value: bigint }
      | { readonly kind: "branch"; readonly name: string; readonly leaves: readonly { readonly value: bigint }[] }
    >();
  });

  it("reads only the fields whose flags are set", () => {
    expect(decode(flagged, encode(flagged, { mode: 0, end: 7 }))).toEqual({ mode: 0, end: 7 });
    expect(decode(flagged, encode(flagged, { mode: 1, a: -1, end: 7 }))).toEqual({ mode: 1, a: -1, end: 7 });
  });

  it("sets the flags of given fields, and keeps other set flags", () => {
    const written = encode(flagged, { mode: 4, b: new Uint8Array([9]), c: true, end: 7 });
    expect(toHex(written)).toBe("0c000080" + "01090000" + "07000000");
    expect(decode(flagged, written)).toEqual({ mode: 0x8000000c, b: new Uint8Array([9]), c: true, end: 7 });
  });

  it("reads the flag of a field without bytes as its presence", () => {
    expect(toHex(encode(flagged, { mode: 0x80000000, end: 7 }))).toBe("0000008007000000");
  });

  it("rejects a flag whose field is missing", () => {
    expect(refusalCode(() => encode(flagged, { mode: 1, end: 7 }))).toBe("lite/tl-value");
  });

  it("rejects a missing field", () => {
    const holey = JSON.parse('{"mode":0}');
    expect(refusalCode(() => encode(flagged, holey))).toBe("lite/tl-value");
  });

  it("writes its id before the fields only when boxed", () => {
    expect(toHex(encode(leaf, { value: 2n }))).toBe("0200000000000000");
    expect(toHex(encode(leaf.boxed, { value: 2n }))).toBe("010000000200000000000000");
    expect([leaf.name, leaf.boxed.name]).toEqual(["leaf", "Tree"]);
  });

  it("rejects another id", () => {
    expect(refusalCode(() => decode(leaf.boxed, encode(branch.boxed, { name: "", leaves: [] })))).toBe("lite/tl");
  });
});

describe("union", () => {
  it("distinguishes its constructors by kind", () => {
    const value = { kind: "branch", name: "ä", leaves: [{ value: 1n }, { value: -1n }] } as const;
    expect(decode(tree, encode(tree, value))).toEqual(value);
  });

  it("rejects an unknown id and an unknown kind", () => {
    expect(refusalCode(() => decode(tree, new Uint8Array(12)))).toBe("lite/tl");
    expect(refusalCode(() => encode(tree, JSON.parse('{"kind":"root"}')))).toBe("lite/tl-value");
  });
});

describe("Bool", () => {
  it("is one of two ids", () => {
    expect(toHex(encode(bool, true))).toBe("b5757299");
    expect(toHex(encode(bool, false))).toBe("379779bc");
    expect(refusalCode(() => decode(bool, new Uint8Array(4)))).toBe("lite/tl");
  });
});
