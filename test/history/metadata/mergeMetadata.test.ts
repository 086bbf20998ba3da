import { describe, expect, it } from "vitest";
import { isSufficient, mergeMetadata } from "../../../src/history/metadata/mergeMetadata.ts";

const none = { name: undefined, description: undefined, symbol: undefined, image: undefined };

describe("the metadata of a token", () => {
  it.each([
    ["nothing at all", {}, undefined, { ...none, extra: {} }],
    [
      "what stands on the chain",
      { name: "Coin", symbol: "CN", decimals: "6", image_data: "AA==" },
      undefined,
      { ...none, name: "Coin", symbol: "CN", extra: { decimals: "6", image_data: "AA==" } },
    ],
    [
      "a document, with the link that led to it",
      { uri: "https://example.org/1.json" },
      { name: "Item", image: "https://example.org/1.png", attributes: [{ trait_type: "eyes", value: 2 }] },
      {
        ...none,
        name: "Item",
        image: "https://example.org/1.png",
        extra: { uri: "https://example.org/1.json", attributes: [{ trait_type: "eyes", value: 2 }] },
      },
    ],
    [
      "the chain's word before the document's, key by key",
      { symbol: "REAL", decimals: "9", uri: "https://example.org" },
      { symbol: "FAKE", name: "Coin", decimals: 18, social: ["a"] },
      { ...none, symbol: "REAL", name: "Coin", extra: { decimals: "9", uri: "https://example.org", social: ["a"] } },
    ],
    [
      "fields that are no text among the rest, unchanged",
      {},
      { name: { en: "Coin" }, description: null, image: ["a.png"], symbol: 5 },
      { ...none, extra: { name: { en: "Coin" }, description: null, image: ["a.png"], symbol: 5 } },
    ],
    [
      "text of the chain where the document has none",
      { name: "Coin" },
      { name: 1 },
      { ...none, name: "Coin", extra: {} },
    ],
    ["large numbers with all their digits", {}, { supply: 2n ** 70n }, { ...none, extra: { supply: 2n ** 70n } }],
    ["a domain", { domain: "alice.ton" }, undefined, { ...none, extra: { domain: "alice.ton" } }],
  ])("is %s", (_, content, document, shown) => {
    expect(mergeMetadata(content, document)).toEqual(shown);
  });

  it("omits the largest parts of a document that is too large", () => {
    const large = {
      image: "x".repeat(20_000),
      description: "A coin.",
      a: [1],
      b: "z".repeat(10_000),
      c: "z".repeat(9_000),
    };
    expect(mergeMetadata({ symbol: "S" }, { name: "N", ...large })).toEqual({
      ...{ name: "N", symbol: "S", description: "A coin.", image: undefined },
      extra: { a: [1], c: large.c },
    });
  });

  it("has properties by name, whatever the names", () => {
    const document = Object.fromEntries([["__proto__", "x"]]);
    expect(Object.entries(mergeMetadata({}, document).extra)).toEqual([["__proto__", "x"]]);
  });
});

describe("on-chain content", () => {
  it.each([
    ["jetton_masters", { symbol: "CN" }, true],
    ["jetton_masters", { name: "Coin", image: "x", description: "y" }, false],
    ["jetton_masters", { symbol: "" }, false],
    ["nft_items", { name: "Item" }, true],
    ["nft_items", { domain: "alice.ton" }, true],
    ["nft_items", { image: "x", description: "y" }, false],
    ["nft_collections", { name: "Set" }, true],
    ["nft_collections", { description: "Set" }, true],
    ["nft_collections", { image: "x" }, true],
    ["nft_collections", { symbol: "x" }, false],
    ["nft_collections", {}, false],
  ] as const)("of %s: %j is complete: %s", (type, content, stands) => {
    expect(isSufficient(type, content)).toBe(stands);
  });
});
