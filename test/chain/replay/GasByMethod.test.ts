import { expect, it } from "vitest";
import { beginCell } from "../../../src/cell/Builder.ts";
import { GasByMethod } from "../../../src/chain/replay/GasByMethod.ts";

const shared = beginCell().storeUint(4, 8).cell();
const called = beginCell().storeUint(3, 8).storeRef(shared).cell();
const inner = beginCell().storeUint(2, 8).cell();
const first = beginCell().storeUint(1, 8).storeRef(inner).storeRef(shared).cell();
const choice = beginCell().storeUint(0, 8).cell();

const jump = (id: number) => ({ operation: "DICTIGETJMPZ", stack: [id, null, 19] });
const plain = { operation: "NOP", stack: [] };

it("counts the gas of an instruction for the method whose code has it", () => {
  const gas = new GasByMethod();
  const steps = [
    [choice, plain, 0],
    [choice, jump(0), 10],
    [first, plain, 30],
    [inner, plain, 60],
    [choice, jump(7), 100],
    [called, plain, 150],
    // What the caller has, too, belongs to the caller, which ran first.
    [shared, plain, 210],
    // Back in the first one.
    [first, plain, 280],
  ] as const;
  for (const [cell, what, gasUsed] of steps) gas.add({ cell, ...what, gasUsed });
  expect(gas.list(360)).toEqual([
    { method: 0, gas: 30 + 40 + 70 + 80 },
    { method: undefined, gas: 10 + 20 + 50 },
    { method: 7, gas: 60 },
  ]);
});

it("does not take code for that of a method which is not there", () => {
  const gas = new GasByMethod();
  gas.add({ cell: choice, ...jump(5), gasUsed: 0 });
  gas.add({ cell: choice, operation: "THROWARG 11", stack: [5], gasUsed: 10 });
  expect(gas.list(20)).toEqual([{ method: undefined, gas: 20 }]);
});
