import { describe, expect, it } from "vitest";
import { AnswerNotes } from "../../../src/api/declare/RequestContext.ts";
import { AnswerCache } from "../../../src/api/http/AnswerCache.ts";
import { toByteText } from "../../../src/api/http/byteText.ts";
import { EncodedAnswer } from "../../../src/api/http/EncodedAnswer.ts";

const finished = (text: string) => new EncodedAnswer(toByteText(text), new AnswerNotes());
const newest = { rule: "head", key: "k" } as const;
const lasting = { rule: "forever", key: "k" } as const;

function open(bytes = 10_000) {
  const head = { now: 1 };
  return { head, cache: new AnswerCache({ headBytes: bytes, lastingBytes: bytes }, () => head.now) };
}

describe("the cache of answers", () => {
  it("forgets answers about the newest block with the next one, and keeps the lasting ones", () => {
    const { cache, head } = open();
    cache.keep(newest, cache.generation(), finished("a"));
    cache.keep(lasting, cache.generation(), finished("b"));
    expect([cache.find(newest)?.text, cache.find(lasting)?.text]).toEqual(["a", "b"]);
    head.now = 2;
    expect([cache.find(newest)?.text, cache.find(lasting)?.text]).toEqual([undefined, "b"]);
  });

  it("does not keep an answer that began before the newest block", () => {
    const { cache, head } = open();
    const generation = cache.generation();
    head.now = 2;
    cache.keep(newest, generation, finished("old"));
    expect(cache.find(newest)).toBeUndefined();
    cache.keep(lasting, generation, finished("right for ever"));
    expect(cache.find(lasting)?.text).toBe("right for ever");
  });

  it("keeps nothing under no rule", () => {
    const { cache } = open();
    cache.keep({ rule: "none", key: "k" }, 1, finished("a"));
    expect(cache.find({ rule: "none", key: "k" })).toBeUndefined();
    expect(cache.counters().head.entries + cache.counters().lasting.entries).toBe(0);
  });

  it("stays within its bytes, the longest unused going first", () => {
    const { cache } = open(3000);
    for (let count = 0; count < 20; count++) {
      cache.keep({ rule: "head", key: `k${count}` }, 1, finished("x".repeat(500)));
    }
    const { bytes, entries, evictions } = cache.counters().head;
    expect(bytes).toBeLessThanOrEqual(3000);
    expect(entries + evictions).toBe(20);
    expect(cache.find({ rule: "head", key: "k19" })).toBeDefined();
    expect(cache.find({ rule: "head", key: "k0" })).toBeUndefined();
    cache.clear();
    expect(cache.counters().head.bytes).toBe(0);
  });
});
