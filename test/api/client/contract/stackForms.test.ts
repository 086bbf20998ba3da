import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatStack, readAnswered } from "../../../../src/api/client/contract/stackForms.ts";
import { typedRunResult } from "../../../../src/api/v2/shapes/stack.ts";
import { legacyStackArg } from "../../../../src/api/v2/stackArgs.ts";
import { readStack, stackArg, stackEntries } from "../../../../src/api/v3/args/legacyStack.ts";
import { wholeSlice } from "../../../../src/model/vm/VmCellSlice.ts";
import type { VmValue } from "../../../../src/model/vm/VmValue.ts";
import { anyCell, anySignedBig } from "../../../kit/model/modelValues.ts";

/** What v3 takes, and what v2 takes: the same in tuples, and null. */
const plain: fc.Arbitrary<VmValue> = fc.oneof(
  fc.record({ kind: fc.constant("int" as const), value: anySignedBig(257) }),
  fc.record({ kind: fc.constant("cell" as const), cell: anyCell }),
  fc.record({ kind: fc.constant("slice" as const), slice: anyCell.map(wholeSlice) }),
);
const { value: nested } = fc.letrec<{ value: VmValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    plain,
    fc.constant({ kind: "null" as const }),
    fc.record({ kind: fc.constant("tuple" as const), items: fc.array(tie("value"), { maxLength: 3 }) }),
  ),
}));

/** Values with the hashes of their cells. */
const comparable = (values: readonly VmValue[]): unknown =>
  JSON.parse(
    JSON.stringify(values, function (this: unknown, key, value) {
      if (key === "cell") return value.hash();
      return typeof value === "bigint" ? value.toString() : value;
    }),
  );
const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("the arguments of a get-method", () => {
  it("are what v2 reads of them", () => {
    fc.assert(
      fc.property(fc.array(nested, { maxLength: 4 }), (values) => {
        const read = legacyStackArg.decode(json(formatStack("pairs", values)), "stack");
        expect(comparable(read)).toEqual(comparable(values));
      }),
    );
  });

  it("are what v3 reads of them", () => {
    fc.assert(
      fc.property(fc.array(plain, { maxLength: 4 }), (values) => {
        const read = readStack(stackArg.decode(json(formatStack("entries", values)), "stack"));
        expect(comparable(read)).toEqual(comparable(values));
      }),
    );
  });

  it("are refused where no form has them", () => {
    for (const value of [{ kind: "nan" }, { kind: "tuple", items: [{ kind: "nan" }] }] satisfies VmValue[])
      expect(() => formatStack("pairs", [value])).toThrow(expect.objectContaining({ code: "api/stack-entry" }));
    expect(() => formatStack("entries", [{ kind: "null" }])).toThrow("a null as an argument");
  });
});

describe("the results of a get-method", () => {
  /** The stack as both versions answer it. */
  const answers = (stack: readonly VmValue[]): readonly unknown[] => [
    Object(json(typedRunResult.encode({ stack, exitCode: 0, gasUsed: 1n }))).stack,
    json(stackEntries.encode(stack)),
  ];

  it("are the values that a server answers with, in every form", () => {
    fc.assert(
      fc.property(fc.array(nested, { maxLength: 4 }), (values) => {
        for (const answer of answers(values)) expect(comparable(readAnswered(answer))).toEqual(comparable(values));
      }),
    );
  });

  it("may be no number", () => {
    for (const answer of answers([{ kind: "nan" }])) expect(readAnswered(answer)).toEqual([{ kind: "nan" }]);
  });
});
