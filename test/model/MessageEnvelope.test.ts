import { describe } from "vitest";
import { MessageEnvelope } from "../../src/model/MessageEnvelope.ts";
import { itHoldsForRandom } from "../kit/cell/checkCodec.ts";
import { anyEnvelope } from "../kit/model/messageValues.ts";

describe("message envelopes", () => {
  itHoldsForRandom("MessageEnvelope", MessageEnvelope, anyEnvelope);
});
