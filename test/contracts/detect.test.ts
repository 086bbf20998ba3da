import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Builder, beginCell, emptyCell } from "../../src/cell/Builder.ts";
import { cell as cellCodec } from "../../src/cell/codec.ts";
import { makeDictionary } from "../../src/cell/dictionary.ts";
import { hashKey } from "../../src/cell/keys.ts";
import { detect } from "../../src/contracts/detect.ts";
import type { ContractState } from "../../src/contracts/kit/entity.ts";
import { addressValue, cellValue, intValue, sliceValue } from "../../src/contracts/kit/stackValues.ts";
import { makeAddress } from "../../src/model/Address.ts";
import { dnsCategories, storeDnsRecord } from "../../src/model/content/DnsRecord.ts";
import { type Hash, parseHash } from "../../src/model/Hash.ts";
import { methodId } from "../../src/model/vm/methodId.ts";
import type { VmValue, VmValues } from "../../src/model/vm/VmValue.ts";
import { anyMutation, mutateCell } from "../kit/cell/mutatedCell.ts";
import { decodedEntities } from "../kit/contracts/entityDifferences.ts";
import { FakeCaller } from "../kit/contracts/FakeCaller.ts";
import { contractData } from "../kit/model/contractData.ts";
import { anyCell } from "../kit/model/modelValues.ts";
import { anyVm } from "../kit/model/vmValues.ts";

const self = makeAddress(0, "11".repeat(32));
const owner = makeAddress(0, "22".repeat(32));
const other = makeAddress(0, "33".repeat(32));
const nobody = sliceValue(beginCell().storeUint(0, 2).cell());
const none: VmValue = { kind: "null" };

function account(methods: readonly string[] | undefined, codeHash = emptyCell.hash()): ContractState {
  const ids = methods?.map(methodId).sort((a, b) => a - b);
  return { address: self, code: emptyCell, codeHash, data: emptyCell, methods: ids };
}

const text = (written: string) => beginCell().storeBytes(Buffer.from(written)).cell();
const offchain = (uri: string) => beginCell().storeUint(1, 8).storeBytes(Buffer.from(uri)).cell();

it("finds a jetton master by its own data alone", async () => {
  const stack = [intValue(5n), intValue(-1n), nobody, cellValue(offchain("https://a\0b")), cellValue(emptyCell)];
  const detectedEntities = await detect(
    account(["get_jetton_data"]),
    new FakeCaller({ [`${self} get_jetton_data`]: stack }),
  );
  expect(detectedEntities).toEqual([
    {
      kind: "jettonMaster",
      totalSupply: 5n,
      mintable: true,
      admin: undefined,
      content: { uri: "https://ab" },
      walletCodeHash: emptyCell.hash(),
    },
  ]);
});

it("treats a different number or type of values as another contract", async () => {
  const good = [intValue(5n), intValue(-1n), nobody, cellValue(offchain("a")), cellValue(emptyCell)];
  const bad: VmValues[] = [
    good.slice(1),
    [...good, none],
    good.with(2, cellValue(emptyCell)),
    good.with(2, sliceValue(beginCell().storeUint(0, 3).cell())),
    good.with(3, cellValue(emptyCell)),
    good.with(0, { kind: "nan" }),
  ];
  for (const stack of bad)
    expect(await detect(account(undefined), new FakeCaller({ [`${self} get_jetton_data`]: stack }))).toEqual([]);
});

const walletStack = [intValue(7n), addressValue(owner), addressValue(other), cellValue(emptyCell)];

it("accepts a jetton wallet only if its master confirms it", async () => {
  const says = (wallet: VmValue) =>
    new FakeCaller({ [`${self} get_wallet_data`]: walletStack, [`${other} get_wallet_address`]: [wallet] });
  const expected = { kind: "jettonWallet", balance: 7n, owner, jetton: other, isClaimed: undefined };
  expect(await detect(account(["get_wallet_data"]), says(addressValue(self)))).toEqual([expected]);
  expect(await detect(account(["get_wallet_data"]), says(addressValue(owner)))).toEqual([]);
  expect(
    await detect(account(["get_wallet_data"]), new FakeCaller({ [`${self} get_wallet_data`]: walletStack })),
  ).toEqual([]);
});

it("reads whether the share of a mintless jetton was claimed", async () => {
  const caller = new FakeCaller({
    [`${self} get_wallet_data`]: walletStack,
    [`${self} is_claimed`]: [intValue(0n)],
    [`${other} get_wallet_address`]: [addressValue(self)],
  });
  const detectedEntities = await detect(account(["get_wallet_data", "is_claimed"]), caller);
  expect(detectedEntities).toMatchObject([{ kind: "jettonWallet", isClaimed: false }]);
});

it("runs only methods that the code has, each at most once", async () => {
  const plain = new FakeCaller();
  expect(await detect(account(["seqno", "get_public_key"]), plain)).toEqual([]);
  expect(plain.asked).toEqual([]);
  const sale = new FakeCaller();
  await detect(account(["get_sale_data"]), sale);
  expect(sale.asked).toEqual([`${self} get_sale_data`]);
});

it("runs nothing on wallets, whose methods are often unknown", async () => {
  const caller = new FakeCaller();
  const v3r2 = parseHash("hNr6RJ+Ypph3ibojI1gHK8D3bcRSQAKl0JGLmnXS1Zk=");
  expect(await detect(account(undefined, v3r2), caller)).toEqual([]);
  expect(caller.asked).toEqual([]);
});

it("runs nothing on the elector and the configuration contract", async () => {
  const caller = new FakeCaller();
  for (const digit of ["3", "5"])
    expect(await detect({ ...account(undefined), address: makeAddress(-1, digit.repeat(64)) }, caller)).toEqual([]);
  expect(caller.asked).toEqual([]);
});

it("passes on errors of the caller", async () => {
  const failing = { ask: () => Promise.reject(new Error("no server")) };
  await expect(detect(account(["get_wallet_data"]), failing)).rejects.toThrow("no server");
});

const collection = makeAddress(0, "44".repeat(32));
const domains = { ton: new Set([collection]), telegram: new Set([other]) };

/** An item and its collection's answers about it. */
function itemAnswers(of = collection): Record<string, VmValues> {
  const stack = [intValue(-1n), intValue(9n), addressValue(of), addressValue(owner), cellValue(emptyCell)];
  return {
    [`${self} get_nft_data`]: stack,
    [`${of} get_nft_address_by_index`]: [addressValue(self)],
    [`${of} get_nft_content`]: [cellValue(offchain("item.json"))],
  };
}

it("takes the content of an item from its collection, which must confirm the item", async () => {
  const methods = account(["get_nft_data"]);
  const item = { kind: "nftItem", isInit: true, index: 9n, collection, owner, content: { uri: "item.json" } };
  expect(await detect(methods, new FakeCaller(itemAnswers()))).toEqual([item]);
  const stranger = { ...itemAnswers(), [`${collection} get_nft_address_by_index`]: [addressValue(owner)] };
  expect(await detect(methods, new FakeCaller(stranger))).toEqual([]);
});

it("takes the content of an item without collection from the item", async () => {
  const stack = [intValue(0n), intValue(9n), nobody, nobody, cellValue(offchain("own.json"))];
  const detectedEntities = await detect(account(undefined), new FakeCaller({ [`${self} get_nft_data`]: stack }));
  expect(detectedEntities).toMatchObject([
    { isInit: false, collection: undefined, owner: undefined, content: { uri: "own.json" } },
  ]);
});

it("finds a domain with its records, and its name among the attributes of the item", async () => {
  const records = makeDictionary(hashKey, cellCodec, [
    [dnsCategories.wallet as Hash, storeDnsRecord({ kind: "smcAddress", address: other, capabilities: undefined })],
    [dnsCategories.storage as Hash, emptyCell],
  ]);
  const answers = {
    ...itemAnswers(),
    [`${self} get_domain`]: [sliceValue(text("name"))],
    [`${self} dnsresolve`]: [intValue(8n), cellValue(records.root ?? emptyCell)],
  };
  const methods = account(["get_nft_data", "get_domain", "dnsresolve"]);
  expect(await detect(methods, new FakeCaller(answers), { domains })).toEqual([
    expect.objectContaining({ kind: "nftItem", content: { uri: "item.json", domain: "name.ton" } }),
    {
      kind: "dnsEntry",
      domain: "name.ton",
      owner,
      wallet: other,
      nextResolver: undefined,
      siteAdnl: undefined,
      storageBagId: undefined,
      auction: undefined,
      lastFillUpAt: undefined,
    },
  ]);
  // On other networks the same collection holds plain items.
  expect(await detect(methods, new FakeCaller(answers))).toMatchObject([{ kind: "nftItem" }]);
  const unresolved = { ...answers, [`${self} dnsresolve`]: [intValue(0n), none] };
  expect(await detect(methods, new FakeCaller(unresolved), { domains })).toMatchObject([{ kind: "nftItem" }]);
});

describe("the auction of a domain", () => {
  const answers = (more: Record<string, VmValues>) => ({
    ...itemAnswers(),
    [`${self} get_domain`]: [sliceValue(text("name"))],
    [`${self} dnsresolve`]: [intValue(8n), none],
    ...Object.fromEntries(Object.entries(more).map(([method, stack]) => [`${self} ${method}`, stack])),
  });
  const entryOf = async (more: Record<string, VmValues>) => {
    const [, entry] = await detect(account(undefined), new FakeCaller(answers(more)), { domains });
    return entry?.kind === "dnsEntry" ? [entry.domain, entry.auction, entry.lastFillUpAt] : undefined;
  };
  const auction = (endAt: bigint) => [addressValue(other), intValue(7n), intValue(endAt)];

  it("is what the item reports", async () => {
    const found = { maxBidder: other, maxBid: 7n, endAt: 1_700_000_000 };
    const both = { get_auction_info: auction(1_700_000_000n), get_last_fill_up_time: [intValue(1_600_000_000n)] };
    expect(await entryOf(both)).toEqual(["name.ton", found, 1_600_000_000]);
  });

  it("is absent without a bidder, whatever else the item reports", async () => {
    expect(await entryOf({ get_auction_info: [nobody, intValue(7n), intValue(-1n)] })).toEqual([
      ...["name.ton", undefined, undefined],
    ]);
  });

  it.each<[string, Record<string, VmValues>]>([
    ["negative times", { get_auction_info: auction(-1n), get_last_fill_up_time: [intValue(-1n)] }],
    ["times beyond 2^40", { get_auction_info: auction(2n ** 40n), get_last_fill_up_time: [intValue(2n ** 40n)] }],
    ["other stacks", { get_auction_info: [intValue(1n)], get_last_fill_up_time: [] }],
    ["other types", { get_auction_info: [intValue(1n), intValue(1n), intValue(1n)], get_last_fill_up_time: [none] }],
  ])("is absent for %s, and the domain stays", async (_, odd) => {
    expect(await entryOf(odd)).toEqual(["name.ton", undefined, undefined]);
  });
});

it("reads the name of a domain of Telegram from its labels", async () => {
  const answers = {
    ...itemAnswers(other),
    [`${self} get_full_domain`]: [sliceValue(text("me\0t\0name\0"))],
    [`${self} dnsresolve`]: [intValue(8n), none],
  };
  const detectedEntities = await detect(account(undefined), new FakeCaller(answers), { domains });
  expect(detectedEntities).toMatchObject([
    { kind: "nftItem" },
    { kind: "dnsEntry", domain: "name.t.me", wallet: undefined },
  ]);
});

it("reads an auction of version 4 and an earlier one", async () => {
  const terms = (): VmValues => [
    ...[intValue(0n), intValue(100n), addressValue(other), addressValue(other), nobody, intValue(3n), nobody],
    ...[intValue(4n), addressValue(other), intValue(5n), intValue(6n), addressValue(other), intValue(7n)],
    ...[intValue(8n), intValue(9n), intValue(10n), intValue(11n), intValue(12n), intValue(0n)],
  ];
  const before = [intValue(0x415543n), ...terms()];
  const v4 = [
    intValue(-1n),
    ...terms(),
    intValue(60n),
    intValue(13n),
    nobody,
    addressValue(owner),
    intValue(0n),
    intValue(14n),
  ];
  const common = {
    kind: "nftAuction",
    isEnded: false,
    endAt: 100,
    marketplace: other,
    nft: other,
    nftOwner: undefined,
    lastBid: 3n,
    lastMember: undefined,
    minStep: 4n,
    marketplaceFeeAddress: other,
    marketplaceFeeFactor: 5n,
    marketplaceFeeBase: 6n,
    royaltyFeeAddress: other,
    royaltyFeeFactor: 7n,
    royaltyFeeBase: 8n,
    maxBid: 9n,
    minBid: 10n,
    createdAt: 11,
    lastBidAt: 12,
    isCanceled: false,
  };
  expect(await detect(account(undefined), new FakeCaller({ [`${self} get_sale_data`]: before }))).toEqual([
    { ...common, version: "auction" },
  ]);
  expect(await detect(account(undefined), new FakeCaller({ [`${self} get_auction_data_v4`]: v4 }))).toEqual([
    {
      ...common,
      version: "v4",
      isActivated: true,
      stepTime: 60,
      lastQueryId: 13n,
      jettonWallet: undefined,
      jettonMaster: owner,
      isBrokenState: false,
      publicKey: 14n,
    },
  ]);
});

it("reads the jetton prices of a sale of version 4, and treats another mark as another contract", async () => {
  const price = {
    load: () => 0n,
    store: (builder: Builder, value: bigint) => void builder.storeCoins(value).storeUint(1, 2),
  };
  const prices = makeDictionary(hashKey, price, [["ab".repeat(32) as Hash, 77n]]).root ?? emptyCell;
  const terms = [
    ...[intValue(-1n), intValue(100n), addressValue(other), addressValue(other), nobody, intValue(5n)],
    ...[addressValue(other), intValue(6n), addressValue(owner), intValue(7n)],
  ];
  const common = {
    kind: "nftSale",
    isComplete: true,
    createdAt: 100,
    marketplace: other,
    nft: other,
    nftOwner: undefined,
    fullPrice: 5n,
    marketplaceFeeAddress: other,
    marketplaceFee: 6n,
    royaltyAddress: owner,
    royaltyAmount: 7n,
  };
  const find = (method: string, stack: VmValues) =>
    detect(account(undefined), new FakeCaller({ [`${self} ${method}`]: stack }));
  expect(await find("get_fix_price_data_v4", [...terms, intValue(8n), intValue(9n), cellValue(prices)])).toEqual([
    { ...common, version: "v4", soldAt: 8, soldQueryId: 9n, jettonPrices: [{ key: "ab".repeat(32), price: 77n }] },
  ]);
  expect(await find("get_sale_data", [intValue(0x46495850n), ...terms])).toEqual([{ ...common, version: "fixPrice" }]);
  expect(await find("get_sale_data", [intValue(0x46495851n), ...terms])).toEqual([]);
});

const poolCode = parseHash("1275095b6da3911292406f4f4386f9e780099b854c6dee9ee2895ddce70927c1");
const factory = "0:5f0564fb5f604783db57031ce1cf668a88d4d4d6da6de4db222b4b920d6fd800";

it("accepts a DeDust pool only by its code and the factory", async () => {
  const jetton = beginCell().storeUint(1, 4).storeInt(0, 8).storeHex("33".repeat(32)).cell();
  const says = (pool: VmValue) =>
    new FakeCaller({
      [`${self} get_assets`]: [sliceValue(beginCell().storeUint(0, 4).cell()), sliceValue(jetton)],
      [`${self} is_stable`]: [intValue(0n)],
      [`${self} get_reserves`]: [intValue(1n), intValue(2n)],
      [`${self} get_trade_fee`]: [intValue(25n), intValue(10000n)],
      [`${factory} get_pool_address`]: [pool],
    });
  expect(await detect(account(undefined, poolCode), says(addressValue(self)))).toEqual([
    {
      kind: "dedustPool",
      assets: [undefined, other],
      reserves: [1n, 2n],
      type: "volatile",
      feeNumerator: 25n,
      feeDenominator: 10000n,
    },
  ]);
  expect(await detect(account(undefined, poolCode), says(addressValue(owner)))).toEqual([]);
  expect(await detect(account(undefined), says(addressValue(self)))).toEqual([]);
});

it("never fails, whatever contracts answer", async () => {
  const anyStack = fc.array(fc.oneof(anyVm.value, fc.constantFrom(nobody, addressValue(self), intValue(8n))), {
    maxLength: 14,
  });
  await fc.assert(
    fc.asyncProperty(fc.func(anyStack), fc.boolean(), async (answer, isPool) => {
      const caller = { ask: async (_: unknown, method: string) => ({ kind: "ok", stack: answer(method) }) as const };
      await detect(account(undefined, isPool ? poolCode : undefined), caller, { domains });
    }),
    { numRuns: 300 },
  );
});

it("never fails, whatever the data of a known code", async () => {
  const codes = Object.values(decodedEntities).flatMap(({ decodedCodes }) => decodedCodes);
  const written = fc.oneof(...Object.values(contractData));
  const mutated = fc.tuple(written, anyMutation).map(([data, mutation]) => mutateCell(data, mutation));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...codes), fc.oneof(anyCell, written, mutated), async (codeHash, data) => {
      for (const { decode } of Object.values(decodedEntities)) decode({ ...account([], codeHash), data });
    }),
    { numRuns: 2000 },
  );
});
