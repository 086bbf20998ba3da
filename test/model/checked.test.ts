import { describe, expect, it } from "vitest";
import { beginCell } from "../../src/cell/Builder.ts";
import { loadCell, storeCell, uint8 } from "../../src/cell/codec.ts";
import { checked } from "../../src/model/checked.ts";
import { refusalCode } from "../kit/suite/refusal.ts";

describe("checked values", () => {
  const even = checked(uint8, (value) => value % 2 === 0, "even");

  it("follow their rule in both directions", () => {
    expect(loadCell(even, storeCell(even, 4))).toBe(4);
    expect(refusalCode(() => storeCell(even, 5))).toBe("model/value");
    expect(refusalCode(() => loadCell(even, beginCell().storeUint(5, 8).cell()))).toBe("model/value");
  });
});
