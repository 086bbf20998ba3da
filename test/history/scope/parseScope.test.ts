import { describe, expect, it } from "vitest";
import { parseScope } from "../../../src/history/scope/parseScope.ts";
import { describeScope, formatScope } from "../../../src/history/scope/Scope.ts";

const account = "0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8";
const bounceable = "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N";
const testOnly = "kQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqKYH";
const code = "84dafa449f98a6987789ba232358072bc0f76dc4524002a5d0918b9a75d2d599";
const codeBase64 = Buffer.from(code, "hex").toString("base64");

const mainnet = { isTest: false };
const parse = (value: unknown) => parseScope(JSON.stringify(value), mainnet);
const none = { accounts: [], jettons: [], collections: [], codeHashes: [], from: undefined, until: undefined };

describe("a scope file", () => {
  it("names accounts, jettons, collections, codes and bounds in any of their forms", () => {
    const given = {
      accounts: [bounceable, account.toUpperCase()],
      jettons: [account],
      collections: [` ${account} `],
      code_hashes: [code.toUpperCase(), codeBase64],
      from: 5,
      until: "2024-06-30T12:00:00Z",
    };
    expect(parse(given)).toEqual({
      accounts: [account],
      jettons: [account],
      collections: [account],
      codeHashes: [code],
      from: { kind: "block", seqno: 5 },
      until: { kind: "time", at: 1_719_748_800 },
    });
  });

  it("may be about time alone", () => {
    expect(parse({ from: "2024-06-30" })).toEqual({ ...none, from: { kind: "time", at: 1_719_705_600 } });
  });

  it("accepts an address for test networks on a test network", () => {
    expect(parseScope(JSON.stringify({ accounts: [testOnly] }), { isTest: true })).toEqual({
      ...none,
      accounts: [account],
    });
  });

  it.each([
    ["{", /^bad JSON at line 1, column 2: /],
    ["[]", 'it must be one object, such as { "accounts": ["0:…"] }'],
    ["{}", "it limits nothing; give at least one of accounts, jettons, collections, code_hashes, from, until"],
    [
      '{"accounts":[]}',
      "it limits nothing; give at least one of accounts, jettons, collections, code_hashes, from, until",
    ],
    ['{"account":[]}', 'unknown field "account"; use one of: accounts, jettons, collections, code_hashes, from, until'],
    ['{"accounts":"x"}', '"accounts" must be a list of texts'],
    ['{"accounts":[5]}', '"accounts"[0], 5, is no text'],
    ['{"accounts":["x"]}', '"accounts"[0], "x", is not an address: give a raw or a user-friendly one'],
    [
      JSON.stringify({ accounts: [account, testOnly] }),
      `"accounts"[1], "${testOnly}", has the flag for test networks, and this is the main network: give it without that flag, or raw`,
    ],
    ['{"code_hashes":["ff"]}', '"code_hashes"[0], "ff", is not a hash: give 32 bytes in hex or base64'],
    [
      '{"from":0}',
      '"from" cannot be 0; give the seqno of a masterchain block, or a time in UTC as "2024-06-30" or "2024-06-30T12:00:00Z"',
    ],
    [
      '{"until":"2024-13-30"}',
      '"until" cannot be "2024-13-30"; give the seqno of a masterchain block, or a time in UTC as "2024-06-30" or "2024-06-30T12:00:00Z"',
    ],
    ['{"from":7,"until":6}', '"from" 7 is after "until" 6'],
    [
      '{"from":"2024-06-30","until":"2024-06-29"}',
      '"from" "2024-06-30T00:00:00Z" is after "until" "2024-06-29T00:00:00Z"',
    ],
    [JSON.stringify({ accounts: Array(100_001).fill("x") }), '"accounts" has 100001 entries; the limit is 100000'],
    ['{"from":1,"from":2}', /"from"/],
  ])("is refused with the reason: %.60s", (text, reason) => {
    const refuse = () => parseScope(text, mainnet);
    expect(refuse).toThrow(expect.objectContaining({ code: "history/scope" }));
    expect(refuse).toThrow(reason);
  });
});

describe("the text of a scope", () => {
  it("is the same for equal scopes, and reads back", () => {
    const one = parse({ accounts: [bounceable, `0:${"ab".repeat(32)}`], until: 9, code_hashes: [codeBase64] });
    const same = parse({ until: 9, code_hashes: [code], accounts: [`0:${"ab".repeat(32)}`, account] });
    expect(formatScope(one)).toBe(
      `{"accounts":["${account}","0:${"ab".repeat(32)}"],"code_hashes":["${code}"],"until":9}`,
    );
    expect(formatScope(same)).toBe(formatScope(one));
    expect(formatScope(parseScope(formatScope(one), mainnet))).toBe(formatScope(one));
  });

  it("is described in words", () => {
    const scope = parse({
      accounts: [account, `0:${"ab".repeat(32)}`],
      jettons: [account],
      from: 5,
      until: "2024-06-30",
    });
    expect(describeScope(scope)).toBe("2 accounts, 1 jetton from block 5 until 2024-06-30T00:00:00Z");
    expect(describeScope(parse({ until: 5 }))).toBe("all accounts until block 5");
  });
});
