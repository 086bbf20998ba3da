import { describe, expect, it } from "vitest";
import { programInput, runProgram } from "../../../kit/tvm/runProgram.ts";
import { beginCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { zeroHash } from "../../../src/model/Hash.ts";
import { emptyBuilder } from "../../../src/tvm/machine/CellBuilder.ts";
import { cellSlice } from "../../../src/tvm/machine/CellSlice.ts";
import { openMachine } from "../../../src/tvm/machine/interpreter/Machine.ts";
import type { MachineEnd, MachineInput } from "../../../src/tvm/machine/MachineRun.ts";

/** A tree of different cells, four below each. */
function treeOf(count: number): Cell {
  const cells = Array.from({ length: count }, (_, i) => beginCell().storeUint(i, 32));
  for (let i = count - 1; i > 0; i--) cells[(i - 1) >> 2]?.storeRef((cells[i] ?? beginCell()).cell());
  return (cells[0] ?? beginCell()).cell();
}

/** Runs slice by slice; counts how often the machine returned before its end. */
function runInSlices(input: MachineInput, budget: number): { readonly end: MachineEnd; readonly pauses: number } {
  const machine = openMachine(input);
  for (let pauses = 0; ; pauses++) {
    const progress = machine.run(budget);
    if (progress.kind === "ended") return { end: progress, pauses };
    expect(progress.kind).toBe("budget");
  }
}

const address = cellSlice(beginCell().storeUint(4, 3).storeUint(0, 8).storeHex(zeroHash).cell());
const prices = cellSlice(
  beginCell()
    .storeUint(0xea, 8)
    .storeBigUint(1n, 64)
    .storeBigUint(1n, 64)
    .storeBigUint(1n, 64)
    .storeUint(1, 32)
    .storeUint(1, 16)
    .storeUint(1, 16)
    .cell(),
);
const unpacked = [null, null, null, null, prices, prices, null];
const context = [[0x076ef1ea, 0, 0, 0, 0, 0, 0, [1_000_000, null], address, null, null, [0, null], 0, null, unpacked]];

function messageWith(body: Cell): Cell {
  const info = beginCell().storeUint(0, 4).storeUint(0, 2).storeUint(4, 3).storeUint(0, 8).storeHex(zeroHash);
  return info.storeCoins(1n).storeUint(0, 1).storeUint(0, 8).storeBigUint(0n, 96).storeUint(1, 2).storeRef(body).cell();
}

const largest = 8000;
const parts = 80;

describe("a check of a signature", () => {
  const signature = cellSlice(beginCell().storeBytes(new Uint8Array(64)).cell());
  const compressed = cellSlice(beginCell().storeBytes(new Uint8Array(33).fill(2)).cell());
  it.each<[string, string, MachineInput["stack"]]>([
    ["CHKSIGNU", "F910", [1, signature, 2]],
    ["CHKSIGNS", "F911", [signature, signature, 2]],
    ["P256_CHKSIGNU", "F914", [1, signature, compressed]],
    ["P256_CHKSIGNS", "F915", [signature, signature, compressed]],
  ])("counts for many steps, so that few of them hold the thread: %s", (_name, code, stack) => {
    // Eight checks of the same three values, which are copied (PUSH s2) for each; the answers are dropped.
    const input = programInput(`222222${code}30`.repeat(8), stack, {});
    const { end, pauses } = runInSlices(input, 200);
    expect([end.exitCode, end.steps]).toEqual([0, 8 * 5 + 1]);
    expect(pauses).toBeGreaterThanOrEqual(3);
  });
});

describe("an instruction that may take long", () => {
  it.each<[string, string, MachineInput["stack"]]>([
    ["CDATASIZE", "F941", [treeOf(largest), 1_000_000]],
    ["CDATASIZEQ with a bound", "F940", [treeOf(largest), largest - 5]],
    ["SDATASIZE", "F943", [cellSlice(treeOf(largest)), 1_000_000]],
    ["SENDMSG", "FB08", [messageWith(treeOf(largest)), 1024]],
    ["HASHEXT_SHA256", "F90400", [...Array.from({ length: 5120 }, () => emptyBuilder().withUint(1, 33)), 5120]],
    ["HASHEXT_KECCAK512", "F90404", [...Array.from({ length: 5120 }, () => emptyBuilder().withUint(1, 24)), 5120]],
  ])("lets others have their turn: %s", (_name, code, stack) => {
    const input = programInput(code, stack, { c7: context });
    const { end, pauses } = runInSlices(input, 1);
    expect(end).toEqual(runProgram(code, stack, { c7: context }));
    expect(end.exitCode).toBe(0);
    // Every part has a bounded number of cells or values.
    expect(pauses).toBeGreaterThanOrEqual(parts - 1);
  });

  it("ends in the middle when the gas does, and when its code catches what it throws", () => {
    const gas = { limit: 20_000, max: 20_000, credit: 0 };
    const { end, pauses } = runInSlices(programInput("F941", [treeOf(2000), 1_000_000], { gas }), 1);
    expect([end.exitCode, end.gasUsed > 20_000, end.stack]).toEqual([-14, true, [end.gasUsed]]);
    expect(pauses).toBeGreaterThan(0);
    // PUSHCONT { CDATASIZE } PUSHCONT { NIP } TRY: the handler is left with the number of the exception.
    const caught = runInSlices(programInput("92F9419131F2FF", [treeOf(2000), 1500]), 1);
    expect([caught.end.exitCode, caught.end.stack, caught.pauses > 10]).toEqual([0, [8], true]);
  });

  it("counts as one step, also of a machine that another one started", () => {
    // The child is given the tree and the bound; RUNVM 0 leaves its results and its exit code.
    const child = cellSlice(beginCell().storeHex("F941").cell());
    const stack = [treeOf(2000), 10_000, 2, child];
    const { end, pauses } = runInSlices(programInput("DB4000", stack), 1);
    expect(end).toEqual(runProgram("DB4000", stack));
    expect([end.stack, end.steps]).toEqual([[2000, 64_000, 1999, 0], 4]);
    expect(pauses).toBeGreaterThan(15);
  });
});
