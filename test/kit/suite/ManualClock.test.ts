import { expect, it } from "vitest";
import { ManualClock } from "./ManualClock.ts";

it("a manual clock stands still until it is advanced", async () => {
  const clock = new ManualClock(5000);
  expect([clock.now(), clock.monotonic()]).toEqual([5000, 0]);
  await clock.advance(250);
  expect([clock.now(), clock.monotonic()]).toEqual([5250, 250]);
});

it("a manual clock fires timers in order of their due times, each at its own time", async () => {
  const clock = new ManualClock();
  const fired: [string, number][] = [];
  const note = (name: string) => () => fired.push([name, clock.monotonic()]);
  clock.timer(30, note("c"));
  clock.timer(10, note("a"));
  clock.timer(20, note("b1"));
  clock.timer(20, note("b2"));
  clock.timer(31, note("later"));
  clock.timer(5, note("cancelled"))();
  await clock.advance(30);
  expect(fired).toEqual([
    ["a", 10],
    ["b1", 20],
    ["b2", 20],
    ["c", 30],
  ]);
  expect(clock.waiting).toBe(1);
});

it("a manual clock runs continuations of a timer before the next timer fires", async () => {
  const clock = new ManualClock();
  const seen: number[] = [];
  const steps = async () => {
    for (let step = 0; step < 3; step++) {
      await clock.sleep(10);
      await Promise.resolve();
      seen.push(clock.monotonic());
    }
  };
  const done = steps();
  await clock.advance(100);
  await done;
  expect(seen).toEqual([10, 20, 30]);
});
