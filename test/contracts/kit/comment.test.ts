import { describe, expect, it } from "vitest";
import { beginCell } from "../../../src/cell/Builder.ts";
import { findTransferComment, plainText } from "../../../src/contracts/kit/comment.ts";

describe("comments", () => {
  it("continue in the first reference of each cell", () => {
    const tail = beginCell().storeBytes(Buffer.from(" world")).cell();
    const body = beginCell().storeUint(0, 32).storeBytes(Buffer.from("hello")).storeRef(tail).cell();
    expect(findTransferComment(body)).toEqual({ text: "hello world", encrypted: false });
  });

  it("need at least a byte, whole bytes, and at most one reference", () => {
    const none = beginCell().storeUint(0, 32);
    expect(findTransferComment(none.cell())).toBeUndefined();
    expect(findTransferComment(beginCell().storeUint(0, 45).cell())).toBeUndefined();
    const empty = beginCell().cell();
    expect(findTransferComment(beginCell().storeUint(0, 40).storeRef(empty).storeRef(empty).cell())).toBeUndefined();
  });

  it("are base64 of the bytes if encrypted", () => {
    const body = beginCell()
      .storeUint(0x2167da4b, 32)
      .storeBytes(Buffer.from([1, 2, 255]))
      .cell();
    expect(findTransferComment(body)).toEqual({ text: "AQL/", encrypted: true });
  });

  it("show invalid UTF-8 as escapes, and no zero characters", () => {
    expect(plainText(Buffer.from([0x61, 0xff, 0x00, 0xe2, 0x82, 0x62, 0xc3, 0xa9]))).toBe("a\\xff\\xe2\\x82bé");
  });
});
