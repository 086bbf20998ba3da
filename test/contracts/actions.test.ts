import { describe, expect, it } from "vitest";
import { type FactMaps, makeFacts } from "../../kit/contracts/corpusFacts.ts";
import { beginCell } from "../../src/cell/Builder.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import { classify } from "../../src/contracts/classify.ts";
import { isVisible, supportedTypes } from "../../src/contracts/visibility.ts";
import { type Address, makeAddress } from "../../src/model/Address.ts";
import { parseHash } from "../../src/model/Hash.ts";
import { internalAddress } from "../../src/model/messageAddress.ts";
import { account, comment, makeTestTrace, query, type Step } from "../kit/model/testTrace.ts";

/** The expected actions of one trace. */
interface Case {
  readonly steps: readonly Step[];
  readonly facts?: FactMaps;
  /** Type, success and some details of the shown actions, without deployments. */
  readonly shown: readonly (readonly [type: string, success: boolean, details?: Readonly<Record<string, unknown>>])[];
}

const [wallet, item, owner, market] = [account("wallet"), account("item"), account("owner"), account("market")];
const collection = account("collection");
const raw = (address: Address) => address.toUpperCase();

function body(opcode: number, queryId = 7n) {
  return beginCell().storeUint(opcode, 32).storeBigUint(queryId, 64);
}

function withAddress(builder: ReturnType<typeof beginCell>, address: Address) {
  internalAddress.store(builder, address);
  return builder;
}

const items = new Map([[item, { index: 5n, collection, owner, contentUri: undefined }]]);
const teleitems = new Map([
  [item, { index: 5n, collection, owner, contentUri: "https://nft.fragment.com/number/1.json" }],
]);
const dotTon = makeAddress(0, "b774d95eb20543f186c06b371ab88ad704f7e256130caf96189368a7d0cb6ccf");
const domains = new Map([[item, { index: 5n, collection: dotTon, owner, contentUri: undefined }]]);
const sales = new Map([[account("sale"), { nft: item, nftOwner: owner, marketplace: market, fullPrice: 100n }]]);
const auctions = new Map([[account("auction"), { nft: item, nftOwner: owner, marketplace: market, lastBid: 90n }]]);
const orders = new Map([[account("order"), { signers: [account("signer 1"), account("signer 2")] }]]);
const pool = account("pool");
const pools = new Map([[pool, parseHash("mj7BS8CY9rRAZMMFIiyuooAPF92oXuaoGYpwle3hDc8=")]]);
const elector = makeAddress(-1, "3".repeat(64));

const jettons = account("jetton wallet");
const wrappedTon = makeAddress(0, "671963027f7f85659ab55b821671688601cdcf1ee674fc7fbbb1a776a18d34a3");

function nftTransfer(newOwner: Address): Cell {
  const builder = withAddress(withAddress(body(0x5fcc3d14), newOwner), wallet);
  return builder.storeBit(false).storeCoins(1n).storeBit(false).cell();
}

const record = beginCell().storeUint(0x9fd3, 16);
internalAddress.store(record, wallet);

const cases: Readonly<Record<string, Case>> = {
  "a domain record is changed": {
    steps: [{ to: item, body: body(0x4eb1f0f9).storeBigUint(9n, 256).storeRef(record.storeUint(0, 8).cell()).cell() }],
    facts: { nftItems: items },
    shown: [
      [
        "change_dns",
        true,
        {
          key: "9".padStart(64, "0"),
          value: {
            sum_type: "DNSSmcAddress",
            dns_smc_address: raw(wallet),
            dns_adnl_address: null,
            dns_text: null,
            dns_next_resolver_address: null,
            dns_storage_address: null,
            flags: 0,
          },
          source: raw(wallet),
          asset: raw(item),
          nft_collection: raw(collection),
        },
      ],
    ],
  },
  "a domain record is deleted": {
    steps: [{ to: item, body: body(0x4eb1f0f9).storeBigUint(9n, 256).cell() }],
    shown: [["delete_dns", true, { hash: "9".padStart(64, "0"), asset: raw(item), nft_collection: null }]],
  },
  "a domain record is refused and the sender sends what is left on": {
    steps: [
      {
        to: item,
        body: body(0x4eb1f0f9).storeBigUint(9n, 256).cell(),
        aborted: true,
        causes: [{ to: wallet, body: query(0xffffffff), causes: [{ to: owner, body: query(0xd53276db) }] }],
      },
    ],
    shown: [
      ["delete_dns", false],
      ["call_contract", true, { opcode: "0xd53276db" }],
    ],
  },
  "a domain is renewed": {
    steps: [{ to: item, body: body(0x4eb1f0f9).storeBigUint(0n, 256).cell() }],
    shown: [["renew_dns", true, { source: raw(wallet), asset: raw(item) }]],
  },
  "a won domain is used for the first time": {
    steps: [{ to: item, body: query(0x4eb1f0fa), causes: [{ to: dotTon, body: query(0x370fec51), value: 77n }] }],
    facts: { nftItems: domains },
    shown: [
      ["call_contract", true],
      ["dns_purchase", true, { nft_item: raw(item), new_owner: raw(wallet), price: "77", payout_amount: "77" }],
    ],
  },
  "a domain is released": {
    steps: [{ to: item, body: query(0x4ed14b65), value: 3n }],
    facts: { nftItems: domains },
    shown: [["dns_release", true, { query_id: "7", source: raw(wallet), nft_item: raw(item), value: "3" }]],
  },
  "a stake is given to the elector": {
    steps: [{ to: elector, body: query(0x4e73744b), value: 9n, causes: [{ to: wallet, body: query(0xf374484c) }] }],
    shown: [["election_deposit", true, { stake_holder: raw(wallet), amount: "9" }]],
  },
  "a stake the elector does not confirm": {
    steps: [{ to: elector, body: query(0x4e73744b), value: 9n, causes: [{ to: wallet, body: query(0xee6f454c) }] }],
    shown: [
      ["election_deposit", false, { amount: "9" }],
      ["call_contract", true],
    ],
  },
  "a subscription is paid": {
    steps: [{ to: account("plugin"), body: query(0xf06c7567), causes: [{ to: owner, body: query(0x73756273) }] }],
    shown: [
      ["subscribe", true, { subscriber: raw(wallet), beneficiary: raw(owner), subscription: raw(account("plugin")) }],
    ],
  },
  "a subscription ends": {
    steps: [{ to: account("plugin"), body: query(0x64737472), causes: [{ to: owner, body: query(0x64737472) }] }],
    shown: [["unsubscribe", true, { subscriber: raw(wallet), beneficiary: raw(owner) }]],
  },
  "an order of a multisig is approved by comment": {
    steps: [{ to: account("order"), body: comment("approve"), causes: [{ to: wallet, body: query(0x82609bf6) }] }],
    facts: { multisigOrders: orders },
    shown: [["multisig_approve", true, { signer_index: -1, exit_code: 0, source: raw(wallet) }]],
  },
  "an approval is rejected": {
    steps: [
      {
        to: account("order"),
        body: body(0xa762230f).storeUint(1, 8).cell(),
        causes: [{ to: wallet, body: body(0xafaf283e).storeUint(106, 32).cell() }],
      },
    ],
    facts: { multisigOrders: orders },
    shown: [["multisig_approve", false, { signer_index: 1, exit_code: 106 }]],
  },
  "an order nobody knows is no order": {
    steps: [{ to: account("order"), body: comment("approve"), causes: [{ to: wallet, body: query(0x82609bf6) }] }],
    shown: [
      ["ton_transfer", true],
      ["call_contract", true],
    ],
  },
  "a nominator gives a stake": {
    steps: [{ to: pool, body: comment("d"), value: 50n }],
    facts: { codeHashes: pools },
    shown: [
      ["stake_deposit", true, { provider: "nominator", stake_holder: raw(wallet), pool: raw(pool), amount: "50" }],
    ],
  },
  "a nominator is paid at once": {
    steps: [{ to: pool, body: comment("w"), value: 1n, causes: [{ to: wallet, value: 500n }] }],
    facts: { codeHashes: pools },
    shown: [["stake_withdrawal", true, { provider: "nominator", amount: "500" }]],
  },
  "a nominator has to wait": {
    steps: [{ to: pool, body: comment("w"), value: 10n, causes: [{ to: wallet, value: 9n }] }],
    facts: { codeHashes: pools },
    shown: [["stake_withdrawal_request", true, { provider: "nominator", tokens_burnt: null }]],
  },
  "the owner of a pool pays all who asked": {
    steps: [
      {
        to: pool,
        body: query(2),
        causes: [
          { to: owner, value: 5n },
          { to: market, value: 6n },
        ],
      },
    ],
    facts: { codeHashes: pools },
    shown: [
      ["call_contract", true],
      ["stake_withdrawal", true, { stake_holder: raw(owner), amount: "5" }],
      ["stake_withdrawal", true, { stake_holder: raw(market), amount: "6" }],
    ],
  },
  "an item is sold at a fixed price": {
    steps: [
      {
        to: account("sale"),
        value: 100n,
        causes: [
          { to: owner, value: 95n, body: comment("Profit") },
          { to: item, body: nftTransfer(wallet) },
        ],
      },
    ],
    facts: { nftItems: items, nftSales: sales },
    shown: [
      [
        "nft_purchase",
        true,
        {
          nft_item: raw(item),
          new_owner: raw(wallet),
          is_purchase: true,
          price: "100",
          real_old_owner: raw(owner),
          marketplace_address: raw(market),
          payout_amount: "95",
          payout_comment: "Profit",
        },
      ],
    ],
  },
  "an item is sold and the seller is paid with an encrypted comment without content": {
    steps: [
      {
        to: account("sale"),
        value: 100n,
        causes: [
          { to: owner, value: 95n, body: beginCell().storeUint(0x2167da4b, 32).cell() },
          { to: item, body: nftTransfer(wallet) },
        ],
      },
    ],
    facts: { nftItems: items, nftSales: sales },
    shown: [
      [
        "nft_purchase",
        true,
        { payout_comment: null, payout_comment_encrypted: true, payout_comment_encoded: false, payout_amount: "95" },
      ],
    ],
  },
  "jettons are burnt without a payload": {
    steps: [{ to: jettons, body: withAddress(body(0x595f07bc).storeCoins(8n), wallet).cell() }],
    facts: { jettonWallets: new Map([[jettons, { owner: wallet, jetton: market }]]) },
    shown: [["jetton_burn", true, { owner: raw(wallet), asset: raw(market), amount: "8" }]],
  },
  "wrapped TON is sent to nobody": {
    steps: [
      {
        to: jettons,
        body: withAddress(body(0x0f8a7ea5).storeCoins(8n).storeUint(0, 2), wallet)
          .storeBit(false)
          .storeCoins(1n)
          .storeBit(false)
          .cell(),
      },
    ],
    facts: { jettonWallets: new Map([[jettons, { owner: wallet, jetton: wrappedTon }]]) },
    shown: [["jetton_transfer", true, { sender: raw(wallet), receiver: null, asset: raw(wrappedTon), amount: "8" }]],
  },
  "a sale is cancelled": {
    steps: [{ to: account("sale"), body: query(3), causes: [{ to: item, body: nftTransfer(owner) }] }],
    facts: { nftItems: items, nftSales: sales },
    shown: [
      ["nft_cancel_sale", true, { owner: raw(owner), sale_address: raw(account("sale")), nft_item: raw(item) }],
      ["nft_transfer", true, { is_purchase: false }],
    ],
  },
  "an auction is cancelled": {
    steps: [{ to: account("auction"), body: comment("cancel"), causes: [{ to: item, body: nftTransfer(owner) }] }],
    facts: { nftItems: items, nftAuctions: auctions },
    shown: [
      ["nft_cancel_auction", true, { owner: raw(owner), auction_address: raw(account("auction")) }],
      ["nft_transfer", true],
    ],
  },
  "a bid beats another": {
    steps: [
      {
        to: account("auction"),
        value: 70n,
        causes: [{ to: owner, value: 60n, body: comment("Your bid has been outbid by another user.") }],
      },
    ],
    facts: { nftItems: items, nftAuctions: auctions },
    shown: [
      ["auction_bid", true, { amount: "70", bidder: raw(wallet), nft_item: raw(item), nft_item_index: "5" }],
      ["auction_outbid", true, { amount: "60", bidder: raw(owner), new_bidder: raw(wallet) }],
    ],
  },
  "a bid for a Telegram item": {
    steps: [{ to: item, value: 70n }],
    facts: { nftItems: teleitems },
    shown: [["auction_bid", true, { auction: raw(item), nft_item: raw(item) }]],
  },
  "the price of a sale changes": {
    steps: [{ to: account("sale"), body: body(0x6c6c2080).storeCoins(80n).storeCoins(4n).storeCoins(2n).cell() }],
    facts: { nftSales: sales },
    shown: [["nft_update_sale", true, { full_price: "80", marketplace_fee: "4", royalty_amount: "2" }]],
  },
  "an item says what it is": {
    steps: [
      {
        to: item,
        body: query(0x2fcb26a2),
        causes: [{ to: wallet, body: withAddress(body(0x8b771735).storeBigUint(5n, 256), collection).cell() }],
      },
    ],
    shown: [["nft_discovery", true, { nft_item: raw(item), nft_collection: raw(collection), nft_item_index: "5" }]],
  },
};

describe("events without a trace in the corpus", () => {
  for (const [name, { steps, facts, shown }] of Object.entries(cases)) {
    it(`are reported when ${name}`, () => {
      const { actions } = classify(makeTestTrace(wallet, steps), makeFacts(facts ?? {}));
      const visible = actions.filter((action) => isVisible(action, supportedTypes()));
      expect(visible.map(({ type, success }) => [type, success])).toEqual(shown.map(([type, ok]) => [type, ok]));
      shown.forEach(([, , details], index) => {
        if (details !== undefined) expect(visible[index]?.details).toMatchObject(details);
      });
    });
  }
});

describe("an order of a multisig", () => {
  it("is found by all its signers", () => {
    const steps = [
      { to: account("order"), body: comment("approve"), causes: [{ to: wallet, body: query(0x82609bf6) }] },
    ];
    const { actions } = classify(makeTestTrace(wallet, steps), makeFacts({ multisigOrders: orders }));
    expect(actions[0]?.accounts).toEqual(expect.arrayContaining([account("signer 1"), account("signer 2")]));
  });
});
