import { expect, it } from "vitest";
import { Closers } from "../../../src/app/service/parts/Closers.ts";
import { runUntilStopped } from "../../../src/app/start/untilStopped.ts";
import { openLog } from "../../../src/lib/log.ts";
import { deferred } from "../../kit/suite/deferred.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";
import { recordTerminal } from "../../kit/suite/recordTerminal.ts";

function setUp() {
  const clock = new ManualClock();
  const lines: { readonly notClosed?: string }[] = [];
  const log = openLog({ level: "warn", destination: { write: (line) => lines.push(JSON.parse(line)) } });
  const codes: number[] = [];
  const stop = deferred();
  const modules = { clock, log, exit: (code: number) => void codes.push(code), waitForStop: () => stop.promise };
  return { clock, lines, codes, stop: () => stop.resolve(), modules };
}

it("a stop that exceeds its deadline ends the process and names what did not close", async () => {
  const { clock, lines, codes, stop, modules } = setUp();
  const [outer, inner] = [new Closers(), new Closers()];
  let release = () => {};
  inner.add("database", () => new Promise((resolve) => (release = resolve)));
  outer.add("network", () => inner.close());
  outer.add("HTTP server", async () => {});
  const stopped = runUntilStopped(async () => outer, 1_000, recordTerminal(), modules);
  stop();
  await clock.advance(5_999);
  expect(codes).toEqual([]);
  await clock.advance(1);
  expect(codes).toEqual([1]);
  expect(lines).toMatchObject([{ level: "error", deadlineMs: 6_000, notClosed: "network, database" }]);
  release();
  await stopped;
});

it("a signal while a service is being opened closes it when it is open", async () => {
  const { clock, codes, stop, modules } = setUp();
  const opening = deferred();
  const terminal = recordTerminal();
  let closed = 0;
  const closers = new Closers();
  closers.add("part", async () => void closed++);
  const running = runUntilStopped(() => opening.promise.then(() => closers), 1_000, terminal, modules);
  stop();
  await clock.advance(1_000);
  expect([closed, codes]).toEqual([0, []]);
  opening.resolve();
  await running;
  await clock.advance(100_000);
  expect([closed, codes]).toEqual([1, []]);
});

it("a stop in time ends nothing", async () => {
  const { clock, codes, stop, modules } = setUp();
  const closers = new Closers();
  closers.add("part", async () => {});
  stop();
  await runUntilStopped(async () => closers, 1_000, recordTerminal(), modules);
  await clock.advance(100_000);
  expect(codes).toEqual([]);
});
