import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../src/lib/random.ts";
import { makeNetwork } from "../../../src/localnet/network/makeNetwork.ts";
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

const header = { format: "tongate-chain/4", seed: "s", globalId: 1, wallets: [], masterchain: "", basechain: "" };

async function headerText(): Promise<string> {
  const keys = await testKeys();
  const zeroStates = makeNetwork(keys, { globalId: -5, bornAt: 1_700_000_000, splitDepth: 0, globalVersion: 14 });
  const wallets = keys.wallets.slice(0, 1).map(({ words, secret }) => ({ words, secret }));
  const keyRules = { walletNetworkId: -5, hasValidatorAddress: true };
  return Buffer.from(encodeHeader({ seed: "s", globalId: -5, zeroStates, wallets, keyRules })).toString("utf8");
}

describe("the header of a chain", () => {
  it("has a checksum, so that a changed letter is detected", async () => {
    const text = await headerText();
    const { header: read, isProven } = decodeHeader(Buffer.from(text), "net/chain.json");
    expect(isProven).toBe(true);
    expect(read.seed).toBe("s");
    expect(read.keyRules).toEqual({ walletNetworkId: -5, hasValidatorAddress: true });
    expect(Buffer.from(encodeHeader(read)).toString()).toBe(text);
    const random = seededRandom("changed letters");
    for (let i = 0; i < 300; i++) {
      // Letters of the small fields, then of all.
      const at = random.int(i < 200 ? 1_500 : text.length);
      const letter = String.fromCharCode(33 + random.int(94));
      const changed = `${text.slice(0, at)}${letter}${text.slice(at + 1)}`;
      // Space between the fields has no meaning, and the same letter is no change.
      if (/\s/.test(text[at] ?? "") || letter === text[at]) continue;
      expect([at, letter, refusal(changed)]).toMatchObject([at, letter, { code: "localnet/data" }]);
    }
  });

  it.each([
    ["tongate-chain/2", { walletNetworkId: -5, hasValidatorAddress: true }],
    ["tongate-chain/1", { walletNetworkId: -239, hasValidatorAddress: false }],
  ])("may have no checksum in %s, whose format defines how the keys follow from the seed", async (format, keyRules) => {
    const { checksum, walletNetworkId, hasValidatorAddress, ...former } = JSON.parse(await headerText());
    const text = JSON.stringify({ ...former, format });
    const { header: read, isProven } = decodeHeader(Buffer.from(text), "net/chain.json");
    expect(isProven).toBe(false);
    expect(read.keyRules).toEqual(keyRules);
    expect(decodeHeader(encodeHeader(read), "net/chain.json")).toEqual({ header: read, isProven: true });
    expect(refusal(JSON.stringify({ ...former, format, checksum }))).toMatchObject({ code: "localnet/data" });
    expect(refusal(JSON.stringify({ ...former, format, globalId: -6 }))).toMatchObject({
      message: expect.stringContaining("its global id is -6, its zero state has -5"),
    });
  });

  it.each([
    ["cut short", "{", "bad JSON at line 1, column 2: the text ends where a property name should be"],
    [
      "made by another version",
      JSON.stringify(header),
      'its format is "tongate-chain/4", and this version of the program supports tongate-chain/3',
    ],
  ])("is rejected with its file name if it is %s", (_how, text, why) => {
    expect(refusal(text)).toEqual({
      code: "localnet/data",
      message: `net/chain.json does not describe a chain: ${why}; restore a copy of the file, or a snapshot of the chain`,
    });
  });
});
