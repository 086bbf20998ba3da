import { describe, expect, it } from "vitest";
import { randomGasLimit, randomInput } from "../../../kit/tvm/randomCode.ts";
import { openMachine } from "../../../src/tvm/machine/interpreter/Machine.ts";
import type { MachineEnd } from "../../../src/tvm/machine/MachineRun.ts";
import { toVmStack } from "../../../src/tvm/machine/vmStack.ts";
import { repeats } from "../../kit/suite/everything.ts";

const seeds = repeats({ usual: 2_000, all: 10_000 });

function runRandom(seed: number, budget: number): MachineEnd {
  const machine = openMachine(randomInput(seed));
  for (;;) {
    const progress = machine.run(budget);
    if (progress.kind === "ended") return progress;
    expect(progress.kind).toBe("budget");
  }
}

describe("random code", () => {
  it("ends by itself within its gas", () => {
    let exhausted = 0;
    for (let seed = 1; seed <= seeds; seed++) {
      const end = runRandom(seed, 64);
      const isWithin = end.gasUsed <= randomGasLimit || end.exitCode === -14;
      if (!isWithin || toVmStack(end.stack).length !== end.stack.length) expect({ seed, end }).toBeUndefined();
      if (end.exitCode === -14) exhausted++;
    }
    expect(exhausted).toBeGreaterThan(seeds / 1_000);
  });

  it("ends the same way, however it is split", () => {
    const withoutCells = (end: MachineEnd) => ({ ...end, stack: end.stack.length, committed: undefined });
    for (let seed = 1; seed <= 300; seed++)
      expect(withoutCells(runRandom(seed, 1))).toEqual(withoutCells(runRandom(seed, 1000)));
  });
});
