import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { optimizationFlags, optimizeLater } from "../../../src/app/start/optimizeLater.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

const later = "--interrupt-budget=528000";
const usual = "--interrupt-budget=67584";

/** A process whose clock and CPU time the test moves. */
function makeProcess(version = "11.3.244.8-node.26") {
  const flags = optimizationFlags(version);
  const clock = new ManualClock();
  const set: string[] = [];
  const made = { clock, set, seconds: 1 };
  const start = () =>
    optimizeLater({ clock, flags, setFlag: (flag) => void set.push(flag), usedSeconds: () => made.seconds });
  return { made, start };
}

describe("the budget after which functions are optimized", () => {
  it("is set in V8 11, the version of Node 20, and left alone in others", () => {
    expect(["11.3.244.8-node.26", "12.4.254.21-node.33", "13.6.233.10-node.28"].map(optimizationFlags)).toEqual([
      ...[{ start: later, default: usual }, undefined, undefined],
    ]);
    const { made, start } = makeProcess("12.4.254.21-node.33");
    start()();
    expect(made.set).toEqual([]);
  });

  it("is a flag that this version of V8 knows, with its own default", () => {
    const flags = optimizationFlags(process.versions.v8);
    const start = flags?.start ?? "--stack-trace-limit=10";
    expect(execFileSync(process.execPath, [start, "--print", "1"], { encoding: "utf8" })).toBe("1\n");
    const options = execFileSync(process.execPath, ["--v8-options"], { encoding: "utf8" });
    expect(flags === undefined || options.includes(`default: ${flags.default}\n`)).toBe(true);
  });

  it("is larger until the process has worked for five seconds", async () => {
    const { made, start } = makeProcess();
    start();
    expect(made.set).toEqual([later]);
    made.seconds = 4.9;
    await made.clock.advance(10_000);
    expect(made.set).toEqual([later]);
    made.seconds = 5;
    await made.clock.advance(1_000);
    expect(made.set).toEqual([later, usual]);
    made.seconds = 20;
    await made.clock.advance(10_000);
    expect(made.set).toEqual([later, usual]);
  });

  it("is the default again when the service closes, and in a process that has worked before", async () => {
    const { made, start } = makeProcess();
    start()();
    await made.clock.advance(10_000);
    expect(made.set).toEqual([later, usual]);
    made.seconds = 5;
    start()();
    expect(made.set).toEqual([later, usual]);
  });
});
