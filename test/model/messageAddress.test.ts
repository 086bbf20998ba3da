import { describe, expect, it } from "vitest";
import { cellOf } from "../../kit/cell/anyCell.ts";
import { loadCell } from "../../src/cell/codec.ts";
import { anyAddress, externalAddress, IntermediateAddress, internalAddress } from "../../src/model/messageAddress.ts";
import { itHoldsForRandom } from "../kit/cell/checkCodec.ts";
import {
  anyExternalAddress,
  anyIntermediate,
  anyInternalAddress,
  anyMessageAddress,
} from "../kit/model/addressValues.ts";
import { refusalCode } from "../kit/suite/refusal.ts";

const account = "0".repeat(264);

describe("addresses in cells", () => {
  itHoldsForRandom("MsgAddressInt", internalAddress, anyInternalAddress);
  itHoldsForRandom("MsgAddressExt", externalAddress, anyExternalAddress);
  itHoldsForRandom("MsgAddress", anyAddress, anyMessageAddress);
  itHoldsForRandom("IntermediateAddress", IntermediateAddress, anyIntermediate);

  it("of accounts are plain text unless they were rewritten or have another length", () => {
    expect(loadCell(internalAddress, cellOf(`100${account}`))).toBe(`0:${"0".repeat(64)}`);
  });

  it("that are absent are undefined", () => {
    expect(loadCell(externalAddress, cellOf("00"))).toBeUndefined();
    expect(loadCell(anyAddress, cellOf("00"))).toBeUndefined();
  });

  it("are rejected in place of the other kind", () => {
    expect(refusalCode(() => loadCell(internalAddress, cellOf("00")))).toBe("model/address");
    expect(refusalCode(() => loadCell(internalAddress, cellOf("01000000000")))).toBe("model/address");
    expect(refusalCode(() => loadCell(externalAddress, cellOf(`100${account}`)))).toBe("model/address");
  });

  it("are rejected if no bits or more than thirty bits were rewritten", () => {
    expect(refusalCode(() => loadCell(internalAddress, cellOf(`10100000${account}`)))).toBe("model/address");
    expect(refusalCode(() => loadCell(internalAddress, cellOf(`10111111${"0".repeat(31)}${account}`)))).toBe(
      "cell/range",
    );
  });
});
