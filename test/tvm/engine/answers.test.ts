import { describe, expect, it } from "vitest";
import { readGetMethodAnswer, readTransactionAnswer } from "../../../src/tvm/engine/answers.ts";
import { fakeAnswer } from "../../kit/tvm/FakeThread.ts";

const emptyStack = "te6ccgEBAQEABQAABgAAAA==";

describe("an answer of the machine", () => {
  it("is read whole", () => {
    const missing = "AB".repeat(32);
    const output = { success: true, stack: emptyStack, gas_used: "23", vm_exit_code: 9, missing_library: missing };
    expect(readGetMethodAnswer({ ...fakeAnswer("told"), output })).toMatchObject({
      exitCode: 9,
      gasUsed: 23n,
      stack: [],
      missingLibrary: missing.toLowerCase(),
      log: "told",
      sawConfigRoot: false,
    });
  });

  it.each([
    [{ success: true, stack: emptyStack, vm_exit_code: 0 }],
    [{ success: true, stack: emptyStack, gas_used: "1" }],
    [{ success: true, gas_used: "1", vm_exit_code: 0 }],
  ])("that lacks something is refused: %j", (output) => {
    expect(() => readGetMethodAnswer({ ...fakeAnswer(), output })).toThrow(
      expect.objectContaining({ code: "tvm/answer" }),
    );
  });

  it("that the input was bad is told as that", () => {
    const output = { success: false, error: "no such thing" };
    const refused = expect.objectContaining({ code: "tvm/input", message: expect.stringContaining("no such thing") });
    expect(() => readGetMethodAnswer({ ...fakeAnswer(), output })).toThrow(refused);
    expect(() => readTransactionAnswer({ ...fakeAnswer(), output })).toThrow(refused);
  });

  it("that a message was not accepted is an outcome", () => {
    const output = { success: false, error: "not accepted", external_not_accepted: true, vm_exit_code: 35 };
    expect(readTransactionAnswer({ ...fakeAnswer("told"), output })).toEqual({
      kind: "notAccepted",
      exitCode: 35,
      reason: "not accepted",
      log: "told",
    });
  });
});
