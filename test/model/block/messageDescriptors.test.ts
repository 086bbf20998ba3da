import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadCell } from "../../../src/cell/codec.ts";
import { Block } from "../../../src/model/block/Block.ts";
import { ImportFees, InMsg, OutMsg } from "../../../src/model/block/messageDescriptors.ts";
import { itHoldsForRandom } from "../../kit/cell/checkCodec.ts";
import { anyInMsg, anyOutMsg } from "../../kit/model/descriptorValues.ts";
import { fixtureBlocks } from "../../kit/model/fixtureChain.ts";
import { anyCurrency } from "../../kit/model/messageValues.ts";
import { anyCoins } from "../../kit/model/modelValues.ts";

describe("message descriptors", () => {
  itHoldsForRandom("InMsg", InMsg, anyInMsg);
  itHoldsForRandom("OutMsg", OutMsg, anyOutMsg);
  itHoldsForRandom("ImportFees", ImportFees, fc.record({ feesCollected: anyCoins, valueImported: anyCurrency }));

  it("are stored under the hash of their message", () => {
    for (const root of fixtureBlocks("traffic")) {
      const { inMessages, outMessages } = loadCell(Block, root).extra.load();
      inMessages.load().forEach((descriptor, key) => {
        const message = "message" in descriptor ? descriptor.message : descriptor.inEnvelope.load().message;
        expect(message.cell.hash()).toBe(key);
      });
      outMessages.load().forEach((descriptor, key) => {
        if (descriptor.kind === "dequeueShort") return;
        const message = "message" in descriptor ? descriptor.message : descriptor.outEnvelope.load().message;
        expect(message.cell.hash()).toBe(key);
      });
    }
  });
});
