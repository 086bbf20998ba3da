import { expect, it } from "vitest";
import { runAtOnce, runInTurns, type Steps } from "../../../src/lib/sharing/steps.ts";
import { deferred } from "../../kit/suite/deferred.ts";

function* countTo(max: number, done: number[]): Steps<number> {
  for (let i = 1; i <= max; i++) {
    done.push(i);
    yield;
  }
  return max;
}

it("does all steps at once", () => {
  const done: number[] = [];
  expect([runAtOnce(countTo(3, done)), done]).toEqual([3, [1, 2, 3]]);
});

it("begins a step when it may, and fails with the reason why it may not", async () => {
  const done: number[] = [];
  const second = deferred();
  const answers = [undefined, second.promise, Promise.reject(new Error("stopped"))];
  const run = runInTurns(countTo(5, done), () => answers.shift());
  await Promise.resolve();
  expect(done).toEqual([1, 2]);
  second.resolve();
  await expect(run).rejects.toThrow("stopped");
  expect(done).toEqual([1, 2, 3]);
});
