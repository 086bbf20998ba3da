import { describe, expect, it } from "vitest";
import { loadCell } from "../../src/cell/codec.ts";
import { StateInit } from "../../src/model/StateInit.ts";
import { cellOf } from "../kit/anyCell.ts";
import { itHoldsForRandom, plainValue } from "../kit/checkCodec.ts";
import { anyStateInit } from "../kit/messageValues.ts";

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
