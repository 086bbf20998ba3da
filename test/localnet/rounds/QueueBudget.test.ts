import { expect, it } from "vitest";
import { QueueBudget } from "../../../src/localnet/rounds/QueueBudget.ts";

const paceMs = 900;
const ownMs = paceMs / 3;
/** The size of a full block. */
const fullBytes = 1_000_000;

/** A round of a chain whose queue never ends; returns how long it took. */
function runRound(budget: QueueBudget, msPerKilobyte: number, otherBytes = 0): number {
  let queueBytes = 0;
  while (queueBytes < fullBytes && !budget.isSpent(queueBytes)) queueBytes += 1_000;
  const wholeBytes = queueBytes + otherBytes;
  const wholeMs = (wholeBytes / 1_000) * msPerKilobyte;
  budget.learn({ queueBytes, wholeBytes, wholeMs });
  return wholeMs;
}

function runRounds(budget: QueueBudget, ...machine: [msPerKilobyte: number, otherBytes?: number]): number[] {
  return Array.from({ length: 40 }, () => runRound(budget, ...machine));
}

const longestOf = (rounds: readonly number[]) => Math.max(...rounds.slice(-20));
const shortestOf = (rounds: readonly number[]) => Math.min(...rounds.slice(-20));

it.each([1, 2, 10])(
  "keeps rounds with endless queues near a third of the pace, at %d ms a kilobyte",
  (msPerKilobyte) => {
    const rounds = runRounds(new QueueBudget(paceMs), msPerKilobyte);
    expect(longestOf(rounds)).toBeLessThanOrEqual(ownMs * 1.25 + msPerKilobyte);
    expect(shortestOf(rounds)).toBeGreaterThanOrEqual(ownMs * 0.75);
  },
);

it("lets full blocks be, where they take less than a third of the pace", () => {
  expect(runRounds(new QueueBudget(paceMs), 0.25)).toEqual(Array.from({ length: 40 }, () => fullBytes * 0.25e-3));
});

it("does not count what other messages take", () => {
  const [alone, beside] = [0, 500_000].map((otherBytes) => {
    const rounds = runRounds(new QueueBudget(paceMs), 1, otherBytes);
    return longestOf(rounds.map((ms) => ms - otherBytes / 1_000));
  });
  expect(beside).toBe(alone);
});

it("follows a machine that becomes slower, and faster again", () => {
  const budget = new QueueBudget(paceMs);
  const phases = [1, 10, 1].map((msPerKilobyte) => longestOf(runRounds(budget, msPerKilobyte)));
  for (const ms of phases) expect(ms).toBeLessThanOrEqual(ownMs * 1.25 + 10);
  for (const ms of phases) expect(ms).toBeGreaterThanOrEqual(ownMs * 0.75);
});

it("is unlimited without a pace", () => {
  const budget = new QueueBudget(Number.POSITIVE_INFINITY);
  budget.learn({ queueBytes: fullBytes, wholeBytes: fullBytes, wholeMs: 1e9 });
  expect(budget.isSpent(Number.MAX_SAFE_INTEGER)).toBe(false);
});

it("lets a hundred messages be after a slow round with few of them", () => {
  const budget = new QueueBudget(paceMs);
  budget.learn({ queueBytes: 400, wholeBytes: 400, wholeMs: 10 * paceMs });
  expect([budget.isSpent(400), budget.isSpent(30_000), budget.isSpent(40_000)]).toEqual([false, false, true]);
});
