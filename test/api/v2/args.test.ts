import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addressArg,
  boolArg,
  bytesArg,
  findV2Hash,
  hashArg,
  intArg,
  listArg,
  longArg,
  neededSeqnoArg,
  notNegativeArg,
  seqnoArg,
  shardArg,
} from "../../../src/api/v2/args.ts";
import type { Arg } from "../../../src/lib/kit/arg.ts";

const hash = "08f504e165de1094fe0f0cf57d8feb92b796bd89ec3addc8e388b51b9a2324f3";

/** The error text for an argument. */
function refusal(arg: Arg<unknown>, value: unknown, name = "seqno"): string {
  try {
    return `not refused: ${String(arg.decode(value, name))}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe("integers", () => {
  it("are accepted as text of any sign, as numbers and as bigints", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        const spellings = [`${value}`, value, ...(value >= 0n ? [`+${value}`] : []), `${value}`.replace(/^-?/, "$&00")];
        for (const spelling of spellings) expect(longArg().decode(spelling, "lt")).toBe(value);
      }),
    );
    expect(intArg().decode(5, "x")).toBe(5);
    expect(intArg().decode("-2147483648", "x")).toBe(-(2 ** 31));
    expect(shardArg.decode("-9223372036854775808", "shard")).toBe(-(2n ** 63n));
  });

  it.each([
    "",
    " ",
    "1 ",
    "1.0",
    "0x10",
    "1e3",
    "--1",
    "+",
    "٣",
    "2147483648",
    1.5,
    Number.NaN,
    {},
    [],
    true,
    undefined,
  ])("%s is not a 32-bit number", (value) => {
    expect(refusal(intArg(), value)).toBe("failed to parse seqno");
  });

  it.each([
    "9223372036854775808",
    "18446744073709551615",
    -(2n ** 63n) - 1n,
    "8000000000000000000000000000000000000000",
  ])("%s is not a 64-bit number", (value) => {
    expect(refusal(shardArg, value, "shard")).toBe("failed to parse shard");
  });

  it("have their own texts for values that are out of range or missing", () => {
    expect(refusal(seqnoArg, 0)).toBe("seqno should be positive");
    expect(refusal(seqnoArg, "-1")).toBe("seqno should be positive");
    expect(refusal(seqnoArg, undefined)).toBe("failed to parse seqno");
    expect(refusal(neededSeqnoArg, undefined)).toBe("seqno should be positive");
    expect(refusal(notNegativeArg, -1, "lt")).toBe("lt should be non-negative");
    const limit = intArg({ min: 1, max: 1000 });
    expect(refusal(limit, 0, "limit")).toBe("limit should be positive");
    expect(refusal(limit, 1001, "limit")).toBe("limit should be less or equal 1000");
    expect(refusal(intArg({ missing: "workchain required" }), undefined, "workchain")).toBe("workchain required");
  });
});

describe("flags", () => {
  it.each([true, 1, -5, 5n, "1", "t", "TRUE", "Yes", "y", "ON"])("%s is true", (value) => {
    expect(boolArg.decode(value, "archival")).toBe(true);
  });
  it.each([false, 0, 0n, "0", "f", "False", "no", "N", "off"])("%s is false", (value) => {
    expect(boolArg.decode(value, "archival")).toBe(false);
  });
  it.each(["", "2", "truth", 0.5, {}, []])("%s is neither", (value) => {
    expect(refusal(boolArg, value, "archival")).toBe("failed to parse archival");
  });
});

describe("hashes", () => {
  it("are accepted in every form of the contract", () => {
    const bytes = Buffer.from(`fbff${hash.slice(4)}`, "hex");
    const hex = bytes.toString("hex");
    const base64 = bytes.toString("base64");
    for (const text of [hex, hex.toUpperCase(), base64, bytes.toString("base64url"), `${bytes.toString("base64url")}=`])
      expect(findV2Hash(text)).toBe(hex);
    expect(findV2Hash(base64.slice(0, 43))).toBeUndefined();
    expect([5, null, "", "x".repeat(44), `${hex}0`, base64.replace("+", " ")].map(findV2Hash)).toEqual(
      Array(6).fill(undefined),
    );
    expect(refusal(hashArg(), "zz", "root_hash")).toBe("failed to parse root_hash");
  });
});

describe("bytes", () => {
  it("are accepted in both alphabets of base64", () => {
    const bytes = new Uint8Array([0xfb, 0xff, 0xbe, 1]);
    const base64 = Buffer.from(bytes).toString("base64");
    for (const text of [base64, Buffer.from(bytes).toString("base64url")])
      expect(bytesArg().decode(text, "boc")).toEqual(bytes);
  });
  it("are rejected when empty or not base64", () => {
    const boc = bytesArg({ missing: "empty boc" });
    expect(["", undefined].map((value) => refusal(boc, value, "boc"))).toEqual(["empty boc", "empty boc"]);
    expect(["A", "!!!!", 5, "+/8 AQ=="].map((value) => refusal(boc, value, "boc"))).toEqual(
      Array(4).fill("failed to parse boc"),
    );
  });
});

describe("lists and addresses", () => {
  it("rejects a value that is not a list, and an invalid item by the list's name", () => {
    const libraries = listArg(hashArg());
    expect(refusal(libraries, hash, "libraries")).toBe("failed to parse libraries");
    expect(libraries.decode([hash, hash], "libraries")).toEqual([hash, hash]);
    expect(refusal(libraries, [hash, "x"], "libraries")).toBe("failed to parse libraries");
  });

  it("an address may have its own text when missing", () => {
    const source = addressArg({ missing: "empty source address" });
    expect(refusal(source, undefined, "source")).toBe("empty source address");
    expect(refusal(source, "x", "source")).toBe("failed to parse address");
    expect(refusal(source, 5, "source")).toBe("failed to parse address");
  });
});
