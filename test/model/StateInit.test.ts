import { describe, expect, it } from "vitest";
import { cellOf } from "../../kit/cell/anyCell.ts";
import { loadCell } from "../../src/cell/codec.ts";
import { StateInit } from "../../src/model/StateInit.ts";
import { itHoldsForRandom, plainValue } from "../kit/cell/checkCodec.ts";
import { anyStateInit } from "../kit/model/messageValues.ts";

describe("initial states", () => {
  itHoldsForRandom("StateInit", StateInit, anyStateInit);

  it("may be empty", () => {
    expect(plainValue(loadCell(StateInit, cellOf("00000")))).toEqual({
      fixedPrefixLength: undefined,
      special: undefined,
      code: undefined,
      data: undefined,
      libraries: [],
    });
  });
});
