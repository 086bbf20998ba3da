import { describe, expect, it } from "vitest";
import { boundDocument, maxDocumentBytes } from "../../../src/history/metadata/boundDocument.ts";
import { formatJson, type JsonValue } from "../../../src/lib/json.ts";

const shown = { name: "Coin", symbol: "CN", decimals: 9, image: "https://example.org/a.png", description: "A coin." };

describe("a document as it is stored", () => {
  it("is unchanged when it is small", () => {
    const document = { ...shown, attributes: [{ trait_type: "eyes", value: [1, 2n ** 70n] }], nothing: null };
    expect(boundDocument(document)).toEqual(document);
  });

  it("keeps the shown fields before 22,000 small ones, which stand before them", () => {
    const filler = Object.fromEntries(Array.from({ length: 22_000 }, (_, at) => [`k${at}`, at]));
    const bound = boundDocument({ ...filler, ...shown });
    expect(bound).toMatchObject(shown);
    expect(Object.keys(bound).length).toBeLessThanOrEqual(1024);
    expect(formatJson(bound).length).toBeLessThanOrEqual(maxDocumentBytes);
  });

  it("cuts long texts at a whole character, and leaves long links out", () => {
    const long = { name: "é".repeat(1000), description: "x".repeat(100_000), image: "y".repeat(100_000) };
    expect(boundDocument(long)).toEqual({ name: "é".repeat(256), description: "x".repeat(4096) });
  });

  it("leaves out what is too deep, too large or has too many parts, and keeps the rest", () => {
    const deep = Array.from({ length: 40 }).reduce<JsonValue>((inner) => [inner], 1);
    const many = Array.from({ length: 2000 }, () => 1);
    expect(boundDocument({ deep, many, large: "x".repeat(20_000), small: 1, ...shown })).toEqual({
      small: 1,
      ...shown,
    });
  });

  it("is read by the size of the document alone, and no further than it may be kept", () => {
    const size = 30_000;
    let reads = 0;
    const counted = <T extends object>(value: T): T =>
      new Proxy(value, {
        get: (target, name) => {
          reads++;
          return Reflect.get(target, name);
        },
      });
    const wide = Object.fromEntries(Array.from({ length: size }, (_, at) => [`k${at}`, counted({ a: at })]));
    boundDocument({ ...wide, inner: counted(wide) });
    // Every property once, and those that may be kept a few times more.
    expect(reads).toBeGreaterThanOrEqual(size);
    expect(reads).toBeLessThan(1.5 * size);
  });
});
