import { describe, expect, it } from "vitest";
import { boundDocument, maxDocumentBytes } from "../../../src/history/metadata/boundDocument.ts";
import { formatJson, type JsonValue } from "../../../src/lib/json.ts";
import { cpuMs } from "../../kit/suite/cpuMs.ts";

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

  it("takes time by the size of the document alone", () => {
    const wide = Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`k${at}`, { a: at }]));
    const whole = { ...wide, inner: wide };
    const before = cpuMs();
    boundDocument(whole);
    expect(cpuMs() - before).toBeLessThan(1000);
  });
});
