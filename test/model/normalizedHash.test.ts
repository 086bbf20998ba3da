import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { storeCell } from "../../src/cell/codec.ts";
import { Message } from "../../src/model/Message.ts";
import { type ExternalInInfo, normalizedHash } from "../../src/model/normalizedHash.ts";
import { anyMessage } from "../kit/model/messageValues.ts";

const anyExternal = anyMessage.filter(({ info }) => info.kind === "externalIn");
const infoOf = (message: Message): ExternalInInfo => message.info as ExternalInInfo;

describe("the normalized hash of an external message", () => {
  it("does not depend on the layout of the message", () => {
    fc.assert(
      fc.property(anyExternal, (message) => {
        const { body } = message;
        const info: ExternalInInfo = { ...infoOf(message), src: undefined, importFee: 0n };
        expect(normalizedHash({ info: infoOf(message), body })).toBe(normalizedHash({ info, body }));
      }),
    );
  });

  it("is the plain hash of a message in the normal form", () => {
    fc.assert(
      fc.property(anyExternal, (message) => {
        const { body } = message;
        const info: ExternalInInfo = { ...infoOf(message), src: undefined, importFee: 0n };
        const normal: Message = { info, init: undefined, initPlace: "inline", body, bodyPlace: "ref" };
        expect(normalizedHash({ info, body })).toBe(storeCell(Message, normal).hash());
      }),
    );
  });
});
