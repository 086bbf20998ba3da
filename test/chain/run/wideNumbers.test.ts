import { describe, expect, it } from "vitest";
import { runWithWideNumbers } from "../../../src/chain/run/wideNumbers.ts";
import type { VmStack, VmStackValue } from "../../../src/model/vm/VmStack.ts";

const int = (value: bigint): VmStackValue => ({ kind: "int", value });
const tuple = (...items: readonly VmStackValue[]): VmStackValue => ({ kind: "tuple", items });
const nan: VmStackValue = { kind: "nan" };
const wide = 2n ** 256n;
const fits = (value: bigint) => value === BigInt.asIntN(257, value);

/** A machine that applies a function to the stack and supports only its own number range. */
function machine(code: (stack: VmStack) => VmStack) {
  const vmValueses: VmStack[] = [];
  const run = async (stack: VmStack) => {
    vmValueses.push(stack);
    return { exitCode: 0, stack: code(stack) };
  };
  return { seen: vmValueses, run };
}

/** Adds one, like the quiet instruction. */
function addOne(value: VmStackValue | undefined): VmStackValue {
  return value?.kind === "int" && fits(value.value + 1n) ? int(value.value + 1n) : nan;
}

describe("numbers outside the machine's range", () => {
  it.each([wide, -wide - 1n, 10n ** 80n])("round-trip through code that returns them: %d", async (value) => {
    const { seen, run } = machine((stack) => stack.toReversed());
    const vmValues = [int(value), int(5n), tuple(int(value), tuple(int(value)))];
    expect(await runWithWideNumbers(vmValues, run)).toEqual({ exitCode: 0, stack: vmValues.toReversed() });
    const values = seen.flat().flatMap((each) => (each.kind === "int" ? [each.value] : []));
    expect(values.filter((each) => !fits(each))).toEqual([]);
  });

  it("are distinguished", async () => {
    const { run } = machine(([a, b]) => [b ?? nan, a ?? nan, b ?? nan]);
    const { stack } = await runWithWideNumbers([int(wide), int(wide + 1n)], run);
    expect(stack).toEqual([int(wide + 1n), int(wide), int(wide + 1n)]);
  });

  it("are NaN to code that computes with them", async () => {
    const { run } = machine(([value]) => [addOne(value), nan]);
    expect(await runWithWideNumbers([int(wide)], run)).toEqual({ exitCode: 0, stack: [nan, nan] });
  });

  it("are not searched for if another run ends differently", async () => {
    const { run } = machine((stack) => (stack[0]?.kind === "nan" ? [nan, tuple(nan)] : [int(1n)]));
    expect(await runWithWideNumbers([int(wide)], run)).toEqual({ exitCode: 0, stack: [nan, tuple(nan)] });
  });

  it("may be nested at any depth", async () => {
    const deepIn = (value: VmStackValue) => {
      let at = value;
      for (let depth = 0; depth < 200_000; depth++) at = tuple(int(1n), at);
      return at;
    };
    const { run } = machine((stack) => stack);
    const { stack } = await runWithWideNumbers([deepIn(int(wide))], run);
    let at = stack[0];
    while (at?.kind === "tuple") at = at.items[1];
    expect(at).toEqual(int(wide));
  });
});

it.each([[[int(wide - 1n), int(-wide)]], [[tuple(nan)]], [[]]])(
  "all other stacks are run once, unchanged",
  async (vmValues) => {
    const { seen, run } = machine((stack) => stack);
    expect((await runWithWideNumbers(vmValues, run)).stack).toBe(vmValues);
    expect(seen).toEqual([vmValues]);
  },
);
