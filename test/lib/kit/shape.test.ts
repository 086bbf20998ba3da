import { Type } from "typebox";
import { Value } from "typebox/value";
import { describe, expect, expectTypeOf, it } from "vitest";
import { toHex } from "../../../src/lib/bytes.ts";
import { countDeferred } from "../../../src/lib/kit/deferredJson.ts";
import {
  bool,
  decimal,
  type EncodedBy,
  field,
  int,
  list,
  nullable,
  omittable,
  shape,
  text,
} from "../../../src/lib/kit/shape.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

interface BlockRef {
  readonly workchain: number;
  readonly shard: bigint;
  readonly rootHash: Uint8Array;
}

interface Head {
  readonly last: BlockRef;
  readonly before: BlockRef | undefined;
  readonly shards: readonly BlockRef[];
  readonly names: readonly (string | undefined)[];
  readonly isKey: boolean;
}

const hex = field({ schema: Type.String({ pattern: "^(?:[0-9a-f]{2})*$" }), encode: toHex });

const blockRef = shape<BlockRef>()({
  workchain: int("Workchain.", (b) => b.workchain),
  shard: decimal("Shard.", (b) => b.shard),
  root_hash: hex("Hash in hex.", (b) => b.rootHash),
});

const head = shape<Head>()({
  last: blockRef("Newest block.", (h) => h.last),
  before: nullable(blockRef)("Block before it.", (h) => h.before),
  shards: list(blockRef)("Shards.", (h) => h.shards),
  names: list(nullable(text))("Names.", (h) => h.names),
  is_key: bool("Whether it is a key block.", (h) => h.isKey),
});

const block: BlockRef = { workchain: -1, shard: -(2n ** 63n), rootHash: Uint8Array.of(0xab, 1) };
const encodedBlock = { workchain: -1, shard: "-9223372036854775808", root_hash: "ab01" };

describe("a shape", () => {
  it("encodes a value into the JSON its schema describes", () => {
    const value = { last: block, before: undefined, shards: [block, block], names: ["a", undefined], isKey: true };
    const encoded = head.encode(value);
    expect(encoded).toEqual({
      last: encodedBlock,
      before: null,
      shards: [encodedBlock, encodedBlock],
      names: ["a", null],
      is_key: true,
    });
    expect(Value.Check(head.schema, encoded)).toBe(true);
    expect(Value.Check(head.schema, { ...encoded, is_key: undefined })).toBe(false);
  });

  it("has the type of its JSON", () => {
    expectTypeOf<EncodedBy<typeof blockRef>>().toEqualTypeOf<{
      readonly workchain: number;
      readonly shard: string;
      readonly root_hash: string;
    }>();
    expectTypeOf<EncodedBy<typeof head>["before"]>().toEqualTypeOf<EncodedBy<typeof blockRef> | null>();
    expectTypeOf<EncodedBy<typeof head>["names"]>().toEqualTypeOf<readonly (string | null)[]>();
  });

  it("is plain JSON Schema", () => {
    expect(JSON.parse(JSON.stringify(blockRef.schema))).toEqual({
      type: "object",
      required: ["workchain", "shard", "root_hash"],
      properties: {
        workchain: { type: "integer", description: "Workchain." },
        shard: { type: "string", pattern: "^-?[0-9]+$", description: "Shard." },
        root_hash: { type: "string", pattern: "^(?:[0-9a-f]{2})*$", description: "Hash in hex." },
      },
    });
  });

  it("needs the meaning of each field", () => {
    // @ts-expect-error What the field means is left out.
    int((b: BlockRef) => b.workchain);
    // @ts-expect-error A form alone says nothing about the field.
    expect(shape<{ name: string }>()({ name: { schema: text.schema, encode: () => "a" } }).encode).toBeTypeOf(
      "function",
    );
  });

  it("accepts field forms declared elsewhere", () => {
    const upper = field({ schema: text.schema, encode: (value: string) => value.toUpperCase() });
    expect(shape<{ name: string }>()({ name: upper("Name.", (v) => v.name) }).encode({ name: "a" })).toEqual({
      name: "A",
    });
  });
});

it.each([0.5, 2 ** 53, Number.NaN])("an integer field rejects %d as an internal error", (value) => {
  expect(refusalCode(() => int.encode(value))).toBe("lib/shape");
});

it("an optional field without a value is no property", () => {
  const named = shape<{ name: string | undefined }>()({ name: omittable(text)("Name.", (each) => each.name) });
  const sent = [{ name: "a" }, { name: undefined }].map((each) => JSON.parse(JSON.stringify(named.encode(each))));
  expect(sent).toEqual([{ name: "a" }, {}]);
  expect(sent.map((each) => Value.Check(named.schema, each))).toEqual([true, true]);
  expectTypeOf<EncodedBy<typeof named>["name"]>().toEqualTypeOf<string | undefined>();
});

describe("the text of a shape", () => {
  const escaped = field({ schema: text.schema, encode: (value: string) => `<${value}>` });
  const named = shape<{ name: string | undefined; names: readonly string[] }>()({
    name: omittable(escaped)("Name.", (each) => each.name),
    names: list(text)("Names.", (each) => each.names),
  });

  it.each([
    { name: "a", names: [] },
    { name: undefined, names: ['"', "\\", "\u2028é\ud800"] },
    { name: '"\n', names: Array.from({ length: 32 }, (_, at) => `${at}`) },
  ])("is the JSON of its value: %j", (value) => {
    expect(named.format(value)).toBe(JSON.stringify(named.encode(value)));
  });

  it("is that of null and of whole numbers", () => {
    const value = { last: block, before: undefined, shards: [block], names: [undefined], isKey: false };
    expect(head.format(value)).toBe(JSON.stringify(head.encode(value)));
    expect(refusalCode(() => int.format(0.5))).toBe("lib/shape");
  });

  it("is not made of a long list, which is written in steps", () => {
    const before = countDeferred();
    named.format({ name: "a", names: Array.from({ length: 33 }, () => "b") });
    expect(countDeferred()).toBeGreaterThan(before);
  });

  it("is the same for a long list of long lists", () => {
    const names = (count: number) => ({ name: "a", names: Array.from({ length: count }, (_, at) => `"${at}`) });
    const values = Array.from({ length: 40 }, (_, at) => names(at));
    expect(JSON.parse(JSON.stringify(list(named).encode(values)))).toEqual(
      values.map((each) => ({ ...each, name: "<a>" })),
    );
  });
});
