import { bookOf } from "../../../kit/api/v3/tokenAnswers.ts";
import { raw, sameDigits } from "../../../kit/api/v3/v3Stage.ts";
import { alice, bob, carol, multi, names, orderBoc, vestings } from "../../../kit/history/tokenRows.ts";
import { type GivenArgs, gives, lists, pageRefusals, refuses, sortRefusal, type V3Case } from "./V3Case.ts";

const nobody = `0:${sameDigits("7")}`;
const hashOf = (pair: string) => Buffer.from(pair.repeat(32), "hex").toString("base64");
const state = { code_hash: hashOf("01"), data_hash: hashOf("02"), last_transaction_lt: "77" };

const listNames = (note: string, args: GivenArgs, ...items: readonly string[]) =>
  lists(note, args, "records", "domain", () => items);
const listMultisigs = (note: string, args: GivenArgs, ...items: readonly (keyof typeof multi)[]) =>
  lists(note, args, "multisigs", "address", () => items.map((each) => raw(multi[each])));
const listOrders = (note: string, args: GivenArgs, ...items: readonly (keyof typeof multi)[]) =>
  lists(note, args, "orders", "address", () => items.map((each) => raw(multi[each])));
const listVesting = (note: string, args: GivenArgs, ...items: readonly (keyof typeof vestings)[]) =>
  lists(note, args, "vesting_contracts", "address", () => items.map((each) => raw(vestings[each])));

const order1 = {
  ...state,
  address: raw(multi.order1),
  multisig_address: raw(multi.first),
  order_seqno: "505",
  threshold: 2,
  sent_for_execution: false,
  approvals_mask: "3",
  approvals_num: 2,
  expiration_date: 1_800_000_000,
  order_boc: Buffer.from(orderBoc).toString("base64"),
  signers: [raw(alice), raw(bob)],
  actions: null,
};

const order2 = {
  ...order1,
  address: raw(multi.order2),
  order_seqno: "504",
  sent_for_execution: null,
  order_boc: null,
};

const firstMultisig = {
  ...state,
  address: raw(multi.first),
  next_order_seqno: String(2n ** 255n),
  threshold: 2,
  signers: [raw(alice), raw(bob)],
  proposers: [raw(carol)],
  orders: [order2, order1],
};

const vesting1 = {
  address: raw(vestings.one),
  start_time: 1_600_000_000,
  total_duration: 1000,
  unlock_period: 10,
  cliff_duration: 100,
  sender_address: raw(bob),
  owner_address: raw(alice),
  total_amount: "1000000000000",
  whitelist: [vestings.pool, carol, alice].map(raw),
};

/** Cases of requests about names, multisig wallets and vesting. */
export const contractCases = {
  "dns/records": [
    gives(
      "a record whole",
      { domain: "aa.ton" },
      {
        records: [
          {
            nft_item_address: raw(names.aa),
            nft_item_owner: raw(bob),
            domain: "aa.ton",
            dns_next_resolver: raw(names.resolver),
            dns_wallet: raw(carol),
            dns_site_adnl: hashOf("05"),
            dns_storage_bag_id: hashOf("06"),
          },
        ],
        address_book: bookOf(names.aa, bob, carol),
      },
    ),
    gives(
      "a record that leads to a wallet only",
      { domain: "ccc.t.me", x_no_address_book: "1" },
      {
        records: [
          {
            nft_item_address: raw(names.ccc),
            nft_item_owner: raw(alice),
            domain: "ccc.t.me",
            dns_next_resolver: null,
            dns_wallet: raw(carol),
            dns_site_adnl: null,
            dns_storage_bag_id: null,
          },
        ],
        address_book: {},
      },
    ),
    listNames("a wallet's, the shortest first", { wallet: carol }, "a.ton", "aa.ton", "bb.ton", "ccc.t.me"),
    listNames("a part", { wallet: carol, limit: 2, offset: 1 }, "aa.ton", "bb.ton"),
    listNames("a domain in other letters is another one", { domain: "AA.ton" }),
    listNames("a wallet without a name", { wallet: nobody }),
    refuses("nothing", {}, 422, "either wallet address or domain is required"),
    refuses("nothing in an empty domain", { domain: "" }, 422, "either wallet address or domain is required"),
    refuses("both", { wallet: carol, domain: "a.ton" }, 422, "provide either wallet address or domain, not both"),
    refuses("no wallet", { wallet: "carol" }, 422, 'schema: error converting value for "wallet"'),
    ...pageRefusals({ wallet: carol }),
  ],
  "multisig/wallets": [
    gives(
      "a wallet whole, with its orders",
      { address: multi.first },
      { multisigs: [firstMultisig], address_book: bookOf(multi.first, alice, bob, carol, multi.order1, multi.order2) },
    ),
    gives(
      "a wallet of which little is known, without its orders",
      { address: multi.second, include_orders: "0" },
      {
        multisigs: [
          {
            address: raw(multi.second),
            next_order_seqno: null,
            threshold: null,
            signers: [raw(carol)],
            proposers: [],
            last_transaction_lt: "77",
            code_hash: null,
            data_hash: null,
            orders: [],
          },
        ],
        address_book: bookOf(multi.second, carol),
      },
    ),
    listMultisigs("a signer's", { wallet_address: alice }, "first"),
    listMultisigs("those of a signer and proposer", { wallet_address: carol }, "first", "second"),
    listMultisigs(
      "those of several, from the first on",
      { wallet_address: [bob, carol], sort: "asc" },
      "second",
      "first",
    ),
    listMultisigs("a part", { wallet_address: carol, limit: 1, offset: 1 }, "second"),
    listMultisigs("both", { wallet_address: carol, address: [multi.second, nobody] }, "second"),
    listMultisigs("nothing", { wallet_address: nobody }),
    refuses("nothing asked for", {}, 422, "At least one of address or wallet_address should be specified"),
    refuses(
      "a flag that is none",
      { address: multi.first, include_orders: "x" },
      422,
      'schema: error converting value for "include_orders"',
    ),
    ...pageRefusals({ address: multi.first }),
    sortRefusal({ address: multi.first }),
  ],
  "multisig/orders": [
    gives(
      "an order whole",
      { address: multi.order1 },
      { orders: [order1], address_book: bookOf(multi.order1, multi.first, alice, bob) },
    ),
    gives(
      "what orders do",
      { multisig_address: multi.first, parse_actions: "true" },
      {
        orders: [
          {
            ...order1,
            actions: [
              {
                destination: null,
                value: null,
                body_raw: null,
                parsed: false,
                error: "unknown action 0xdeadbeef",
                parsed_body: null,
                parsed_body_type: "unknown",
                send_mode: 0,
              },
            ],
          },
          { ...order2, actions: [] },
        ],
        address_book: bookOf(multi.order1, multi.order2, multi.first, alice, bob),
      },
    ),
    listOrders("orders from the first on", { address: [multi.order1, multi.order3], sort: "a" }, "order3", "order1"),
    listOrders("those of wallets", { multisig_address: [multi.first, multi.second] }, "order1", "order2", "order3"),
    listOrders(
      "those of wallets, in part",
      { multisig_address: `${multi.second},${multi.first}`, sort: "asc", limit: 1, offset: 1 },
      "order2",
    ),
    listOrders("both", { multisig_address: multi.first, address: [multi.order3, multi.order2] }, "order2"),
    listOrders("nothing", { address: nobody }),
    refuses("nothing asked for", {}, 422, "At least one of address or multisig_address should be specified"),
    refuses(
      "a flag that is none",
      { address: multi.order1, parse_actions: "x" },
      422,
      'schema: error converting value for "parse_actions"',
    ),
    ...pageRefusals({ address: multi.order1 }),
    sortRefusal({ address: multi.order1 }),
  ],
  vesting: [
    gives(
      "a contract whole",
      { contract_address: vestings.one },
      { vesting_contracts: [vesting1], address_book: bookOf(vestings.one, bob, alice, vestings.pool, carol) },
    ),
    gives(
      "a contract of which little is known",
      { wallet_address: carol },
      {
        vesting_contracts: [
          {
            address: raw(vestings.three),
            start_time: null,
            total_duration: null,
            unlock_period: null,
            cliff_duration: null,
            sender_address: null,
            owner_address: raw(carol),
            total_amount: null,
            whitelist: [raw(alice)],
          },
        ],
        address_book: bookOf(vestings.three, carol, alice),
      },
    ),
    listVesting(
      "contracts, in the order of insertion",
      { contract_address: `${vestings.one},${vestings.three}` },
      "three",
      "one",
    ),
    listVesting("an owner's and sender's", { wallet_address: alice }, "two", "one"),
    listVesting(
      "those that may send to a wallet, too",
      { wallet_address: alice, check_whitelist: "1" },
      "three",
      "two",
      "one",
    ),
    listVesting(
      "those of wallets, each once, in part",
      { wallet_address: [alice, bob, carol], check_whitelist: "true", limit: 2, offset: 1 },
      "two",
      "one",
    ),
    listVesting(
      "a whitelist does not matter to contracts",
      { contract_address: vestings.two, check_whitelist: "1" },
      "two",
    ),
    listVesting("nothing", { wallet_address: nobody }),
    refuses("nothing asked for", {}, 422, "at least one of contract_address or wallet_address is required"),
    refuses(
      "both",
      { contract_address: vestings.one, wallet_address: alice },
      422,
      "only one of contract_address or wallet_address should be specified",
    ),
    refuses(
      "a flag that is none",
      { wallet_address: alice, check_whitelist: "yes" },
      422,
      'schema: error converting value for "check_whitelist"',
    ),
    ...pageRefusals({ wallet_address: alice }),
  ],
} satisfies Readonly<Record<string, readonly V3Case[]>>;
