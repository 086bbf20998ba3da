import { Address as CoreAddress } from "@ton/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Address,
  accountOf,
  findAddress,
  formatAddress,
  formatRawAddress,
  makeAddress,
  parseAddress,
  plainAddress,
  workchainOf,
} from "../../src/model/Address.ts";
import { anyRewrittenAddress } from "../kit/model/addressValues.ts";
import { anyAddress } from "../kit/model/modelValues.ts";
import { refusalCode } from "../kit/suite/refusal.ts";

const zeros = "0".repeat(64);
const elector = `-1:${"3".repeat(64)}` as Address;
const anyFlags = fc.record({ bounceable: fc.boolean(), testOnly: fc.boolean() });

describe("addresses", () => {
  it("have a workchain and an account", () => {
    expect([workchainOf(elector), accountOf(elector)]).toEqual([-1, "3".repeat(64)]);
    expect(makeAddress(-1, "3".repeat(64))).toBe(elector);
  });

  it("are parsed and printed in every form like in @ton/core", () => {
    fc.assert(
      fc.property(anyAddress, anyFlags, (address, flags) => {
        const core = CoreAddress.parseRaw(address);
        for (const [alphabet, urlSafe] of [["base64", false] as const, ["base64url", true] as const]) {
          const text = formatAddress(address, flags, alphabet);
          expect(text).toBe(core.toString({ ...flags, urlSafe }));
          expect(parseAddress(text)).toEqual({ address, flags });
        }
        expect(parseAddress(formatRawAddress(address))).toEqual({ address, flags: undefined });
        expect(parseAddress(address)).toEqual({ address, flags: undefined });
      }),
    );
  });

  it("are printed raw in upper case", () => {
    expect(formatRawAddress(makeAddress(0, "ab".repeat(32)))).toBe(`0:${"AB".repeat(32)}`);
  });

  it("may have any 32-bit workchain in raw form", () => {
    for (const workchain of [-2147483648, -129, 128, 2147483647])
      expect(parseAddress(`${workchain}:${zeros}`).address).toBe(`${workchain}:${zeros}`);
  });

  it("have no user-friendly form outside one-byte workchains", () => {
    const flags = { bounceable: true, testOnly: false };
    for (const workchain of [-129, 128])
      expect(refusalCode(() => formatAddress(makeAddress(workchain, zeros), flags, "base64"))).toBe("model/address");
  });

  it.each([
    ["nothing", ""],
    ["a word", "invalid"],
    ["a raw address that is too short", `0:${zeros.slice(1)}`],
    ["a raw address that is too long", `0:${zeros}0`],
    ["a raw address without a workchain", `:${zeros}`],
    ["a raw address of minus nothing", `-0:${zeros}`],
    ["a raw address with a sign", `+1:${zeros}`],
    ["a raw address whose workchain has more than 32 bits", `2147483648:${zeros}`],
    ["a raw address with other digits", `0:${"g".repeat(64)}`],
    ["a raw address with spaces", ` 0:${zeros}`],
    ["a friendly address with a wrong checksum", "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2O"],
    ["a friendly address with both alphabets", "UQAlj-e80AOhc+wW4bn9Fac9q4FEekXYMIRecdU95kW5NxOX"],
    ["a friendly address that is too short", "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2"],
    ["a friendly address with a line end", "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N\n"],
  ])("reject %s", (_name, text) => {
    expect(findAddress(text)).toBeUndefined();
    expect(refusalCode(() => parseAddress(text))).toBe("model/address");
  });

  it("reject a friendly address with another tag", () => {
    fc.assert(
      fc.property(fc.nat({ max: 255 }), (tag) => {
        const bytes = Buffer.from(formatAddress(elector, { bounceable: true, testOnly: false }, "base64"), "base64");
        bytes[0] = tag;
        const isRight = [0x11, 0x51, 0x91, 0xd1].includes(tag);
        // Only the first of them has a valid checksum.
        expect(findAddress(bytes.toString("base64")) !== undefined).toBe(isRight && tag === 0x11);
      }),
    );
  });

  it("that were rewritten stand for the account with the rewritten bits", () => {
    const account = "f".repeat(64);
    const anycast = { depth: 12, prefix: "1230" };
    const address = { kind: "standard", anycast, workchain: 0, bits: 256, account } as const;
    expect(plainAddress(address)).toBe(`0:123${"f".repeat(61)}`);
  });

  it("that were rewritten keep all bits after the rewritten ones", () => {
    fc.assert(
      fc.property(anyRewrittenAddress, (address) => {
        const bits = (hex: string) => BigInt(`0x1${hex}`).toString(2).slice(1);
        const depth = address.anycast?.depth ?? 0;
        const expected = bits(address.anycast?.prefix ?? "").slice(0, depth) + bits(address.account).slice(depth);
        expect(bits(accountOf(plainAddress(address)))).toBe(expected);
      }),
    );
  });

  it("of another length than 256 bits have no raw form", () => {
    const address = { kind: "variable", anycast: undefined, workchain: 0, bits: 8, account: "ab" } as const;
    expect(refusalCode(() => plainAddress(address))).toBe("model/address");
  });
});
