import { beforeAll, expect, it } from "vitest";
import { emptyCell } from "../../../src/cell/Builder.ts";
import { SourceTrace } from "../../../src/chain/replay/SourceTrace.ts";
import { makeSourceMap, type SourceMap } from "../../../src/contracts/abi/source/SourceMap.ts";
import { runAtOnce } from "../../../src/lib/sharing/steps.ts";
import { supportedGlobalVersion } from "../../../src/tvm/globalVersion.ts";
import { openMachine } from "../../../src/tvm/machine/interpreter/Machine.ts";
import type { MachineStep } from "../../../src/tvm/machine/MachineRun.ts";
import type { StackValue } from "../../../src/tvm/machine/StackValue.ts";
import { listTolk } from "../../kit/contracts/listTolk.ts";

const source = [
  "@noinline",
  "fun down(n: int): int {",
  "    if (n == 0) { return 0; }",
  "    return down(n - 1) + 1;",
  "}",
  "@inline_ref",
  "fun twice(n: int): int {",
  "    return down(n) * 2;",
  "}",
  "@noinline",
  "fun refuse(n: int): int {",
  "    assert (n < 2) throw 900;",
  "    return n;",
  "}",
  "fun onInternalMessage(_: InMessage) { }",
  "get fun both(n: int): int {",
  "    var sum = twice(n);",
  "    try { sum += refuse(n); } catch { sum += 100; }",
  "    sum += refuse(0);",
  "    return sum;",
  "}",
].join("\n");

let map: SourceMap;
let run: (args: readonly StackValue[]) => { readonly steps: readonly MachineStep[]; readonly gasUsed: number };

beforeAll(async () => {
  const listing = await listTolk("main.tolk", () => source);
  const made = listing && runAtOnce(makeSourceMap(listing));
  if (listing === undefined || made === undefined) throw new Error("no map");
  map = made;
  const both = Number(/(\d+) DECLMETHOD both/.exec(listing.fift)?.[1]);
  run = (args) => {
    const steps: MachineStep[] = [];
    const end = openMachine({
      code: listing.code,
      stack: [...args, both],
      data: emptyCell,
      c7: [[]],
      gas: { limit: 10_000_000, max: 10_000_000, credit: 0 },
      globalVersion: supportedGlobalVersion,
      onStep: (step) => steps.push(step),
    }).run(1_000_000);
    if (end.kind !== "ended") throw new Error("the run goes on");
    return { steps, gasUsed: end.gasUsed };
  };
});

it("follows calls, recursion, inlined references, returns and exceptions", () => {
  const { steps, gasUsed } = run([3]);
  const trace = new SourceTrace(map);
  for (const step of steps) trace.add(step);
  const stacks = trace.listStacks(gasUsed);
  const calls = new Set(stacks.map(({ frames }) => frames.slice(0, -1).join(" ")));
  expect([...calls].sort()).toEqual([
    "",
    "both",
    "both refuse",
    "both twice",
    "both twice down",
    "both twice down down",
    "both twice down down down",
    "both twice down down down down",
  ]);
  for (const list of [stacks, trace.listLines(gasUsed)])
    expect(list.reduce((sum, { gas }) => sum + gas, 0)).toBe(gasUsed);
  expect(trace.listLines(gasUsed).reduce((sum, each) => sum + each.steps, 0)).toBe(steps.length);
});

it("has a limited number of calls and call stacks, however deep the run goes", () => {
  const { steps, gasUsed } = run([2000]);
  const trace = new SourceTrace(map);
  for (const step of steps) trace.add(step);
  const stacks = trace.listStacks(gasUsed);
  expect(stacks.length).toBeLessThanOrEqual(501);
  expect(Math.max(...stacks.map(({ frames }) => frames.length))).toBeLessThanOrEqual(66);
  expect(stacks.reduce((sum, { gas }) => sum + gas, 0)).toBe(gasUsed);
});
