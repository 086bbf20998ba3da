import { describe, expect, it } from "vitest";
import { AnswerNotes } from "../../../src/api/declare/AnswerNotes.ts";
import { AnswerCache } from "../../../src/api/http/AnswerCache.ts";
import { toByteText } from "../../../src/api/http/answers/byteText.ts";
import { EncodedAnswer } from "../../../src/api/http/EncodedAnswer.ts";

const encoded = (text: string) => new EncodedAnswer([toByteText(text)], new AnswerNotes());
const newest = { rule: "head", key: "k", privateKey: "+k" } as const;
const lasting = { rule: "forever", key: "k", privateKey: "+k" } as const;

function open(bytes = 10_000) {
  const head = { now: 1 };
  return { head, cache: new AnswerCache({ headBytes: bytes, lastingBytes: bytes }, () => head.now) };
}

describe("the cache of answers", () => {
  it("drops answers about the newest block with the next one, and keeps immutable ones", () => {
    const { cache, head } = open();
    cache.keep(newest, "public", cache.epoch(), encoded("a"));
    cache.keep(lasting, "public", cache.epoch(), encoded("b"));
    expect([cache.find(newest, "public")?.pieces.join(""), cache.find(lasting, "public")?.pieces.join("")]).toEqual([
      "a",
      "b",
    ]);
    head.now = 2;
    expect([cache.find(newest, "public")?.pieces.join(""), cache.find(lasting, "public")?.pieces.join("")]).toEqual([
      undefined,
      "b",
    ]);
  });

  it("does not keep an answer whose run started before the newest block", () => {
    const { cache, head } = open();
    const epoch = cache.epoch();
    head.now = 2;
    cache.keep(newest, "public", epoch, encoded("old"));
    expect(cache.find(newest, "public")).toBeUndefined();
    cache.keep(lasting, "public", epoch, encoded("right for ever"));
    expect(cache.find(lasting, "public")?.pieces.join("")).toBe("right for ever");
  });

  it("returns private answers to private callers only, and public ones to everybody", () => {
    for (const place of [newest, lasting]) {
      const { cache } = open();
      cache.keep(place, "private", cache.epoch(), encoded("private"));
      expect([cache.find(place, "public")?.pieces.join(""), cache.find(place, "private")?.pieces.join("")]).toEqual([
        undefined,
        "private",
      ]);
      const other = open().cache;
      other.keep(place, "public", other.epoch(), encoded("public"));
      expect([other.find(place, "public")?.pieces.join(""), other.find(place, "private")?.pieces.join("")]).toEqual([
        "public",
        "public",
      ]);
    }
  });

  it("keeps nothing with the rule none", () => {
    const { cache } = open();
    cache.keep({ rule: "none", key: "k", privateKey: "+k" }, "public", 1, encoded("a"));
    expect(cache.find({ rule: "none", key: "k", privateKey: "+k" }, "public")).toBeUndefined();
    expect(cache.counters().head.entries + cache.counters().lasting.entries).toBe(0);
  });

  it("stays within its size and evicts the least recently used first", () => {
    const { cache } = open(3000);
    for (let count = 0; count < 20; count++)
      cache.keep({ rule: "head", key: `k${count}`, privateKey: "" }, "public", 1, encoded("x".repeat(500)));
    const { bytes, entries, evictions } = cache.counters().head;
    expect(bytes).toBeLessThanOrEqual(3000);
    expect(entries + evictions).toBe(20);
    expect(cache.find({ rule: "head", key: "k19", privateKey: "" }, "public")).toBeDefined();
    expect(cache.find({ rule: "head", key: "k0", privateKey: "" }, "public")).toBeUndefined();
    cache.clear();
    expect(cache.counters().head.bytes).toBe(0);
  });
});
