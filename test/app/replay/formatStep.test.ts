import { stripVTControlCharacters } from "node:util";
import { expect, it } from "vitest";
import { formatStep, showStep } from "../../../src/app/replay/formatStep.ts";
import { styleFor } from "../../../src/app/terminal/style.ts";
import { emptyCell } from "../../../src/cell/Builder.ts";
import { findMethodJump } from "../../../src/chain/replay/GasByMethod.ts";

const machineStep = (operation: string, stack: readonly (number | bigint | null)[]) =>
  showStep(12, { operation, stack, gasRemaining: 9_982, gasUsed: 18, cell: emptyCell, bit: 0 });

const plain = styleFor({});

it("is two lines: number, gas and instruction; then the stack, its top first", () => {
  expect(formatStep(machineStep("ADD", [1, 2n, null]), plain)).toBe("    12       9982  ADD\n        ()  2  1\n");
  expect(formatStep(machineStep("DEPTH", []), plain)).toBe("    12       9982  DEPTH\n        (empty)\n");
});

it("has at most 80 columns, whatever is on the stack", () => {
  const long = Array.from({ length: 30 }, (_, at) => 10n ** BigInt(at * 2));
  const lines = formatStep(machineStep(`PUSHCONT ,x${"AB".repeat(90)}`, long), plain).split("\n");
  expect(lines.map((line) => line.length <= 80)).toEqual([true, true, true]);
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(/^ {4}12 {7}9982 {2}PUSHCONT ,x(?:AB)+A?…$/);
  expect(lines[1]).toBe("        100000000000…00000000000  100000000000…00000000000  … 28 more");
});

it("shows whole values to programs", () => {
  expect(machineStep("NOP", [10n ** 40n]).stack).toEqual([`1${"0".repeat(40)}`]);
});

it("is coloured only on a terminal", () => {
  const step = machineStep("ADD", [1]);
  const coloured = formatStep(step, styleFor({ hasColours: true }));
  expect(coloured).toContain("\u001b[36mADD\u001b[0m");
  expect(stripVTControlCharacters(coloured)).toBe(formatStep(step, plain));
});

it("names the method that a jump by number goes to", () => {
  const step = {
    operation: "DICTIGETJMPZ",
    stack: [7, 85_143, null, 19],
    gasRemaining: 9,
    gasUsed: 1,
    cell: emptyCell,
    bit: 0,
  };
  expect(findMethodJump(step)).toBe(85_143);
  // Other dictionaries have other keys, and other instructions jump to none.
  expect(findMethodJump({ ...step, stack: [7, 85_143n, null, 32n] })).toBeUndefined();
  expect(findMethodJump({ ...step, operation: "DICTIGET" })).toBeUndefined();
  expect(formatStep({ ...showStep(1, step), method: "seqno" }, plain)).toBe(
    "     1          9  DICTIGETJMPZ → seqno\n        19  ()  85143  7\n",
  );
});
