import { bookOf, metadataOf } from "../../../kit/api/v3/tokenAnswers.ts";
import { b64, raw, sameDigits, tokens } from "../../../kit/api/v3/v3Stage.ts";
import {
  alice,
  jettonWalletsAt as at,
  bob,
  carol,
  commentBoc,
  copper,
  gold,
  silver,
  strangeBoc,
  tokenRows,
} from "../../../kit/history/tokenRows.ts";
import { type GivenArgs, gives, lists, pageRefusals, refuses, sorted, sortRefusal, type V3Case } from "./V3Case.ts";

const nobody = `0:${sameDigits("7")}`;
const hashOf = (pair: string) => Buffer.from(pair.repeat(32), "hex").toString("base64");
const state = { code_hash: hashOf("01"), data_hash: hashOf("02"), last_transaction_lt: "77" };
const comment = { "@type": "text_comment", type: "text_comment", comment: "for lunch" };
const boc = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

const listMasters = (note: string, args: GivenArgs, items: readonly string[]) =>
  lists(note, args, "jetton_masters", "address", () => items);
const listWallets = (note: string, args: GivenArgs, ...items: readonly (keyof typeof at)[]) =>
  lists(note, args, "jetton_wallets", "address", () => items.map((name) => raw(at[name])));

type TransferRow = (typeof tokenRows.jettonTransfers)[number];
type Test<T> = (row: T) => boolean;
type Sort = "asc" | "desc";

const inOrder = <T extends { readonly txLt: bigint; readonly txNow: number; readonly txHash: string }>(
  rows: readonly T[],
  sort: Sort,
  isByTime: boolean,
) =>
  sorted(
    rows,
    [({ txNow }) => (isByTime ? txNow : 0), sort],
    [({ txLt }) => txLt, sort],
    [({ txHash }) => txHash, sort],
  );

/** Expects these transfers, without aborted ones. */
function listTransfers(note: string, args: GivenArgs, test: Test<TransferRow>, sort: Sort = "desc", isByTime = false) {
  const rows = inOrder(
    tokenRows.jettonTransfers.filter((row) => !row.txAborted && test(row)),
    sort,
    isByTime,
  );
  return lists(note, args, "jetton_transfers", "transaction_hash", () => rows.map(({ txHash }) => b64(txHash)));
}

type BurnRow = (typeof tokenRows.jettonBurns)[number];

function listBurns(note: string, args: GivenArgs, test: Test<BurnRow>, sort: Sort = "desc", isByTime = false) {
  const rows = inOrder(tokenRows.jettonBurns.filter(test), sort, isByTime);
  return lists(note, args, "jetton_burns", "transaction_hash", () => rows.map(({ txHash }) => b64(txHash)));
}

/** Cases of requests about jettons. */
export const jettonCases = {
  "jetton/masters": [
    gives(
      "a master whole",
      { address: gold },
      {
        jetton_masters: [
          {
            ...state,
            address: raw(gold),
            total_supply: "10000000000000000000000000",
            mintable: false,
            admin_address: raw(alice),
            jetton_content: { symbol: "X", decimals: "9" },
            jetton_wallet_code_hash: hashOf("03"),
          },
        ],
        address_book: bookOf(gold, alice),
        metadata: metadataOf(gold),
      },
    ),
    listMasters("all, in the order of insertion", {}, [tokens.master, copper, silver, gold].map(raw)),
    listMasters("a part", { limit: 2, offset: 1 }, [copper, silver].map(raw)),
    listMasters("an offset below nothing and a limit below one", { limit: 0, offset: -5 }, [raw(tokens.master)]),
    listMasters("addresses with a comma", { address: `${gold},${copper},${nobody}` }, [copper, gold].map(raw)),
    listMasters("those of an admin", { admin_address: alice }, [raw(gold)]),
    listMasters("those of admins", { admin_address: [alice, bob, alice] }, [silver, gold].map(raw)),
    listMasters("both", { address: [gold, copper], admin_address: [bob, alice] }, [raw(gold)]),
    listMasters("nothing", { address: nobody }, []),
    refuses("no address", { address: "me" }, 422, 'schema: error converting value for index 0 of "address"'),
    ...pageRefusals(),
  ],
  "jetton/wallets": walletCases(),
  "jetton/transfers": transferCases(),
  "jetton/burns": [
    gives(
      "a burn whole",
      { jetton_wallet: at.aliceGold },
      {
        jetton_burns: [
          {
            query_id: "18446744073709551615",
            owner: raw(alice),
            jetton_wallet: raw(at.aliceGold),
            jetton_master: raw(gold),
            transaction_hash: hashOf("2a"),
            transaction_lt: "1010",
            transaction_now: 52,
            transaction_aborted: false,
            amount: "3",
            response_destination: raw(bob),
            custom_payload: boc(commentBoc),
            decoded_custom_payload: comment,
            trace_id: hashOf("04"),
          },
        ],
        address_book: bookOf(alice, at.aliceGold, gold, bob),
        metadata: metadataOf(at.aliceGold, gold),
      },
    ),
    gives(
      "a burn with nothing around it",
      { jetton_master: silver, x_no_address_book: "true", x_no_metadata: "1" },
      {
        jetton_burns: [
          {
            query_id: "18446744073709551615",
            owner: raw(alice),
            jetton_wallet: raw(at.aliceSilver),
            jetton_master: raw(silver),
            transaction_hash: hashOf("2c"),
            transaction_lt: "1012",
            transaction_now: 48,
            transaction_aborted: false,
            amount: "3",
            response_destination: null,
            custom_payload: null,
            decoded_custom_payload: null,
            trace_id: null,
          },
        ],
        address_book: {},
        metadata: {},
      },
    ),
    listBurns("all, aborted ones too", {}, () => true),
    listBurns("all from the first on", { sort: "asc", limit: 3 }, ({ txLt }) => txLt < 1013n, "asc"),
    listBurns("times", { start_utime: 48, end_utime: "53.9" }, ({ txNow }) => txNow <= 53, "desc", true),
    listBurns("logical times", { start_lt: 1011, end_lt: 1012 }, ({ txLt }) => txLt === 1011n || txLt === 1012n),
    listBurns("an owner", { address: alice }, ({ owner }) => owner === alice),
    listBurns(
      "owners by time",
      { address: [alice, bob], start_utime: 1, sort: "a" },
      ({ owner }) => owner !== carol,
      "asc",
      true,
    ),
    listBurns(
      "an owner by the other name, which is stronger",
      { address: alice, owner_address: bob },
      (row) => row.owner === bob,
    ),
    listBurns("a jetton", { jetton_master: gold }, ({ jettonMaster }) => jettonMaster === gold),
    listBurns(
      "wallets, an owner and a jetton",
      { jetton_wallet: `${at.aliceGold},${at.carolGold}`, owner_address: carol, jetton_master: gold },
      ({ owner }) => owner === carol,
    ),
    ...pageRefusals(),
    sortRefusal(),
  ],
} satisfies Readonly<Record<string, readonly V3Case[]>>;

function walletCases(): readonly V3Case[] {
  return [
    gives(
      "a wallet with something to claim",
      { address: at.bobSilver },
      {
        jetton_wallets: [
          {
            address: raw(at.bobSilver),
            balance: "0",
            owner: raw(bob),
            jetton: raw(silver),
            last_transaction_lt: "77",
            code_hash: null,
            data_hash: null,
            mintless_info: {
              amount: "50",
              start_from: 1_700_000_000,
              expire_at: null,
              custom_payload_api_uri: ["https://example.org/claim"],
            },
          },
        ],
        address_book: bookOf(at.bobSilver, bob, silver),
        metadata: metadataOf(at.bobSilver, silver),
      },
    ),
    gives(
      "a wallet whose drop is claimed",
      { owner_address: carol, jetton_address: gold },
      {
        jetton_wallets: [{ ...state, address: raw(at.carolGold), balance: "0", owner: raw(carol), jetton: raw(gold) }],
        address_book: bookOf(at.carolGold, carol, gold),
        metadata: metadataOf(at.carolGold, gold),
      },
    ),
    lists("all, in the order of insertion", { limit: 3 }, "jetton_wallets", "address", () =>
      [tokens.wallet, at.carolSilver, at.carolGold].map(raw),
    ),
    lists("all by balance, the richest first", { sort: "desc", limit: 4 }, "jetton_wallets", "address", () =>
      [tokens.wallet, at.carolSilver, at.bobGold, at.aliceCopper].map(raw),
    ),
    listWallets(
      "the poorest first, in the order of insertion",
      { sort: "ASC", limit: 4 },
      "carolGold",
      "bobSilver",
      "aliceSilver",
      "aliceGold",
    ),
    listWallets(
      "the poorest that have or can claim something",
      { sort: "a", exclude_zero_balance: "true", limit: 3 },
      "bobSilver",
      "aliceGold",
      "aliceCopper",
    ),
    listWallets(
      "all that have or can claim something",
      { exclude_zero_balance: "1", offset: 1 },
      "carolSilver",
      "bobSilver",
      "bobGold",
      "aliceCopper",
      "aliceGold",
    ),
    listWallets(
      "zero balances, when that is said",
      { exclude_zero_balance: "false", owner_address: alice },
      "aliceCopper",
      "aliceSilver",
      "aliceGold",
    ),
    listWallets(
      "addresses in their own order",
      { address: [at.bobGold, at.aliceGold, at.carolGold] },
      "aliceGold",
      "bobGold",
      "carolGold",
    ),
    listWallets(
      "addresses that have something",
      { address: [at.bobGold, at.carolGold, at.bobSilver], exclude_zero_balance: "T" },
      "bobGold",
      "bobSilver",
    ),
    listWallets("an owner", { owner_address: alice }, "aliceCopper", "aliceSilver", "aliceGold"),
    listWallets("an owner by balance", { owner_address: alice, sort: "d" }, "aliceCopper", "aliceGold", "aliceSilver"),
    listWallets(
      "owners, one after another",
      { owner_address: [bob, carol, alice], limit: 6 },
      "carolSilver",
      "carolGold",
      "aliceCopper",
      "aliceSilver",
      "aliceGold",
      "bobSilver",
    ),
    listWallets(
      "owners by balance, with something",
      { owner_address: `${bob},${carol}`, sort: "asc", exclude_zero_balance: "1" },
      "carolSilver",
      "bobSilver",
      "bobGold",
    ),
    listWallets(
      "owners and addresses",
      { owner_address: [alice, bob], address: [at.bobGold, at.carolGold, at.aliceGold, at.bobSilver] },
      "aliceGold",
      "bobSilver",
      "bobGold",
    ),
    listWallets("a jetton", { jetton_address: gold }, "carolGold", "bobGold", "aliceGold"),
    listWallets(
      "a jetton by balance, without those that have nothing",
      { jetton_address: [gold, gold], sort: "desc", exclude_zero_balance: "on" },
      "bobGold",
      "aliceGold",
    ),
    listWallets(
      "a jetton of owners, in the order of insertion",
      { jetton_address: gold, owner_address: [alice, bob] },
      "bobGold",
      "aliceGold",
    ),
    listWallets(
      "jettons of an owner",
      { jetton_address: [gold, copper], owner_address: alice },
      "aliceCopper",
      "aliceGold",
    ),
    listWallets("nothing", { owner_address: nobody }),
    refuses(
      "jettons without an owner",
      { jetton_address: [gold, copper] },
      422,
      "exact one owner_address required for multiple jetton_address",
    ),
    refuses(
      "jettons with two owners",
      { jetton_address: `${gold},${copper}`, owner_address: [alice, bob] },
      422,
      "exact one owner_address required for multiple jetton_address",
    ),
    refuses(
      "a flag that is none",
      { exclude_zero_balance: "no" },
      422,
      'schema: error converting value for "exclude_zero_balance"',
    ),
    ...pageRefusals(),
    sortRefusal(),
  ];
}

function transferCases(): readonly V3Case[] {
  const isOf =
    (...owners: readonly string[]) =>
    ({ source, destination }: TransferRow) =>
      owners.includes(source) || owners.includes(destination ?? "");
  return [
    gives(
      "a transfer whole",
      { owner_address: alice, end_lt: 1000 },
      {
        jetton_transfers: [
          {
            query_id: "18446744073709551615",
            source: raw(alice),
            destination: raw(bob),
            amount: "1000",
            source_wallet: raw(at.aliceGold),
            jetton_master: raw(gold),
            transaction_hash: hashOf("20"),
            transaction_lt: "1000",
            transaction_now: 50,
            transaction_aborted: false,
            response_destination: raw(alice),
            custom_payload: null,
            decoded_custom_payload: null,
            forward_ton_amount: "1",
            forward_payload: boc(commentBoc),
            decoded_forward_payload: comment,
            trace_id: hashOf("04"),
          },
        ],
        address_book: bookOf(alice, bob, at.aliceGold, gold),
        metadata: metadataOf(at.aliceGold, gold),
      },
    ),
    gives(
      "a transfer to nobody, which has nothing but what it must",
      { jetton_wallet: at.carolGold },
      {
        jetton_transfers: [
          {
            query_id: "18446744073709551615",
            source: raw(carol),
            destination: null,
            amount: "1005",
            source_wallet: raw(at.carolGold),
            jetton_master: raw(gold),
            transaction_hash: hashOf("25"),
            transaction_lt: "1005",
            transaction_now: 62,
            transaction_aborted: false,
            response_destination: null,
            custom_payload: null,
            decoded_custom_payload: null,
            forward_ton_amount: null,
            forward_payload: null,
            decoded_forward_payload: null,
            trace_id: null,
          },
        ],
        address_book: bookOf(carol, at.carolGold, gold),
        metadata: metadataOf(at.carolGold, gold),
      },
    ),
    lists(
      "a payload that nothing is known of",
      { jetton_wallet: at.aliceSilver },
      "jetton_transfers",
      "custom_payload",
      () => [boc(strangeBoc)],
    ),
    lists(
      "which is not decoded",
      { jetton_wallet: at.aliceSilver },
      "jetton_transfers",
      "decoded_custom_payload",
      () => [null],
    ),
    listTransfers("all but aborted ones", {}, () => true),
    listTransfers("all from the first on", { sort: "asc" }, () => true, "asc"),
    listTransfers("an owner's, each once", { owner_address: alice }, isOf(alice)),
    listTransfers("owners', each once", { owner_address: [alice, bob, carol] }, () => true),
    listTransfers(
      "owners' by time",
      { owner_address: `${alice},${carol}`, start_utime: 50, sort: "asc" },
      (row) => isOf(alice, carol)(row) && row.txNow >= 50,
      "asc",
      true,
    ),
    listTransfers("an owner's by the other name", { address: bob }, isOf(bob)),
    listTransfers("an owner's, whatever the other name says", { address: bob, owner_address: carol }, isOf(carol)),
    listTransfers("both ways, when that is said", { owner_address: bob, direction: "both" }, isOf(bob)),
    listTransfers(
      "what an owner received",
      { owner_address: alice, direction: "in" },
      ({ destination }) => destination === alice,
    ),
    listTransfers("what an owner sent", { owner_address: alice, direction: "out" }, ({ source }) => source === alice),
    listTransfers(
      "what an owner sent, whatever word is said",
      { owner_address: alice, direction: "sideways" },
      ({ source }) => source === alice,
    ),
    listTransfers("a direction of nobody", { direction: "in" }, () => true),
    listTransfers(
      "from wallets",
      { jetton_wallet: [at.aliceGold, at.bobSilver] },
      ({ sourceWallet }) => sourceWallet === at.aliceGold || sourceWallet === at.bobSilver,
    ),
    listTransfers(
      "from wallets to an owner",
      { jetton_wallet: [at.aliceGold, at.bobSilver], owner_address: alice, direction: "in" },
      (row) => row.sourceWallet === at.aliceGold && row.destination === alice,
    ),
    listTransfers(
      "from a wallet, of an owner either way, of a jetton",
      { jetton_wallet: at.aliceGold, owner_address: bob, jetton_master: gold },
      (row) => row.sourceWallet === at.aliceGold && row.destination === bob,
    ),
    listTransfers("a jetton", { jetton_master: silver }, ({ jettonMaster }) => jettonMaster === silver),
    listTransfers(
      "a jetton of owners",
      { jetton_master: gold, owner_address: [carol, bob] },
      (row) => isOf(carol, bob)(row) && row.jettonMaster === gold,
    ),
    listTransfers(
      "times, both ends included",
      { start_utime: 49, end_utime: 51 },
      ({ txNow }) => txNow <= 51,
      "desc",
      true,
    ),
    listTransfers(
      "logical times, both ends included",
      { start_lt: 1001, end_lt: "1004" },
      ({ txLt }) => txLt >= 1001n && txLt <= 1004n,
    ),
    listTransfers("no end beyond all times", { start_lt: "18446744073709551615" }, () => false),
    refuses("no jetton", { jetton_master: "gold" }, 422, 'schema: error converting value for "jetton_master"'),
    refuses(
      "a bad address for a name and another",
      { address: "x", jetton_wallet: "y" },
      422,
      'schema: error converting value for "address" (and 1 other error)',
    ),
    ...pageRefusals(),
    sortRefusal(),
  ];
}
