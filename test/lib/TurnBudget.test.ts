import { expect, it } from "vitest";
import { nextTurn, TurnBudget } from "../../src/lib/TurnBudget.ts";
import { ManualClock } from "../kit/suite/ManualClock.ts";

it("lets a turn continue until its time is used up, then yields to timers", async () => {
  const clock = new ManualClock();
  const budget = new TurnBudget(clock);
  expect(budget.yieldIfDue()).toBeUndefined();
  await clock.advance(9);
  expect(budget.yieldIfDue()).toBeUndefined();
});

it("does not delay timers, however many steps follow each other", async () => {
  const budget = new TurnBudget({ monotonic: () => performance.now() });
  let fired = false;
  setTimeout(() => {
    fired = true;
  }, 20);
  for (let steps = 0; !fired && steps < 10_000_000; steps++) await (budget.yieldIfDue() ?? Promise.resolve());
  expect(fired).toBe(true);
});

it("ends the turn for all work of the thread together, before each has used its own", async () => {
  let nowMs = 0;
  const clock = { monotonic: () => nowMs };
  const takesTurn = () => {
    const budget = new TurnBudget(clock);
    const begun = budget.yieldIfDue() === undefined;
    nowMs += 4;
    return begun && budget.yieldIfDue() === undefined;
  };
  expect([takesTurn(), takesTurn(), takesTurn()]).toEqual([true, false, false]);
  await new Promise(setImmediate);
  expect(takesTurn()).toBe(true);
});

it("lets an answer of several steps pass long work, but not for ever", async () => {
  const clock = { monotonic: () => performance.now() };
  const budget = new TurnBudget(clock, 1);
  const works = (ms: number) => {
    for (const end = performance.now() + ms; performance.now() < end; );
  };
  let isOver = false;
  let turns = 0;
  const longWork = async () => {
    while (!isOver) {
      works(1);
      await budget.yieldIfDue();
      turns++;
    }
  };
  /** Each step is an event of a socket or a timer that the one before began. */
  const answer = async (steps: number) => {
    const before = turns;
    for (let step = 0; step < steps; step++) {
      await new Promise(setImmediate);
      works(0.5);
    }
    return turns - before;
  };
  const working = longWork();
  await new Promise(setImmediate);
  const short = [];
  for (let round = 0; round < 20; round++) short.push(await answer(3));
  const long = await answer(200);
  isOver = true;
  await working;
  expect(Math.min(...short)).toBeLessThanOrEqual(1);
  expect(long).toBeGreaterThan(5);
});

it("lets one of all that wait go on in each turn of the event loop, one after the other", async () => {
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const resumed: { readonly name: string; readonly turn: number }[] = [];
  const work = async (name: string) => {
    for (let step = 0; step < 20; step++) {
      await nextTurn();
      resumed.push({ name, turn });
    }
  };
  await Promise.all(["a", "b", "c"].map(work));
  isOver = true;
  expect(resumed.map(({ name }) => name).join("")).toBe("abc".repeat(20));
  expect(new Set(resumed.map((each) => each.turn)).size).toBe(resumed.length);
});
