import type { StackValue } from "../../../src/tvm/machine/StackValue.ts";

/**
 * A program for an instruction that the vectors do not cover: opcode, code, stack, and the resulting stack or
 * exception.
 */
export type OwnCase = readonly [
  opcode: string,
  code: string,
  stack: readonly StackValue[],
  expected: readonly StackValue[] | { readonly exception: number },
];

const invalid = { exception: 6 };

/** The context of these programs: parameter `i` is `10 * i`. */
export const ownContext: readonly StackValue[] = [Array.from({ length: 40 }, (_, i): StackValue => i * 10)];

export const ownCases: readonly OwnCase[] = [
  ["B7A901", "B7A901", [7, 4, 3], [4, -1]],
  ["B7A90B", "B7A90B", [7, 4, 3], invalid],
  ["B7A90F", "B7A90F", [7, 4, 3], invalid],
  ["B7A925", "B7A925", [11, 2], [3]],
  ["B7A928", "B7A928", [11, 2], [3]],
  ["B7A981", "B7A981", [3, 4, 2, 5], [3, -1]],
  ["B7A988", "B7A988", [7, 8, 5], [1]],
  ["B7A989", "B7A989", [7, 8, 10], [-4]],
  ["B7A98E", "B7A98E", [7, 8, 10], [6, -4]],
  ["B7A9A3", "B7A9A3", [7, 9, 3], invalid],
  ["B7A9A4", "B7A9A4", [7, 9, 3], [7]],
  ["B7A9A9", "B7A9A9", [7, 9, 3], [-1]],
  ["B7A9AF", "B7A9AF", [7, 9, 3], invalid],
  ["B7A9C0", "B7A9C0", [3, 1, 5, 2], [2, 3]],
  ["B7A9C2", "B7A9C2", [3, 1, 5, 2], [3, -2]],
  ["B7A9C4", "B7A9C4", [3, 5, 2], [2]],
  ["B7A9CE", "B7A9CE", [3, 5, 2], [3, -3]],
  // { JMPX } CALLCC 5
  ["DB34", "91D9DB3475", [], [5]],
  // 5 6 { INC } 1 1 CALLXVARARGS
  ["DB38", "757691A47171DB38", [], [5, 7]],
  ["E309", "E309", [0], { exception: 1 }],
  ["F88112", "F88112", [], [180]],
  // A zero key, 1, an empty message, a zero signature
  ["F93002", "F93015718B08F93025F93002", [], [0]],
  // An empty multi-exponentiation gives zero.
  ["F93014", "70F93014F93018", [], [-1]],
  ["F93015", "F93015F93018", [], [-1]],
  ["F93017", "F93015F93017", [], [-1]],
  ["F93018", "F93015F93018", [], [-1]],
  ["F93023", "F9302575F93023F93028", [], [-1]],
];
