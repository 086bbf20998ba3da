import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressFromBytes, addressToHex, hash, int4 } from "../../../../src/history/store/schema/columns.ts";
import { fromHex } from "../../../../src/lib/bytes.ts";
import { makeAddress } from "../../../../src/model/Address.ts";
import { hashFromBytes } from "../../../../src/model/Hash.ts";
import { refusalCode } from "../../../kit/suite/refusal.ts";

const account = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(hashFromBytes);

describe("accounts as bytes", () => {
  it("round-trip for every workchain", () => {
    fc.assert(
      fc.property(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), account, (workchain, hashPart) => {
        const address = makeAddress(workchain, hashPart);
        expect(addressFromBytes(fromHex(addressToHex(address)))).toBe(address);
      }),
    );
  });

  it("are ordered by workchain and account", () => {
    const one = fc.tuple(fc.integer({ min: -128, max: 127 }), account);
    fc.assert(
      fc.property(one, one, ([firstChain, first], [secondChain, second]) => {
        const [a, b] = [addressToHex(makeAddress(firstChain, first)), addressToHex(makeAddress(secondChain, second))];
        const isBefore = firstChain < secondChain || (firstChain === secondChain && first < second);
        expect(a < b).toBe(isBefore);
      }),
    );
  });
});

describe("a value of another type than its column", () => {
  it.each([
    ["text for a number", () => int4.read("5")],
    ["a number for a hash", () => hash.read(5)],
  ])("is rejected: %s", (_, read) => {
    expect(refusalCode(read)).toBe("history/row");
  });
});
