import { describe, expect, it } from "vitest";
import { listMessages, transferLink } from "../../web/contract/messages.ts";


describe("the messages of a contract", () => {
  it("are those of all its ABIs, of one name the first", () => {
    const message = (name: string, ...names: string[]) => ({
      name,
      fields: names.map((each) => ({ name: each, type: "int8" })),
    });
    const abis = [
      { receives: [message("burn", "a"), message("send")] },
      {},
      { receives: [message("burn", "b"), message("mint")] },
    ];
    expect(listMessages({ abis })).toEqual([message("burn", "a"), message("send"), message("mint")]);
  });

  it("are offered to wallets by a link with the body in the URL form of base64", () => {
    expect(transferLink("EQ_a", 100_000_000n, "te6+/w==")).toBe("ton://transfer/EQ_a?amount=100000000&bin=te6-_w");
  });
});
