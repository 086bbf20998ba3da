import { describe, expect, it } from "vitest";
import { assembleModule, i32, local, repeatWhile, signed, unsigned } from "../../../src/cell/wasm/assemble.ts";

describe("numbers", () => {
  it("are written with seven bits per byte, lowest first", () => {
    expect([0, 127, 128, 624485, 2 ** 32 - 1].map(unsigned)).toEqual([
      [0],
      [0x7f],
      [0x80, 1],
      [0xe5, 0x8e, 0x26],
      [0xff, 0xff, 0xff, 0xff, 0x0f],
    ]);
  });

  it("keep their sign in the last byte", () => {
    expect([0, 63, 64, -1, -64, -65, -123456, -(2 ** 31)].map(signed)).toEqual([
      [0],
      [0x3f],
      [0xc0, 0],
      [0x7f],
      [0x40],
      [0xbf, 0x7f],
      [0xc0, 0xbb, 0x78],
      [0x80, 0x80, 0x80, 0x80, 0x78],
    ]);
  });
});

describe("a module", () => {
  it("has the right bytes for a function that counts down and stores a number", () => {
    const body = [
      ...repeatWhile(
        local.set(0, i32.add(local.get(0), i32.constant(-1))),
        i32.lessThan(i32.constant(3), local.get(0)),
      ),
      ...i32.store(i32.constant(0), 8, local.get(0)),
    ];
    const bytes = assembleModule([{ name: "f", parameters: 1, i32Locals: 0, v128Locals: 2, body }]);
    const sections = [
      "0061736d 01000000",
      "01 05 01 60 017f 00",
      "03 02 01 00",
      "05 03 01 0001",
      "07 0e 02 066d656d6f7279 0200 0166 0000",
      "0a 20 01 1e 02 007f 027b",
      "0340 2000 417f 6a 2100 4103 2000 48 0d00 0b",
      "4100 2000 360008 0b",
    ];
    expect(Buffer.from(bytes).toString("hex")).toBe(sections.join("").replaceAll(" ", ""));
  });
});
