import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import { crcForm, writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { cell, storeCell } from "../../../src/cell/codec.ts";
import { makeDictionary } from "../../../src/cell/dictionary.ts";
import { hashKey } from "../../../src/cell/keys.ts";
import { addressValue, cellValue, intValue, sliceValue } from "../../../src/contracts/kit/stackValues.ts";
import { toBase64 } from "../../../src/lib/bytes.ts";
import { parseAddress } from "../../../src/model/Address.ts";
import { Content } from "../../../src/model/content/Content.ts";
import { type DnsRecord, dnsCategories, storeDnsRecord } from "../../../src/model/content/DnsRecord.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import type { VmStackValue } from "../../../src/model/vm/VmStack.ts";
import type { TestServer } from "../../kit/api/apiServer.ts";
import { type MethodStacks, openMethodServer } from "../../kit/chain/changedV2.ts";

/* Answers about contracts whose get-methods return chosen values; their code does not matter here. */

let server: TestServer;
let stacks: MethodStacks = {};

beforeAll(async () => {
  server = await openMethodServer(() => stacks);
});

afterAll(() => server.close());

const elector = `-1:${"3".repeat(64)}`;
const electorFriendly = "Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF";
const owner = "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N";
const self = addressValue(parseAddress(elector).address);
const other = addressValue(parseAddress(owner).address);
/** An address in a cell with trailing bits, as some contracts return it. */
const boxed = cellValue(
  beginCell().storeUint(4, 3).storeInt(0, 8).storeHex(parseAddress(owner).address.slice(2)).storeUint(5, 7).cell(),
);
const nobody = sliceValue(beginCell().storeUint(0, 2).cell());
const stray = addressValue(parseAddress(`7:${"1".repeat(64)}`).address);
const one = intValue(1n);
const offchain = contentValue({ kind: "offchain", uri: "https://x/y.json" });
const codeBytes = toBase64(writeBoc(emptyCell, crcForm));

function contentValue(content: Content): VmStackValue {
  return cellValue(storeCell(Content, content));
}

/** Starts like an address but is not one. */
const notText = cellValue(beginCell().storeUint(1, 8).storeUint(0xff, 8).cell());
const notBytes = cellValue(beginCell().storeUint(1, 8).storeUint(1, 3).cell());

const master: MethodStacks = { get_jetton_data: [intValue(7n), intValue(-1n), other, offchain, cellValue(emptyCell)] };
const wallet: MethodStacks = {
  get_wallet_data: [intValue(9n), other, self, cellValue(emptyCell)],
  get_wallet_address: [self],
};
const item: MethodStacks = {
  get_nft_data: [intValue(-1n), intValue(3n), self, other, cellValue(emptyCell)],
  get_nft_address_by_index: [self],
  get_nft_content: [offchain],
};
const shownContent = { type: "offchain", data: "https://x/y.json" };

const shownMaster = {
  "@type": "ext.tokens.jettonMasterData",
  ...{ address: elector, contract_type: "jetton_master", total_supply: "7", mintable: true, admin_address: owner },
  ...{ jetton_content: shownContent, jetton_wallet_code: codeBytes },
};
const shownWallet = {
  "@type": "ext.tokens.jettonWalletData",
  ...{ address: elector, contract_type: "jetton_wallet", balance: "9", owner, jetton: electorFriendly },
  jetton_wallet_code: codeBytes,
};
const shownCollection = {
  "@type": "ext.tokens.nftCollectionData",
  ...{ address: elector, contract_type: "nft_collection", next_item_index: "-1", collection_content: shownContent },
};
const shownItem = {
  "@type": "ext.tokens.nftItemData",
  ...{ address: elector, contract_type: "nft_item", init: true, index: "3", collection_address: electorFriendly },
  ...{ owner_address: owner, content: shownContent },
};

function recordsCell(records: Readonly<Record<string, Cell>>): Cell {
  const entries = Object.entries(records).map(([category, value]): [Hash, Cell] => [category as Hash, value]);
  return makeDictionary(hashKey, cell, entries).root ?? emptyCell;
}

const domain = (records: Readonly<Record<string, Cell>>, name: VmStackValue): MethodStacks => ({
  ...item,
  dnsresolve: [intValue(8n), cellValue(recordsCell(records))],
  get_domain: [name],
});
const site = storeDnsRecord({ kind: "adnlAddress", adnlAddress: "ab".repeat(32) as Hash, protocols: undefined });
const textRecord = (bytes: Uint8Array): DnsRecord => ({ kind: "text", chunks: [bytes] });
const aliceCell = beginCell().storeBytes(Buffer.from("alice")).cell();
const shownDomain = {
  ...shownItem,
  content: {
    domain: "alice.ton",
    data: {
      site: { "@type": "dns_adnl_address", adnl_addr: "ab".repeat(32) },
      ["C".repeat(64)]: { "@type": "dns_text", text: "hi" },
    },
  },
};
const records = { [dnsCategories.site]: site, ["c".repeat(64)]: storeDnsRecord(textRecord(Buffer.from("hi"))) };

async function ask(method: string, args: Readonly<Record<string, string>>) {
  const post = (path: string, body: unknown) =>
    fetch(`${server.origin}/api/v2/${path}`, { method: "POST", body: JSON.stringify(body) });
  const answers = [
    await fetch(`${server.origin}/api/v2/${method}?${new URLSearchParams(args)}`),
    await post(method, args),
    await post("jsonRPC", { method, params: args }),
  ];
  return Promise.all(
    answers.map(async (response) => {
      const { result, error } = Object(await response.json());
      return [response.status, result ?? error];
    }),
  );
}

const notToken = [409, "Smart contract is not Jetton or NFT"] as const;
const noUri = [500, "missing uri field in offchain data"] as const;
const notShown = [500, "failed to serialize TokenData"] as const;

const masterOf = (...values: readonly VmStackValue[]): MethodStacks => ({ get_jetton_data: values });
const walletOf = (master: VmStackValue): MethodStacks => ({
  ...wallet,
  get_wallet_data: [intValue(9n), other, master, cellValue(emptyCell)],
});
const plain = [intValue(7n), intValue(-1n)] as const;
const coded = cellValue(emptyCell);

describe("getTokenData", () => {
  it.each<[string, MethodStacks, readonly [number, unknown]]>([
    ["a jetton master", master, [200, shownMaster]],
    ["one with more behind its data", masterOf(...plain, other, offchain, coded, one), [200, shownMaster]],
    ["one with its admin in a cell", masterOf(...plain, boxed, offchain, coded), [200, shownMaster]],
    [
      "one without admin",
      masterOf(...plain, nobody, offchain, coded),
      [200, { ...shownMaster, admin_address: undefined }],
    ],
    ["one with too little", masterOf(...plain, other, offchain), notToken],
    ["one with a number as its content", masterOf(...plain, other, one, coded), notToken],
    ["one with content of no kind", masterOf(...plain, other, cellValue(emptyCell), coded), notToken],
    ["one whose content is somewhere, not said where", masterOf(...plain, other, notText, coded), noUri],
    ["one whose content is at an address of odd bits", masterOf(...plain, other, notBytes, coded), noUri],
    ["what is a wallet, too", { ...masterOf(...plain, other, notText, coded), ...wallet }, [200, shownWallet]],
    ["a jetton wallet", wallet, [200, shownWallet]],
    [
      "one of a mintless jetton",
      { ...wallet, is_claimed: [one] },
      [200, { ...shownWallet, mintless_is_claimed: true }],
    ],
    [
      "one whose owner has not claimed",
      { ...wallet, is_claimed: [intValue(0n)] },
      [200, { ...shownWallet, mintless_is_claimed: false }],
    ],
    ["one its master does not know", { ...wallet, get_wallet_address: [other] }, notToken],
    ["one whose master knows nothing", { ...wallet, get_wallet_address: [] }, notToken],
    ["one without master", walletOf(nobody), notToken],
    ["one with a master where nobody is", walletOf(stray), notToken],
    ["a collection", { get_collection_data: [intValue(-1n), offchain, nobody] }, [200, shownCollection]],
    [
      "one with an owner",
      { get_collection_data: [intValue(-1n), offchain, other] },
      [200, { ...shownCollection, owner_address: owner }],
    ],
    ["one whose content is nowhere", { get_collection_data: [intValue(-1n), notText, nobody] }, noUri],
    ["an item", item, [200, shownItem]],
    ["one its collection does not know", { ...item, get_nft_address_by_index: [other] }, notToken],
    ["one whose collection shows it nowhere", { ...item, get_nft_content: [notText] }, noUri],
    [
      "one of no collection",
      { get_nft_data: [one, intValue(3n), nobody, nobody, offchain] },
      [200, { ...shownItem, collection_address: undefined, owner_address: undefined }],
    ],
    ["a domain", domain(records, cellValue(aliceCell)), [200, shownDomain]],
    ["one that gives its name as most do", domain(records, sliceValue(aliceCell)), [200, shownDomain]],
    [
      "one without records",
      { ...domain(records, sliceValue(aliceCell)), dnsresolve: [intValue(8n), { kind: "null" }] },
      [200, shownItem],
    ],
    [
      "one with a text that is none",
      domain({ ["c".repeat(64)]: storeDnsRecord(textRecord(Buffer.of(0xff))) }, cellValue(aliceCell)),
      notShown,
    ],
    ["nothing at all", {}, notToken],
  ])("answers %s", async (_what, says, [status, shown]) => {
    stacks = says;
    const wanted = [status, shown];
    expect(await ask("getTokenData", { address: elector })).toEqual([wanted, wanted, wanted]);
  });

  it("writes the address as requested", async () => {
    stacks = master;
    for (const address of [electorFriendly, elector.toUpperCase()]) {
      const wanted = [200, { ...shownMaster, address }];
      expect(await ask("getTokenData", { address })).toEqual([wanted, wanted, wanted]);
    }
  });
});

describe("dnsResolve", () => {
  const entry = (name: string, category: string, record: object) => ({
    "@type": "dns.entry",
    ...{ name, category: Buffer.from(category, "hex").toString("base64"), entry: record },
  });

  it.each<[string, MethodStacks, Readonly<Record<string, string>>, readonly [number, unknown]]>([
    [
      "all records of a name",
      { dnsresolve: [intValue(48n), cellValue(recordsCell(records))] },
      { name: "alice" },
      [
        200,
        {
          "@type": "dns.resolved",
          entries: [
            entry("alice.", "c".repeat(64), { "@type": "dns.entryDataText", text: "hi" }),
            entry("alice.", dnsCategories.site, {
              "@type": "dns.entryDataAdnlAddress",
              adnl_address: { "@type": "adnlAddress", adnl_address: expect.stringMatching(/^[a-z2-7]{55}$/) },
            }),
          ],
        },
      ],
    ],
    [
      "who knows more",
      {
        dnsresolve: [
          intValue(32n),
          cellValue(storeDnsRecord({ kind: "nextResolver", resolver: parseAddress(owner).address })),
        ],
      },
      { name: "alice.ton" },
      [
        200,
        {
          "@type": "dns.resolved",
          entries: [
            entry("ton.", dnsCategories.dns_next_resolver, {
              "@type": "dns.entryDataNextResolver",
              resolver: { "@type": "accountAddress", account_address: owner },
            }),
          ],
        },
      ],
    ],
    [
      "nothing",
      { dnsresolve: [intValue(0n), { kind: "null" }] },
      { name: "x" },
      [200, { "@type": "dns.resolved", entries: [] }],
    ],
    ["a contract that resolves nothing", {}, { name: "x" }, [500, "get method failed"]],
  ])("answers %s", async (_what, says, args, [status, shown]) => {
    stacks = says;
    const wanted = [status, shown];
    expect(await ask("dnsResolve", { address: elector, ...args })).toEqual([wanted, wanted, wanted]);
  });
});
