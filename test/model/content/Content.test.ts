import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { beginCell } from "../../../src/cell/Builder.ts";
import type { Codec } from "../../../src/cell/codec.ts";
import { loadCell, storeCell } from "../../../src/cell/codec.ts";
import { dictionary, makeDictionary } from "../../../src/cell/dictionary.ts";
import type { Hash } from "../../../src/cell/Hash.ts";
import { hashKey } from "../../../src/cell/keys.ts";
import { Content, contentKeys, contentTexts, loadContent } from "../../../src/model/content/Content.ts";
import { storeSnake } from "../../../src/model/content/Snake.ts";
import { itHoldsForRandom } from "../../kit/cell/checkCodec.ts";
import { makeAttributes, storeChunked } from "../../kit/model/codecs/contentStores.ts";
import { anyHash } from "../../kit/model/modelValues.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const key = (name: keyof typeof contentKeys): Hash => contentKeys[name] as Hash;

describe("token content", () => {
  itHoldsForRandom<Content>(
    "Content",
    Content,
    fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 300 }).map((uri) => ({ kind: "offchain" as const, uri })),
      fc
        .array(fc.tuple(anyHash, fc.uint8Array({ maxLength: 300 })), { maxLength: 5 })
        .map((values) => ({ kind: "onchain" as const, attributes: makeAttributes(values) })),
    ),
  );

  it("identifies attributes by the hash of their name", () => {
    for (const [name, hash] of Object.entries(contentKeys))
      expect(createHash("sha256").update(name).digest("hex")).toBe(hash);
  });

  it("reads known attributes as text and images as base64", () => {
    const attributes = makeAttributes([
      [key("name"), Buffer.from("Имя")],
      [key("image_data"), Uint8Array.of(0xff, 0x00)],
      [key("symbol"), Uint8Array.of(0xff)],
    ]);
    expect([...contentTexts(attributes)]).toEqual([
      ["name", "Имя"],
      ["image_data", "/wA="],
    ]);
  });

  it("reads values in the leaf or in a reference, in one piece or in chunks", () => {
    const inLeaf: Codec<string> = {
      load: () => "",
      store: (builder, text) => storeSnake(builder.storeUint(0, 8), Buffer.from(text)),
    };
    const chunked: Codec<string> = {
      load: () => "",
      store: (builder, text) => {
        const data = beginCell().storeUint(1, 8);
        storeChunked(data, Buffer.from(text));
        builder.storeRef(data.cell());
      },
    };
    for (const form of [inLeaf, chunked]) {
      const cell = beginCell().storeUint(0, 8);
      dictionary(hashKey, form).store(cell, makeDictionary(hashKey, form, [[key("uri"), "https://x".repeat(40)]]));
      const content = loadContent(cell.cell());
      if (content.kind !== "onchain") throw new Error("content of another kind");
      expect(contentTexts(content.attributes).get("uri")).toBe("https://x".repeat(40));
    }
  });

  it("omits an unreadable attribute and keeps the others", () => {
    const raw: Codec<number> = {
      load: () => 0,
      store: (builder, tag) => void builder.storeUint(tag, 8).storeUint(0x61, 8),
    };
    const cell = beginCell().storeUint(0, 8);
    const made = makeDictionary(hashKey, raw, [
      [key("name"), 0],
      [key("description"), 7],
    ]);
    dictionary(hashKey, raw).store(cell, made);
    const content = loadContent(cell.cell());
    if (content.kind !== "onchain") throw new Error("content of another kind");
    expect([...contentTexts(content.attributes)]).toEqual([["name", "a"]]);
    expect(refusalCode(() => content.attributes.find(key("description")))).toBe("model/unknown");
  });

  it("rejects other layouts and invalid text", () => {
    expect(refusalCode(() => loadContent(beginCell().storeUint(2, 8).cell()))).toBe("model/unknown");
    expect(refusalCode(() => loadContent(beginCell().cell()))).toBe("cell/underflow");
    expect(refusalCode(() => loadContent(beginCell().storeUint(0x01ff, 16).cell()))).toBe("model/value");
  });

  it("is stored off-chain with its layout byte first", () => {
    const cell = storeCell(Content, { kind: "offchain", uri: "a" });
    expect(loadCell(Content, cell)).toEqual({ kind: "offchain", uri: "a" });
    expect(cell.bitLength).toBe(16);
  });
});
