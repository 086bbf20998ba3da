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
