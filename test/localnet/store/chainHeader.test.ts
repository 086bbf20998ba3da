import { describe, expect, it } from "vitest";
import { decodeHeader } from "../../../src/localnet/store/chainHeader.ts";

/** What is said of a file with this text. */
function refusal(text: string): unknown {
  try {
    return decodeHeader(Buffer.from(text), "net/chain.json");
  } catch (error) {
    return { code: Object(error).code, message: Object(error).message };
  }
}

const header = { format: "tongate-chain/3", seed: "s", globalId: 1, wallets: [], masterchain: "", basechain: "" };

describe("what a chain begins with", () => {
  it.each([
    ["cut short", "{", "bad JSON at line 1, column 2: the text ends where a property name should be"],
    [
      "made by another version",
      JSON.stringify(header),
      'its format is "tongate-chain/3", and this version of the program knows tongate-chain/2',
    ],
  ])("is refused by the name of its file when it is %s", (_how, text, why) => {
    expect(refusal(text)).toEqual({
      code: "localnet/data",
      message: `net/chain.json does not tell of a chain: ${why}`,
    });
  });
});
