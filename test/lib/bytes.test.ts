import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compareBytes,
  concatBytes,
  equalBytes,
  fromBase64,
  fromBase64Url,
  fromHex,
  toBase64,
  toBase64Url,
  toHex,
} from "../../src/lib/bytes.ts";
import { refusalCode } from "../kit/suite/refusal.ts";

const anyBytes = fc.uint8Array({ maxLength: 100 });
/** A view into the middle of larger memory, where reading past the view would show. */
const inside = (bytes: Uint8Array) => concatBytes([Uint8Array.of(0xee), bytes, Uint8Array.of(0xdd)]).subarray(1, -1);

describe("hex", () => {
  it("round-trips bytes", () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        expect(fromHex(toHex(inside(bytes)))).toEqual(bytes);
      }),
    );
  });

  it("is lower case, and read in either case", () => {
    expect(toHex(Uint8Array.of(0, 0xab, 0xff))).toBe("00abff");
    expect(fromHex("00ABff")).toEqual(Uint8Array.of(0, 0xab, 0xff));
  });

  it.each(["0", "0g", "0x00", " 00", "00\n", "00 11", "é0"])("rejects %j", (text) => {
    expect(refusalCode(() => fromHex(text))).toBe("lib/hex");
  });

  it("rejects a long text without repeating all of it", () => {
    expect(() => fromHex("z".repeat(100_000))).toThrow(/^not hex: "z{80}… \(100000 characters\)"$/);
  });
});

describe("base64", () => {
  it("round-trips bytes", () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        expect(fromBase64(toBase64(inside(bytes)))).toEqual(bytes);
      }),
    );
  });

  it("has the standard alphabet and padding", () => {
    expect(toBase64(Uint8Array.of(0xfb, 0xff))).toBe("+/8=");
  });

  it.each(["A", "AA", "AAA", "A===", "AAAA=", "-_8=", "+/8= ", "+/8=\n", "A A=", "AB==", "+/9="])(
    "rejects %j",
    (text) => {
      expect(refusalCode(() => fromBase64(text))).toBe("lib/base64");
    },
  );
});

describe("base64url", () => {
  it("round-trips bytes", () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        expect(fromBase64Url(toBase64Url(inside(bytes)))).toEqual(bytes);
      }),
    );
  });

  it("has the URL-safe alphabet and no padding, but accepts full padding", () => {
    expect(toBase64Url(Uint8Array.of(0xfb, 0xff))).toBe("-_8");
    expect(fromBase64Url("-_8=")).toEqual(Uint8Array.of(0xfb, 0xff));
    expect(fromBase64Url("-w==")).toEqual(Uint8Array.of(0xfb));
  });

  it.each(["A", "+/8", "-_9", "-w=", "-w===", "-_8==", "AAAA=", "-_8\n"])("rejects %j", (text) => {
    expect(refusalCode(() => fromBase64Url(text))).toBe("lib/base64");
  });
});

describe("bytes", () => {
  it("that are decoded own their memory", () => {
    expect(fromHex("0102").buffer.byteLength).toBe(2);
    expect(fromBase64("AQI=").buffer.byteLength).toBe(2);
    expect(fromBase64Url("AQI").buffer.byteLength).toBe(2);
  });

  it("are joined in order", () => {
    const parts = fc.array(anyBytes, { maxLength: 5 });
    fc.assert(
      fc.property(parts, (all) => {
        expect([...concatBytes(all)]).toEqual(all.flatMap((part) => [...part]));
      }),
    );
  });

  it("are ordered by the first difference, then by length", () => {
    const sorted = ["", "00", "0001", "01", "7fff", "80", "ff"].map(fromHex);
    expect([...sorted].reverse().sort(compareBytes)).toEqual(sorted);
  });

  it("are equal exactly when their hex is", () => {
    fc.assert(
      fc.property(anyBytes, anyBytes, (a, b) => {
        expect(equalBytes(a, b)).toBe(toHex(a) === toHex(b));
        expect(equalBytes(a, inside(a))).toBe(true);
      }),
    );
  });
});
