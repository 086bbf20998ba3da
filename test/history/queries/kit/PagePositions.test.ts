import { expect, it } from "vitest";
import { PagePositions } from "../../../../src/history/queries/kit/PagePositions.ts";
import { isSearchedOn } from "../../../../src/history/queries/kit/readPage.ts";

const clock = { nowMs: 0, monotonic: () => clock.nowMs };

it("remembers for a minute where a page of the same list ended", () => {
  const positions = new PagePositions(clock, 1000);
  positions.note("a list", 1000, "cursor", clock.nowMs);
  expect(positions.find("a list", 1000)).toMatchObject({ cursor: "cursor", sinceMs: clock.nowMs });
  expect(positions.find("a list", 1001)).toBeUndefined();
  expect(positions.find("another list", 1000)).toBeUndefined();
  clock.nowMs += 60_000;
  expect(positions.find("a list", 1000)).toBeUndefined();
});

it("does not remember near offsets and very long filters", () => {
  const positions = new PagePositions(clock, 1000);
  positions.note("a list", 999, "cursor", 0);
  positions.note("x".repeat(5000), 1000, "cursor", 0);
  expect([positions.find("a list", 999), positions.find("x".repeat(5000), 1000)]).toEqual([undefined, undefined]);
});

it("an older walk does not take a newer one past rows that came between both", () => {
  const positions = new PagePositions(clock, 1000);
  positions.note("a list", 2000, "seen later", 20);
  positions.note("a list", 2000, "seen before", 10);
  expect(positions.find("a list", 2000)?.cursor).toBe("seen later");
  positions.note("a list", 2000, "seen last", 30);
  expect(positions.find("a list", 2000)?.cursor).toBe("seen last");
});

it("forgets what nobody has asked for before it holds more than two megabytes", () => {
  const positions = new PagePositions(clock, 1000);
  for (let at = 0; at < 2_000; at++) positions.note("y".repeat(2_000), 1000 + at, "cursor", 0);
  expect(positions.find("y".repeat(2_000), 1000)).toBeUndefined();
  expect(positions.find("y".repeat(2_000), 2999)).toBeDefined();
});

it("a page that begins at a position is searched on as one with an offset: its caller sees no cursor to go on from", () => {
  const filters = { account: "a", opcode: 1 };
  const page = { limit: 10, offset: 0, cursor: "cursor" };
  expect(isSearchedOn(filters, page)).toBe(false);
  expect(isSearchedOn(filters, { ...page, isResumed: true })).toBe(true);
});
