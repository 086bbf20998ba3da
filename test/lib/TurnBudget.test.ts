import { expect, it } from "vitest";
import { TurnBudget } from "../../src/lib/TurnBudget.ts";
import { ManualClock } from "../kit/suite/ManualClock.ts";

it("lets a turn go on until its time is used up, then gives way to timers", async () => {
  const clock = new ManualClock();
  const budget = new TurnBudget(clock);
  expect(budget.yieldIfDue()).toBeUndefined();
  await clock.advance(9);
  expect(budget.yieldIfDue()).toBeUndefined();
});

it("does not keep timers from firing, however many steps follow one another", async () => {
  const budget = new TurnBudget({ monotonic: () => performance.now() });
  let fired = false;
  setTimeout(() => {
    fired = true;
  }, 20);
  const endMs = performance.now() + 2_000;
  while (!fired && performance.now() < endMs) await (budget.yieldIfDue() ?? Promise.resolve());
  expect(fired).toBe(true);
});
