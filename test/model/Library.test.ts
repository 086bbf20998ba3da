import fc from "fast-check";
import { describe } from "vitest";
import { unit } from "../../src/cell/codec.ts";
import { hashKey } from "../../src/cell/keys.ts";
import { LibDescr } from "../../src/model/Library.ts";
import { itHoldsForRandom } from "../kit/cell/checkCodec.ts";
import { anyCell, anyHash } from "../kit/model/modelValues.ts";
import { anyDictionary } from "../kit/model/validatorValues.ts";

describe("libraries", () => {
  itHoldsForRandom(
    "LibDescr",
    LibDescr,
    fc.record({ library: anyCell, publishers: anyDictionary(hashKey, unit, anyHash, fc.constant<true>(true), 1) }),
  );
});
