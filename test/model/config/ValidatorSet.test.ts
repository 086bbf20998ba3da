import { describe, expect, it } from "vitest";
import { makeDictionary } from "../../../src/cell/dictionary.ts";
import type { Hash } from "../../../src/cell/Hash.ts";
import { uintKey } from "../../../src/cell/keys.ts";
import { ValidatorDescr, ValidatorSet } from "../../../src/model/config/ValidatorSet.ts";
import { itHoldsForRandom } from "../../kit/cell/checkCodec.ts";
import { totalWeightOf } from "../../kit/model/codecs/totalWeight.ts";
import { anyValidator, anyValidatorSet } from "../../kit/model/validatorValues.ts";

describe("validator sets", () => {
  itHoldsForRandom("ValidatorDescr", ValidatorDescr, anyValidator);
  itHoldsForRandom("ValidatorSet", ValidatorSet, anyValidatorSet);

  it("have their stored weight, or the sum of their members without one", () => {
    const publicKey = "ab".repeat(32) as Hash;
    const list = makeDictionary(uintKey(16), ValidatorDescr, [
      [0, { kind: "plain", publicKey, weight: 3n }],
      [1, { kind: "plain", publicKey, weight: 4n }],
    ]);
    const head = { sinceAt: 1, untilAt: 2, total: 2, main: 1, list };
    expect(totalWeightOf({ kind: "plain", ...head })).toBe(7n);
    expect(totalWeightOf({ kind: "extended", ...head, totalWeight: 9n })).toBe(9n);
  });
});
