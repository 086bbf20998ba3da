import { describe, expect, it } from "vitest";
import { findOpcode, formatOpcode } from "../../../src/contracts/kit/opcodeText.ts";

describe("an opcode in text", () => {
  it.each([
    ["0x0f8a7ea5", 0x0f8a7ea5],
    ["0XF14B54F3", 0xf14b54f3],
    ["178", 0x178],
    ["-1", 0xffffffff],
    ["-2147483648", 0x80000000],
    ["1234567890", 1_234_567_890],
  ])("%s is read with hex before decimal", (text, opcode) => {
    expect(findOpcode(text)).toBe(opcode);
  });

  it.each(["", "0x", "0x123456789", "-2147483649", "4294967296", "opcode", "1.5", " 1"])(
    "%j is not an opcode",
    (text) => {
      expect(findOpcode(text)).toBeUndefined();
    },
  );

  it("is shown with eight digits", () => {
    expect([formatOpcode(0), formatOpcode(-1), formatOpcode(0x178)]).toEqual([
      "0x00000000",
      "0xffffffff",
      "0x00000178",
    ]);
  });
});
