import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../../src/lib/bytes.ts";
import { TlReader } from "../../../src/lite/tl/TlReader.ts";
import { TlWriter } from "../../../src/lite/tl/TlWriter.ts";
import { bytes, decode, encode, int, int256, long, nat, text, vector } from "../../../src/lite/tl/types.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

describe("TlReader", () => {
  it("reads numbers little-endian, int and long signed, # unsigned", () => {
    expect(decode(int, fromHex("feffffff"))).toBe(-2);
    expect(decode(nat, fromHex("feffffff"))).toBe(4_294_967_294);
    expect(decode(long, fromHex("0000000000000080"))).toBe(-(2n ** 63n));
  });

  it("reads byte strings short and long, padded to four", () => {
    expect(toHex(decode(bytes, fromHex("03010203")))).toBe("010203");
    expect(toHex(decode(bytes, fromHex("fe03000001020300")))).toBe("010203");
    expect(toHex(decode(bytes, fromHex("00000000")))).toBe("");
  });

  it.each([
    ["a cut number", int, "000000"],
    ["a cut long", long, "00000000000000"],
    ["a cut int256", int256, "00".repeat(31)],
    ["a byte string without its padding", bytes, "0401020304"],
    ["a byte string shorter than it says", bytes, "fe00010000000000"],
    ["a byte string of more than 16 MiB", bytes, "ff00000001000000"],
    ["a vector longer than its bytes", vector(int), "ffffffff00000000"],
    ["left-over bytes", int, "0000000000000000"],
    ["nothing at all", int, ""],
  ])("rejects %s", (_, type, hex) => {
    expect(refusalCode(() => decode<unknown>(type, fromHex(hex)))).toBe("lite/tl");
  });

  it("rejects input over its limit before reading it", () => {
    expect(refusalCode(() => decode(bytes, encode(bytes, new Uint8Array(64)), 64))).toBe("lite/tl");
  });

  it("reads text that is not UTF-8 with replacement characters", () => {
    expect(decode(text, fromHex("03ff41fe"))).toBe("\uFFFDA\uFFFD");
  });

  it("never throws anything but coded errors", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (input) => {
        for (const type of [vector(bytes), vector(vector(long)), vector(int256), text]) {
          const reader = new TlReader(input);
          try {
            type.read(reader);
            expect(reader.position).toBeLessThanOrEqual(input.length);
          } catch (error) {
            expect(error).toMatchObject({ code: "lite/tl" });
          }
        }
      }),
    );
  });
});

describe("TlWriter", () => {
  it("round-trips with the reader", () => {
    const item = fc.record({
      a: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
      b: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
    });
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 1_000 })),
        fc.array(item),
        fc.string({ unit: "grapheme" }),
        (strings, items, said) => {
          expect(decode(vector(bytes), encode(vector(bytes), strings))).toEqual(strings);
          expect(
            decode(
              vector(int),
              encode(
                vector(int),
                items.map(({ a }) => a),
              ),
            ),
          ).toEqual(items.map(({ a }) => a));
          expect(
            decode(
              vector(long),
              encode(
                vector(long),
                items.map(({ b }) => b),
              ),
            ),
          ).toEqual(items.map(({ b }) => b));
          expect(decode(text, encode(text, said))).toBe(said);
        },
      ),
    );
  });

  it("writes unsigned numbers as their bits", () => {
    expect(toHex(encode(int, 0xffffffff))).toBe("ffffffff");
    expect(toHex(encode(long, 2n ** 63n))).toBe("0000000000000080");
  });

  it.each([253, 254, 255, 256, 65_535, 65_536, 2 ** 24 - 1])("writes a byte string of %i bytes", (length) => {
    const value = new Uint8Array(length).fill(7);
    expect(decode(bytes, encode(bytes, value), 2 ** 25).length).toBe(length);
  });

  it("rejects values that do not fit", () => {
    const writer = new TlWriter();
    expect(refusalCode(() => writer.int(2 ** 32))).toBe("lite/tl-value");
    expect(refusalCode(() => writer.int(-(2 ** 31) - 1))).toBe("lite/tl-value");
    expect(refusalCode(() => writer.int(0.5))).toBe("lite/tl-value");
    expect(refusalCode(() => writer.long(2n ** 64n))).toBe("lite/tl-value");
    expect(refusalCode(() => writer.bytes(new Uint8Array(2 ** 24)))).toBe("lite/tl-value");
    expect(refusalCode(() => encode(int256, new Uint8Array(31)))).toBe("lite/tl-value");
    expect(writer.finish().length).toBe(0);
  });
});
