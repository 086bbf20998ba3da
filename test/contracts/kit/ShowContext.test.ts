import { expect, it } from "vitest";
import { ContractError } from "../../../src/contracts/kit/errors.ts";
import { ShowContext } from "../../../src/contracts/kit/ShowContext.ts";

const nothing = () => undefined;

it("takes no long stacks for layouts that do not fit, and leaves the stacks of others as they are", () => {
  const showing = new ShowContext(nothing, nothing);
  const before = Error.stackTraceLimit;
  const limits: number[] = [];
  const refuse = () => {
    limits.push(Error.stackTraceLimit);
    throw new ContractError("contracts/too-deep", "does not fit");
  };
  expect(showing.attempt(refuse)).toBeUndefined();
  expect(showing.attempt(() => showing.attempt(refuse) ?? "the next one")).toBe("the next one");
  const bug = new TypeError("a bug");
  expect(() =>
    showing.attempt(() => {
      throw bug;
    }),
  ).toThrow(bug);
  expect([limits, Error.stackTraceLimit]).toEqual([[1, 1], before]);
});
