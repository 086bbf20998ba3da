import { describe, expect, it } from "vitest";
import { methodId } from "../../../src/model/vm/methodId.ts";

describe("the id of a method", () => {
  it.each([
    ["seqno", 85143],
    ["get_wallet_data", 97026],
    ["get_jetton_data", 106029],
    ["get_wallet_address", 103289],
  ])("follows from the name %s", (name, id) => expect(methodId(name)).toBe(id));

  it("is unchanged if it is given", () => expect([methodId(0), methodId(-1), methodId(85143)]).toEqual([0, -1, 85143]));
});
