import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findHash, hash, hashFromBytes, hashToBase64, hashToBytes, parseHash, zeroHash } from "../../src/model/Hash.ts";
import { itHoldsForRandom } from "../kit/cell/checkCodec.ts";
import { anyHash } from "../kit/model/modelValues.ts";
import { refusalCode } from "../kit/suite/refusal.ts";

describe("hashes", () => {
  itHoldsForRandom("bits256", hash, anyHash);

  it("are parsed from all common forms", () => {
    fc.assert(
      fc.property(anyHash, (value) => {
        const base64 = hashToBase64(value);
        const url = hashToBytes(value).toString("base64url");
        for (const text of [value, value.toUpperCase(), base64, url, `${url}=`]) expect(parseHash(text)).toBe(value);
        expect(hashFromBytes(hashToBytes(value))).toBe(value);
      }),
    );
  });

  it.each([
    ["nothing", ""],
    ["too few digits", "ab".repeat(31)],
    ["too many digits", "ab".repeat(33)],
    ["standard base64 without padding", "CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM"],
    ["both alphabets at once", "CPUE4WXeEJT+Dwz1fY_rkreWvYnsOt3I44i1G5ojJPM="],
    ["words", "not a hash"],
  ])("reject %s", (_name, text) => {
    expect(findHash(text)).toBeUndefined();
    expect(refusalCode(() => parseHash(text))).toBe("model/hash");
  });

  it("are 32 bytes", () => {
    expect(refusalCode(() => hashFromBytes(new Uint8Array(31)))).toBe("model/hash");
    expect(hashFromBytes(new Uint8Array(32))).toBe(zeroHash);
  });
});
