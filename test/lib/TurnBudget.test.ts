import { expect, it } from "vitest";
import { TurnBudget } from "../../src/lib/TurnBudget.ts";
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
