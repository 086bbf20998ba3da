import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { delayOptimisation } from "../../../src/app/service/delayOptimisation.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

const node20 = "11.3.244.8-node.38";
const atStart = [
  "--ticks-before-optimization=18",
  "--bytecode-size-allowance-per-tick=25",
  "--max-bytecode-size-for-early-opt=0",
];
const usual = [
  "--ticks-before-optimization=3",
  "--bytecode-size-allowance-per-tick=150",
  "--max-bytecode-size-for-early-opt=81",
];

/** A delay at the start of a process, with the flags it sets. */
function openDelay(v8Version: string, usedMs = 0) {
  const clock = new ManualClock();
  const set: string[] = [];
  const used = { ms: usedMs };
  const end = delayOptimisation({ clock, v8Version, cpuMs: () => used.ms, setFlag: (flag) => void set.push(flag) });
  return { clock, set, used, end };
}

/** Sets flags in a process of its own. */
function startWith(flags: readonly string[]) {
  const program = `for (const flag of ${JSON.stringify(flags)}) require("node:v8").setFlagsFromString(flag);
    process.stdout.write("started");`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--eval", program], { encoding: "utf8", env: {} });
  return { status, stdout, stderr };
}

describe("the delay of optimisation", () => {
  it("lasts until the process has used the CPU time of a start", async () => {
    const { clock, set, used } = openDelay(node20);
    used.ms = 5_999;
    await clock.advance(60_000);
    expect(set).toEqual(atStart);
    used.ms = 6_000;
    await clock.advance(500);
    expect(set).toEqual([...atStart, ...usual]);
    expect(clock.waiting).toBe(0);
  });

  it("ends when the service is closed before", async () => {
    const { clock, set, end } = openDelay(node20);
    await end();
    expect(set).toEqual([...atStart, ...usual]);
    expect(clock.waiting).toBe(0);
  });

  it.each([
    ["a process that has started long ago", node20, 6_000],
    ["the engine of Node 22", "12.4.254.21-node.33", 0],
    ["an engine of the future", "111.3.1", 0],
  ])("does nothing in %s", async (_where, version, usedMs) => {
    const { clock, set, end } = openDelay(version, usedMs);
    await end();
    expect({ set, waiting: clock.waiting }).toEqual({ set: [], waiting: 0 });
  });

  it("sets only flags that the engine of this process knows", () => {
    const { set } = openDelay(process.versions.v8);
    expect(startWith(set)).toEqual({ status: 0, stdout: "started", stderr: "" });
  });

  it("would start a process also with a flag that its engine does not know", () => {
    expect(startWith(["--no-flag-of-any-engine=1"])).toMatchObject({ status: 0, stdout: "started" });
  });
});
