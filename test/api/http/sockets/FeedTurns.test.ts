import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Feed, FeedTurns } from "../../../../src/api/http/sockets/FeedTurns.ts";

/** Feeds that note their number when they are called; their answers take time in promises and ticks after the call. */
function slowFeeds(count: number, takes: { parseMs: number; answerMs: number }) {
  let nowMs = 0;
  const called: number[] = [];
  const turns = new FeedTurns({ monotonic: () => nowMs });
  const feeds = Array.from({ length: count }, (_, index): Feed => {
    const answer = () => {
      nowMs += takes.answerMs;
    };
    return {
      pump: () => {
        called.push(index);
        nowMs += takes.parseMs;
        Promise.resolve().then(() => process.nextTick(answer));
      },
    };
  });
  return { turns, feeds, called, now: () => nowMs };
}

test("a turn ends after ten milliseconds of parsing and answering together", async () => {
  const { turns, feeds, called, now } = slowFeeds(20, { parseMs: 1, answerMs: 4 });
  for (const feed of feeds) turns.wait(feed);
  const turnsMs: number[] = [];
  for (let before = 0; called.length < feeds.length; before = now()) {
    await setImmediate();
    turnsMs.push(now() - before);
  }
  await setImmediate();
  expect(called).toEqual([...feeds.keys()]);
  expect(Math.max(...turnsMs)).toBeLessThanOrEqual(20);
});

test("connections that need little share a turn", async () => {
  const { turns, feeds, called } = slowFeeds(50, { parseMs: 0.1, answerMs: 0.05 });
  for (const feed of feeds) turns.wait(feed);
  await setImmediate();
  expect(called).toHaveLength(feeds.length);
});

test("one that waits again is called in the same turn while there is time, and later after that", async () => {
  const { turns, feeds, called, now } = slowFeeds(1, { parseMs: 3, answerMs: 0 });
  const feed: Feed = {
    pump: () => {
      feeds[0]?.pump();
      if (called.length < 6) turns.wait(feed);
    },
  };
  turns.wait(feed);
  await setImmediate();
  expect(now()).toBe(12);
  await setImmediate();
  expect(now()).toBe(18);
});

test("one that left is not called", async () => {
  const { turns, feeds, called } = slowFeeds(3, { parseMs: 1, answerMs: 0 });
  for (const feed of feeds) turns.wait(feed);
  turns.leave(feeds[1] as Feed);
  await setImmediate();
  expect(called).toEqual([0, 2]);
});
