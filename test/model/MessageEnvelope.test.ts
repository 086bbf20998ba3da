import { describe } from "vitest";
import { MessageEnvelope } from "../../src/model/MessageEnvelope.ts";
import { itHoldsForRandom } from "../kit/checkCodec.ts";
import { anyEnvelope } from "../kit/messageValues.ts";

describe("message envelopes", () => {
  itHoldsForRandom("MessageEnvelope", MessageEnvelope, anyEnvelope);
});
