import { expect, it } from "vitest";
import { resultOf } from "../../../kit/tvm/runProgram.ts";
import { ownCases, ownContext } from "../../kit/tvm/ownCases.ts";

it.each(ownCases)("%s, in the program %s, leaves the expected stack", (_opcode, code, stack, expected) => {
  expect(resultOf(code, stack, { c7: ownContext })).toEqual(expected);
});
