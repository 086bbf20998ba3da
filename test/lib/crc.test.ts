import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crc16, crc32, crc32c } from "../../src/lib/crc.ts";

const check = new TextEncoder().encode("123456789");

/** The definition, bit by bit. */
function reflectedBitwise(polynomial: number, bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1;
  }
  return ~crc >>> 0;
}

describe("checksums", () => {
  it("have the published check values", () => {
    expect([crc16(check), crc32(check), crc32c(check)]).toEqual([0x31c3, 0xcbf43926, 0xe3069283]);
  });

  it("of no bytes are zero", () => {
    const nothing = new Uint8Array(0);
    expect([crc16(nothing), crc32(nothing), crc32c(nothing)]).toEqual([0, 0, 0]);
  });

  it("equal their definition at every length and alignment", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), fc.nat(9), (bytes, skip) => {
        const part = bytes.subarray(skip);
        expect(crc32(part)).toBe(reflectedBitwise(0xedb88320, part));
        expect(crc32c(part)).toBe(reflectedBitwise(0x82f63b78, part));
      }),
    );
  });

  it("are taken over a range without copying", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), fc.nat(70), fc.nat(70), (bytes, start, end) => {
        expect(crc32c(bytes, start, end)).toBe(crc32c(bytes.subarray(start, Math.max(start, end))));
      }),
    );
  });
});
