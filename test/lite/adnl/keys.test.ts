import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../../src/lib/bytes.ts";
import { makeAdnlKey, montgomeryOf } from "../../../src/lite/adnl/keys.ts";
import { keyId } from "../../../src/lite/adnl/publicKeys.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const seed = fc.uint8Array({ minLength: 32, maxLength: 32 });

describe("makeKey", () => {
  it("gives two keys the same shared secret", () => {
    fc.assert(
      fc.property(seed, seed, (one, other) => {
        const [a, b] = [makeAdnlKey(one), makeAdnlKey(other)];
        expect(toHex(a.agree(b.publicKey))).toBe(toHex(b.agree(a.publicKey)));
      }),
    );
  });

  it("has the hash of its public key as id", () => {
    // RFC 8032, test 1.
    const key = makeAdnlKey(fromHex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"));
    expect(toHex(key.publicKey)).toBe("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
    expect(key.id).toEqual(keyId(key.publicKey));
  });

  it("rejects a seed of another length", () => {
    expect(refusalCode(() => makeAdnlKey(new Uint8Array(31)))).toBe("lite/tl-value");
  });

  it.each([
    ["the neutral point", `01${"00".repeat(31)}`],
    ["the point of order two", `ec${"ff".repeat(30)}7f`],
    ["a point of order four", "00".repeat(32)],
  ])("shares no secret with %s", (_, hex) => {
    expect(refusalCode(() => makeAdnlKey(new Uint8Array(32)).agree(fromHex(hex)))).toBe("lite/handshake");
  });
});

describe("montgomeryOf", () => {
  it("does not change the caller's key, also for a Buffer", () => {
    const key = Buffer.from(`58${"66".repeat(31)}`, "hex");
    montgomeryOf(key);
    expect(key.toString("hex")).toBe(`58${"66".repeat(31)}`);
  });

  it("maps the base point to the base point, whatever the sign of x", () => {
    const base = `58${"66".repeat(31)}`;
    const negative = `58${"66".repeat(30)}e6`;
    expect(toHex(montgomeryOf(fromHex(base)))).toBe(`09${"00".repeat(31)}`);
    expect(toHex(montgomeryOf(fromHex(negative)))).toBe(`09${"00".repeat(31)}`);
  });
});
