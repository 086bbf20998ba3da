import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyTree, cellOf } from "../../kit/cell/anyCell.ts";
import { beginCell, emptyCell } from "../../src/cell/Builder.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import {
  bigInt,
  bigUint,
  bool,
  bytes,
  type Codec,
  cell,
  int,
  lazy,
  loadCell,
  mapped,
  maybe,
  parseTag,
  ref,
  rest,
  smallVarUint,
  storeCell,
  struct,
  tagged,
  uint,
  uint8,
  uint16,
  uint64,
  uint256,
  union,
  upTo,
  type ValueOf,
  variant,
  varUint,
} from "../../src/cell/codec.ts";
import { makeLibrary } from "../../src/cell/exotic.ts";
import { zeroHash } from "../../src/cell/Hash.ts";
import { sliceOf } from "../../src/cell/Slice.ts";
import { refusalCode } from "../kit/suite/refusal.ts";

/** Checks that a stored value loads to the same value and stores to the same cell. */
function roundTrips<T>(codec: Codec<T>, values: fc.Arbitrary<T>): void {
  fc.assert(
    fc.property(values, (value) => {
      const stored = storeCell(codec, value);
      const back = loadCell(codec, stored);
      expect(back).toEqual(value);
      expect(storeCell(codec, back).hash()).toBe(stored.hash());
    }),
    { numRuns: 200 },
  );
}

const big = (bits: number) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n });

describe("plain fields", () => {
  it("round-trip", () => {
    roundTrips(uint(53), fc.maxSafeNat());
    roundTrips(int(53), fc.integer());
    roundTrips(uint(3), fc.nat(7));
    roundTrips(bigUint(200), big(200));
    roundTrips(
      bigInt(257),
      big(257).map((value) => BigInt.asIntN(257, value)),
    );
    roundTrips(uint64, big(64));
    roundTrips(uint256, big(256));
    roundTrips(bool, fc.boolean());
    roundTrips(varUint(16), big(120));
    roundTrips(varUint(32), big(248));
    roundTrips(smallVarUint(7), fc.nat(2 ** 31 - 1));
    roundTrips(smallVarUint(3), fc.nat(2 ** 16 - 1));
    roundTrips(upTo(96), fc.nat(96));
    roundTrips(bytes(5), fc.uint8Array({ minLength: 5, maxLength: 5 }));
    roundTrips(maybe(uint8), fc.option(fc.nat(255), { nil: undefined }));
  });

  it("have the length of the schema", () => {
    const lengths = [
      upTo(30),
      upTo(31),
      upTo(32),
      upTo(96),
      smallVarUint(3),
      smallVarUint(7),
      varUint(16),
      varUint(32),
    ];
    const zero = [0, 0, 0, 0, 0, 0, 0n, 0n];
    expect(lengths.map((codec, i) => storeCell(codec as Codec<unknown>, zero[i]).bitLength)).toEqual([
      5, 5, 6, 7, 2, 3, 4, 5,
    ]);
  });

  it.each<[string, () => unknown]>([
    ["a number beyond its limit, read", () => loadCell(upTo(96), cellOf("1100001"))],
    ["a number beyond its limit, stored", () => storeCell(upTo(96), 97)],
    ["a small number that is too long, read", () => loadCell(smallVarUint(3), cellOf(`11${"0".repeat(24)}`))],
    ["a small number that is too large, stored", () => storeCell(smallVarUint(3), 2 ** 16)],
    ["a small number with a fraction", () => storeCell(smallVarUint(7), 1.5)],
    ["a small number that is negative", () => storeCell(smallVarUint(7), -1)],
    ["bytes of another length", () => storeCell(bytes(5), new Uint8Array(4))],
  ])("reject %s", (_what, work) => {
    expect(refusalCode(work)).toBe("cell/range");
  });
});

describe("fields in cells", () => {
  it("are kept unchanged", () => {
    const inner = cellOf("101");
    expect(loadCell(cell, storeCell(cell, inner))).toBe(inner);
    expect(loadCell(cell, storeCell(cell, makeLibrary(zeroHash))).isExotic).toBe(true);
  });

  it("must fill their cell", () => {
    roundTrips(ref(uint16), fc.nat(65535));
    expect(refusalCode(() => loadCell(ref(uint8), storeCell(ref(uint16), 5)))).toBe("cell/leftover");
    expect(refusalCode(() => loadCell(ref(uint16), storeCell(ref(uint8), 5)))).toBe("cell/underflow");
    expect(refusalCode(() => loadCell(ref(uint8), emptyCell))).toBe("cell/underflow");
    expect(refusalCode(() => loadCell(ref(uint8), storeCell(cell, makeLibrary(zeroHash))))).toBe("cell/exotic");
  });

  it("take the whole rest", () => {
    const codec = struct({ first: uint8, rest });
    fc.assert(
      fc.property(anyTree(5), (tree) => {
        if (tree.bitLength > 1000) return;
        const stored = beginCell().storeUint(7, 8).storeSlice(sliceOf(tree)).cell();
        const back = loadCell(codec, stored);
        expect([back.first, back.rest.hash()]).toEqual([7, tree.hash()]);
        expect(storeCell(codec, back).hash()).toBe(stored.hash());
      }),
    );
    expect(loadCell(rest, emptyCell).hash()).toBe(emptyCell.hash());
  });

  it("take at most the rest of a part", () => {
    const whole = cellOf("10110", [emptyCell]);
    expect(rest.load(sliceOf(whole).loadPart(3, 0)).hash()).toBe(cellOf("101").hash());
  });
});

describe("a structure", () => {
  const Point = struct({ x: int(8), y: maybe(ref(uint16)), tail: cell });

  it("has its fields in their order", () => {
    const value: ValueOf<typeof Point> = { x: -5, y: 300, tail: emptyCell };
    const stored = storeCell(Point, value);
    expect(stored.hash()).toBe(cellOf("111110111", [cellOf("0000000100101100"), emptyCell]).hash());
    expect(loadCell(Point, stored)).toEqual(value);
    expect(Object.keys(loadCell(Point, stored))).toEqual(["x", "y", "tail"]);
  });

  it("can be read into a literal, and is the same", () => {
    const fields = { a: uint8, b: bool };
    const literal = struct(fields, (f, s) => ({ a: f.a.load(s), b: f.b.load(s) }));
    expect(loadCell(literal, storeCell(struct(fields), { a: 3, b: true }))).toEqual({ a: 3, b: true });
    roundTrips(literal, fc.record({ a: fc.nat(255), b: fc.boolean() }));
    const behindTag = tagged("#ab", fields, (f, s) => ({ a: f.a.load(s), b: f.b.load(s) }));
    roundTrips(behindTag, fc.record({ a: fc.nat(255), b: fc.boolean() }));
  });

  it("after a tag rejects another tag", () => {
    const Tagged = tagged("#4ac789f3", { x: uint8 });
    roundTrips(Tagged, fc.record({ x: fc.nat(255) }));
    expect(storeCell(Tagged, { x: 1 }).hash()).toBe(
      beginCell().storeUint(0x4ac789f3, 32).storeUint(1, 8).cell().hash(),
    );
    expect(refusalCode(() => loadCell(Tagged, beginCell().storeUint(0x4ac789f2, 32).storeUint(1, 8).cell()))).toBe(
      "cell/tag",
    );
    expect(refusalCode(() => loadCell(Tagged, cellOf("0100101")))).toBe("cell/underflow");
  });

  it("may map the same bits to another value", () => {
    const Flag = mapped(
      bool,
      (value) => (value ? "yes" : "no"),
      (value) => value === "yes",
    );
    roundTrips(Flag, fc.constantFrom("yes", "no"));
  });

  it("may contain itself", () => {
    interface List {
      readonly head: number;
      readonly tail: List | undefined;
    }
    const List: Codec<List> = lazy(() => struct({ head: uint8, tail: maybe(ref(List)) }));
    const anyList = fc
      .array(fc.nat(255), { minLength: 1, maxLength: 20 })
      .map((values) => values.reduceRight<List | undefined>((tail, head) => ({ head, tail }), undefined));
    roundTrips(
      List,
      anyList.map((list) => list as List),
    );
  });
});

describe("a tag", () => {
  it("is written in hex, in bits or not at all", () => {
    expect(["#4ac789f3", "$0111", "#_", "$_", "#7"].map(parseTag)).toEqual([
      { value: 0x4ac789f3, bits: 32 },
      { value: 7, bits: 4 },
      { value: 0, bits: 0 },
      { value: 0, bits: 0 },
      { value: 7, bits: 4 },
    ]);
  });
});

describe("a union", () => {
  const Shape = union({
    none: ["$00", {}],
    point: ["$01", { x: uint8 }],
    circle: ["$1", { r: uint16, at: ref(uint8) }],
  });
  const anyShape = fc.oneof(
    fc.record({ kind: fc.constant("none" as const) }),
    fc.record({ kind: fc.constant("point" as const), x: fc.nat(255) }),
    fc.record({ kind: fc.constant("circle" as const), r: fc.nat(65535), at: fc.nat(255) }),
  );

  it("round-trips with its kind", () => {
    roundTrips<ValueOf<typeof Shape>>(Shape, anyShape);
  });

  it("with long tags round-trips with its kind", () => {
    const Message = union({ a: ["#4ac789f3", { x: uint8 }], b: ["#4ac789f4", { y: bool }], c: ["$1", {}] });
    const anyMessage = fc.oneof(
      fc.record({ kind: fc.constant("a" as const), x: fc.nat(255) }),
      fc.record({ kind: fc.constant("b" as const), y: fc.boolean() }),
      fc.record({ kind: fc.constant("c" as const) }),
    );
    roundTrips<ValueOf<typeof Message>>(Message, anyMessage);
    expect(refusalCode(() => loadCell(Message, cellOf("0".repeat(32))))).toBe("cell/tag");
  });

  it("may read a kind into a literal", () => {
    const Value = union({
      one: variant("$0", { x: uint8 }, (f, s) => ({ kind: "one", x: f.x.load(s) })),
      two: ["$1", { y: bool }],
    });
    expect(loadCell(Value, cellOf("000000101"))).toEqual({ kind: "one", x: 5 });
    expect(loadCell(Value, storeCell(Value, { kind: "two", y: true }))).toEqual({ kind: "two", y: true });
  });

  it("uses the first matching kind, and one without a tag for all others", () => {
    const Either = union({ first: ["$11", {}], other: ["$_", { rest: uint(2) }] });
    expect(loadCell(Either, cellOf("11"))).toEqual({ kind: "first" });
    expect(loadCell(Either, cellOf("01"))).toEqual({ kind: "other", rest: 1 });
  });

  it("is rejected if no kind matches or a tag is truncated", () => {
    const Two = union({ a: ["$00", {}], b: ["$01", {}] });
    expect(refusalCode(() => loadCell(Two, cellOf("10")))).toBe("cell/tag");
    expect(refusalCode(() => loadCell(Two, cellOf("0")))).toBe("cell/tag");
    expect(refusalCode(() => loadCell(Two, emptyCell))).toBe("cell/tag");
    const unknown = { kind: "c" } as unknown as ValueOf<typeof Two>;
    expect(refusalCode(() => storeCell(Two, unknown))).toBe("cell/tag");
  });

  it("reads a short kind at the end of a cell", () => {
    expect(loadCell(union({ a: ["$0", {}], b: ["$1010", {}] }), cellOf("0"))).toEqual({ kind: "a" });
  });
});

describe("a whole cell", () => {
  it("is rejected with left-over data", () => {
    expect(refusalCode(() => loadCell(uint8, cellOf("000000000")))).toBe("cell/leftover");
    expect(refusalCode(() => loadCell(uint8, cellOf("00000000", [emptyCell])))).toBe("cell/leftover");
  });

  it("is rejected if a field does not fit", () => {
    const five: Codec<Cell[]> = {
      load: () => [],
      store: (builder, cells) => {
        for (const each of cells) builder.storeRef(each);
      },
    };
    expect(refusalCode(() => storeCell(five, Array<Cell>(5).fill(emptyCell)))).toBe("cell/overflow");
  });
});
