import { describe } from "vitest";
import { ValueFlow } from "../../src/model/ValueFlow.ts";
import { anyValueFlow } from "../kit/blockValues.ts";
import { itHoldsForRandom } from "../kit/checkCodec.ts";

describe("value flows of blocks", () => {
  itHoldsForRandom("ValueFlow, both forms", ValueFlow, anyValueFlow);
});
