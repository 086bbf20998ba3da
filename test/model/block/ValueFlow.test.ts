import { describe } from "vitest";
import { ValueFlow } from "../../../src/model/block/ValueFlow.ts";
import { itHoldsForRandom } from "../../kit/cell/checkCodec.ts";
import { anyValueFlow } from "../../kit/model/blockValues.ts";

describe("value flows of blocks", () => {
  itHoldsForRandom("ValueFlow, both forms", ValueFlow, anyValueFlow);
});
