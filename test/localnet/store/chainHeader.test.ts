import { describe, expect, it } from "vitest";
import { makeNetwork } from "../../../src/localnet/genesis/makeNetwork.ts";
import { decodeHeader, encodeHeader } from "../../../src/localnet/store/chainHeader.ts";
import { testKeys } from "../../kit/localnet/testKeys.ts";

/** The error for a file with this text. */
function refusal(text: string): unknown {
  try {
    return decodeHeader(Buffer.from(text), "net/chain.json");
  } catch (error) {
    return { code: Object(error).code, message: Object(error).message };
  }
}

const header = { format: "tongate-chain/3", seed: "s", globalId: 1, wallets: [], masterchain: "", basechain: "" };

describe("the header of a chain", () => {
  it("defines by its format how the keys of the network follow from the seed", async () => {
    const keys = await testKeys();
    const zeroStates = makeNetwork(keys, { globalId: -5, bornAt: 1_700_000_000, splitDepth: 0, globalVersion: 14 });
    const wallets = keys.wallets.slice(0, 1).map(({ words, secret }) => ({ words, secret }));
    const written = { seed: "s", globalId: -5, zeroStates, wallets };
    const keyRules = { walletNetworkId: -5, hasValidatorAddress: true };
    const text = Buffer.from(encodeHeader({ ...written, keyRules })).toString("utf8");
    const { zeroStates: read, ...rest } = decodeHeader(Buffer.from(text), "net/chain.json");
    expect(rest).toEqual({ seed: "s", globalId: -5, wallets, keyRules });
    expect(read.map(({ id }) => id)).toEqual(zeroStates.map(({ id }) => id));
    const older = decodeHeader(Buffer.from(text.replace("tongate-chain/2", "tongate-chain/1")), "net/chain.json");
    expect(older.keyRules).toEqual({ walletNetworkId: -239, hasValidatorAddress: false });
  });

  it.each([
    ["cut short", "{", "bad JSON at line 1, column 2: the text ends where a property name should be"],
    [
      "made by another version",
      JSON.stringify(header),
      'its format is "tongate-chain/3", and this version of the program knows tongate-chain/2',
    ],
  ])("is rejected with its file name if it is %s", (_how, text, why) => {
    expect(refusal(text)).toEqual({
      code: "localnet/data",
      message: `net/chain.json does not describe a chain: ${why}`,
    });
  });
});
