import { describe, expect, it } from "vitest";
import { ExternalsBudget } from "../../../src/localnet/rounds/ExternalsBudget.ts";

const paceMs = 400;

/** The time that one message takes while it is tried and in the rest of its round. */
interface Machine {
  readonly triesMs: number;
  readonly restMs: number;
}

/** Runs a round with more messages than it has time for; returns how many it tried. */
function runRound(budget: ExternalsBudget, { triesMs, restMs }: Machine): number {
  let tried = 1;
  while (!budget.isSpent(tried * triesMs, tried)) tried++;
  const externalsMs = tried * triesMs;
  budget.learn({ tried, externalsMs, wholeMs: externalsMs + tried * restMs });
  return tried;
}

function runRounds(budget: ExternalsBudget, machine: Machine): number {
  for (let i = 0; i < 40; i++) runRound(budget, machine);
  return runRound(budget, machine);
}

describe("the time for external messages", () => {
  it.each<Machine>([
    { triesMs: 1, restMs: 0.25 },
    { triesMs: 0.5, restMs: 1 },
    { triesMs: 10, restMs: 30 },
    { triesMs: 0.125, restMs: 0.25 },
  ])("keeps the pace of the round within one message: %o", (machine) => {
    const messageMs = machine.triesMs + machine.restMs;
    const roundMs = runRounds(new ExternalsBudget(paceMs), machine) * messageMs;
    expect(Math.abs(roundMs - paceMs)).toBeLessThanOrEqual(messageMs);
  });

  it("takes as many messages when other work came between the trials of the rounds before", () => {
    const budget = new ExternalsBudget(paceMs);
    const quiet = runRounds(budget, { triesMs: 0.25, restMs: 0.5 });
    runRounds(budget, { triesMs: 1.5, restMs: 0.5 });
    expect({ quiet, after: runRound(budget, { triesMs: 0.25, restMs: 0.5 }) }).toEqual({ quiet: 534, after: 534 });
  });

  it("is never less than a quarter of the pace", () => {
    expect(runRounds(new ExternalsBudget(paceMs), { triesMs: 1, restMs: 30 })).toBe(paceMs / 4);
  });

  it("follows a machine that becomes slower, and faster again", () => {
    const budget = new ExternalsBudget(paceMs);
    const slow = runRounds(budget, { triesMs: 1, restMs: 30 });
    expect({ slow, quick: runRounds(budget, { triesMs: 1, restMs: 1 }) }).toEqual({ slow: 100, quick: 200 });
  });

  it("ignores rounds with few quick messages or none", () => {
    const machine = { triesMs: 1, restMs: 1 };
    const [untouched, budget] = [new ExternalsBudget(paceMs), new ExternalsBudget(paceMs)];
    budget.learn({ tried: 0, externalsMs: 0, wholeMs: 300 });
    budget.learn({ tried: 49, externalsMs: 2, wholeMs: 300 });
    expect(runRound(budget, machine)).toBe(runRound(untouched, machine));
  });

  it("is unlimited without a pace", () => {
    const budget = new ExternalsBudget(Number.POSITIVE_INFINITY);
    budget.learn({ tried: 100, externalsMs: 5_000, wholeMs: 10_000 });
    expect(budget.isSpent(1e9, 1e6)).toBe(false);
  });
});
