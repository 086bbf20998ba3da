import { bookOf, metadataOf } from "../../../kit/api/v3/tokenAnswers.ts";
import { b64, raw, sameDigits, tokens } from "../../../kit/api/v3/v3Stage.ts";
import {
  alice,
  apes,
  bob,
  carol,
  cats,
  commentBoc,
  dogs,
  nfts,
  sales,
  strangeBoc,
  tokenRows,
} from "../../../kit/history/tokenRows.ts";
import { type GivenArgs, gives, lists, pageRefusals, refuses, sorted, sortRefusal, type V3Case } from "./V3Case.ts";

const nobody = `0:${sameDigits("7")}`;
const hashOf = (pair: string) => Buffer.from(pair.repeat(32), "hex").toString("base64");
const hashes = { code_hash: hashOf("01"), data_hash: hashOf("02") };
const boc = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
const many = Array.from({ length: 1001 }, (_none, at) => `0:${at.toString(16).padStart(64, "0")}`);

const apesShown = {
  ...hashes,
  address: raw(apes),
  owner_address: raw(alice),
  last_transaction_lt: "77",
  next_item_index: "4",
  collection_content: { uri: "apes.json" },
};

const ape2Shown = {
  ...hashes,
  address: raw(nfts.ape2),
  init: true,
  index: "2",
  collection_address: raw(apes),
  owner_address: raw(sales.sale),
  content: { uri: "2.json" },
  last_transaction_lt: "70",
  collection: apesShown,
  on_sale: true,
  sale_contract_address: raw(sales.sale),
  real_owner: raw(alice),
};

/** An item of a collection that is known by its address alone. */
export const catShown = {
  ...hashes,
  address: raw(nfts.cat),
  init: true,
  index: "0",
  collection_address: raw(cats),
  owner_address: raw(alice),
  content: { uri: "0.json" },
  last_transaction_lt: "65",
  collection: {
    ...{ ...hashes, address: raw(cats), owner_address: null, last_transaction_lt: "77", next_item_index: "-1" },
    collection_content: null,
  },
  on_sale: false,
};

const numberShown = {
  ...hashes,
  address: raw(nfts.number),
  init: true,
  index: String(2n ** 255n),
  collection_address: null,
  owner_address: raw(bob),
  content: { uri: `${2n ** 255n}.json` },
  last_transaction_lt: "40",
  collection: null,
  on_sale: false,
};

const listCollections = (note: string, args: GivenArgs, ...items: readonly string[]) =>
  lists(note, args, "nft_collections", "address", () => items.map((each) => each.toUpperCase()));
const listItems = (note: string, args: GivenArgs, ...items: readonly (keyof typeof nfts)[]) =>
  lists(note, args, "nft_items", "address", () => items.map((name) => raw(nfts[name])));

type TransferRow = (typeof tokenRows.nftTransfers)[number];

function listTransfers(
  note: string,
  args: GivenArgs,
  test: (row: TransferRow) => boolean,
  sort: "asc" | "desc" = "desc",
  isByTime = false,
) {
  const rows = sorted(
    tokenRows.nftTransfers.filter(test),
    [({ txNow }) => (isByTime ? txNow : 0), sort],
    [({ txLt }) => txLt, sort],
  );
  return lists(note, args, "nft_transfers", "transaction_hash", () => rows.map(({ txHash }) => b64(txHash)));
}

/** Cases of requests about NFTs. */
export const nftCases = {
  "nft/collections": [
    gives(
      "a collection whole",
      { collection_address: apes },
      { nft_collections: [apesShown], address_book: bookOf(apes, alice), metadata: metadataOf(apes) },
    ),
    gives(
      "a collection of nobody without numbers",
      { collection_address: cats },
      {
        nft_collections: [
          {
            ...hashes,
            address: raw(cats),
            owner_address: null,
            last_transaction_lt: "77",
            next_item_index: "-1",
            collection_content: null,
          },
        ],
        address_book: bookOf(cats),
        metadata: metadataOf(cats),
      },
    ),
    listCollections("all, in the order of insertion", {}, tokens.collection, dogs, cats, apes),
    listCollections("a part", { limit: 2, offset: 1 }, dogs, cats),
    listCollections("collections", { collection_address: `${apes},${dogs}` }, dogs, apes),
    listCollections("those of an owner", { owner_address: bob }, dogs),
    listCollections("those of owners", { owner_address: [alice, bob] }, dogs, apes),
    listCollections("both", { owner_address: [alice, bob], collection_address: [apes, cats] }, apes),
    listCollections("nothing", { owner_address: nobody }),
    ...pageRefusals(),
  ],
  "nft/items": itemCases(),
  "nft/transfers": transferCases(),
  "nft/sales": [
    gives(
      "sales, then auctions, then items that sell themselves",
      { address: [nfts.number, sales.auction, sales.sale, sales.ended, nobody] },
      {
        nft_sales: [
          {
            ...{ ...hashes, type: "getgems_sale", address: raw(sales.ended), nft_address: raw(nfts.ape1) },
            ...{ created_at: 1_600_000_000, last_transaction_lt: "77" },
            details: { is_complete: true, full_price: "5" },
            nft_item: {
              ...{ ...hashes, address: raw(nfts.ape1), init: true, index: "1", collection_address: raw(apes) },
              ...{ owner_address: raw(alice), content: { uri: "1.json" }, last_transaction_lt: "50" },
              ...{ collection: apesShown, on_sale: false },
            },
          },
          {
            ...{ ...hashes, type: "getgems_sale", address: raw(sales.sale), nft_address: raw(nfts.ape2) },
            ...{ nft_owner_address: raw(alice), marketplace_address: raw(sales.market) },
            ...{ created_at: 1_600_000_000, last_transaction_lt: "77" },
            details: { is_complete: false, full_price: "7", marketplace_fee_address: raw(carol), marketplace_fee: "1" },
            nft_item: ape2Shown,
          },
          {
            ...{ ...hashes, type: "getgems_auction", address: raw(sales.auction), nft_address: raw(nfts.ape3) },
            ...{ nft_owner_address: raw(bob), marketplace_address: raw(sales.market) },
            ...{ created_at: 1_600_000_000, last_transaction_lt: "77" },
            details: { end_flag: false, end_time: 1_700_000_000, last_bid: "9", last_member: raw(alice), min_step: 5 },
            nft_item: {
              ...{ ...hashes, address: raw(nfts.ape3), init: true, index: "3", collection_address: raw(apes) },
              ...{ owner_address: raw(sales.auction), content: { uri: "3.json" }, last_transaction_lt: "60" },
              ...{ collection: apesShown, on_sale: true, auction_contract_address: raw(sales.auction) },
              real_owner: raw(bob),
            },
          },
          {
            ...{ ...hashes, type: "telemint", address: raw(nfts.number), nft_address: raw(nfts.number) },
            last_transaction_lt: "77",
            details: { token_name: "8888", bid: "0", bid_ts: "0", end_time: 0 },
            nft_item: numberShown,
          },
        ],
        address_book: bookOf(
          ...[sales.ended, sales.sale, sales.auction, sales.market, nfts.number, nfts.ape1, nfts.ape2, nfts.ape3],
          ...[apes, alice, bob, carol],
        ),
        metadata: metadataOf(nfts.number, nfts.ape1, nfts.ape2, nfts.ape3, apes),
      },
    ),
    gives("nothing", { address: nobody }, { nft_sales: [], address_book: {}, metadata: {} }),
    lists(
      "all addresses, whatever the limit and offset",
      { address: [sales.sale, sales.ended], limit: 1, offset: 1 },
      "nft_sales",
      "address",
      () => [sales.ended, sales.sale].map(raw),
    ),
    refuses(
      "a limit and an offset that are no numbers",
      { address: sales.sale, limit: "one", offset: "x" },
      422,
      'schema: error converting value for "limit" (and 1 other error)',
    ),
    refuses("no address", {}, 422, "at least 1 address required"),
    refuses("too many", { address: many.join(",") }, 422, "maximum 1000 addresses allowed"),
  ],
} satisfies Readonly<Record<string, readonly V3Case[]>>;

function itemCases(): readonly V3Case[] {
  return [
    gives(
      "an item on sale, whole",
      { address: nfts.ape2 },
      {
        nft_items: [ape2Shown],
        address_book: bookOf(nfts.ape2, apes, sales.sale),
        metadata: metadataOf(nfts.ape2, apes),
      },
    ),
    gives(
      "an item without a collection that sells itself",
      { address: nfts.number },
      { nft_items: [numberShown], address_book: bookOf(nfts.number, bob), metadata: metadataOf(nfts.number) },
    ),
    lists("an item of an auction", { address: nfts.ape3 }, "nft_items", "auction_contract_address", () => [
      raw(sales.auction),
    ]),
    lists("all, in the order of insertion", { limit: 3 }, "nft_items", "address", () =>
      [tokens.item, nfts.number, nfts.dog9].map(raw),
    ),
    listItems("all by last change", { sort_by_last_transaction_lt: "1", limit: 4 }, "dog10", "other", "ape2", "cat"),
    listItems(
      "addresses, in the order of insertion",
      { address: [nfts.ape1, nfts.dog9, nfts.ape2] },
      "dog9",
      "ape2",
      "ape1",
    ),
    listItems(
      "addresses by last change",
      { address: [nfts.ape1, nfts.dog9, nfts.ape2], sort_by_last_transaction_lt: "t" },
      "ape2",
      "ape1",
      "dog9",
    ),
    listItems("an owner's, by collection and index", { owner_address: alice }, "ape1", "cat", "lone", "other"),
    listItems(
      "an owner's, on sale too",
      { owner_address: alice, include_on_sale: "true" },
      "ape1",
      "ape2",
      "cat",
      "lone",
      "other",
    ),
    listItems(
      "owners', one after another",
      { owner_address: [bob, alice, carol], limit: 7 },
      "dog9",
      "ape1",
      "cat",
      "lone",
      "other",
      "dog10",
      "number",
    ),
    listItems(
      "owners', on sale too",
      { owner_address: [bob, alice], include_on_sale: "1", offset: 4 },
      "other",
      "dog10",
      "ape3",
      "number",
    ),
    listItems(
      "owners' by last change",
      { owner_address: [bob, alice], sort_by_last_transaction_lt: "1" },
      "dog10",
      "other",
      "cat",
      "lone",
      "ape1",
      "number",
    ),
    listItems(
      "an owner's addresses",
      { owner_address: alice, address: [nfts.other, nfts.ape1, nfts.dog9] },
      "ape1",
      "other",
    ),
    listItems("a collection by index", { collection_address: dogs }, "dog9", "dog10"),
    listItems(
      "a collection by last change",
      { collection_address: apes, sort_by_last_transaction_lt: "1" },
      "ape2",
      "ape3",
      "ape1",
    ),
    listItems("an index", { collection_address: apes, index: ["3", "", "001", "99"] }, "ape1", "ape3"),
    listItems(
      "a collection of owners, by index",
      { collection_address: dogs, owner_address: [bob, carol] },
      "dog9",
      "dog10",
    ),
    listItems("collections of an owner", { collection_address: [cats, apes], owner_address: alice }, "ape1", "cat"),
    listItems(
      "collections of an owner, on sale too",
      { collection_address: `${dogs},${apes}`, owner_address: bob, include_on_sale: "1" },
      "dog10",
      "ape3",
    ),
    listItems(
      "an index of an owner",
      { collection_address: apes, owner_address: bob, include_on_sale: "1", index: "3" },
      "ape3",
    ),
    listItems("nothing", { owner_address: nobody }),
    refuses(
      "an index that is no number",
      { collection_address: apes, index: ["1", "-1"] },
      422,
      "index should contain digits only",
    ),
    refuses(
      "indexes with a comma, which is no digit",
      { collection_address: apes, index: "1,2" },
      422,
      "index should contain digits only",
    ),
    refuses(
      "an index without a collection",
      { index: "1" },
      422,
      "index parameter is not allowed without the collection_address",
    ),
    refuses(
      "collections without an owner",
      { collection_address: [apes, dogs] },
      422,
      "exact one owner_address required for multiple collection_address",
    ),
    refuses(
      "collections of two owners",
      { collection_address: [apes, dogs], owner_address: `${alice},${bob}` },
      422,
      "exact one owner_address required for multiple collection_address",
    ),
    refuses(
      "a flag that is none",
      { include_on_sale: "maybe" },
      422,
      'schema: error converting value for "include_on_sale"',
    ),
    ...pageRefusals(),
  ];
}

function transferCases(): readonly V3Case[] {
  const isOf =
    (...owners: readonly string[]) =>
    ({ oldOwner, newOwner }: TransferRow) =>
      owners.includes(oldOwner) || owners.includes(newOwner ?? "");
  return [
    gives(
      "a transfer whole",
      { item_address: nfts.ape1, end_lt: 1020 },
      {
        nft_transfers: [
          {
            query_id: "18446744073709551615",
            nft_address: raw(nfts.ape1),
            nft_collection: raw(apes),
            transaction_hash: hashOf("34"),
            transaction_lt: "1020",
            transaction_now: 54,
            transaction_aborted: false,
            old_owner: raw(bob),
            new_owner: raw(alice),
            response_destination: raw(bob),
            custom_payload: null,
            decoded_custom_payload: null,
            forward_amount: "4",
            forward_payload: boc(strangeBoc),
            decoded_forward_payload: null,
            trace_id: hashOf("04"),
          },
        ],
        address_book: bookOf(nfts.ape1, apes, bob, alice),
        metadata: metadataOf(nfts.ape1, apes),
      },
    ),
    gives(
      "a transfer of an item without a collection",
      { item_address: nfts.lone },
      {
        nft_transfers: [
          {
            query_id: "18446744073709551615",
            nft_address: raw(nfts.lone),
            nft_collection: null,
            transaction_hash: hashOf("35"),
            transaction_lt: "1021",
            transaction_now: 47,
            transaction_aborted: false,
            old_owner: raw(carol),
            new_owner: raw(alice),
            response_destination: null,
            custom_payload: boc(commentBoc),
            decoded_custom_payload: { "@type": "text_comment", type: "text_comment", comment: "for lunch" },
            forward_amount: "4",
            forward_payload: null,
            decoded_forward_payload: null,
            trace_id: hashOf("04"),
          },
        ],
        address_book: bookOf(nfts.lone, carol, alice),
        metadata: metadataOf(nfts.lone),
      },
    ),
    lists("a transfer to nobody", { item_address: nfts.dog9 }, "nft_transfers", "new_owner", () => [null]),
    listTransfers("all, aborted ones too", {}, () => true),
    listTransfers("all from the first on", { sort: "asc", limit: 5 }, () => true, "asc"),
    listTransfers("an owner's, each once", { owner_address: alice }, isOf(alice)),
    listTransfers("owners', each once", { owner_address: [alice, bob] }, isOf(alice, bob)),
    listTransfers(
      "owners' by time",
      { owner_address: `${alice},${bob}`, end_utime: 57, sort: "asc" },
      (row) => isOf(alice, bob)(row) && row.txNow <= 57,
      "asc",
      true,
    ),
    listTransfers("an owner's by the other name", { address: carol }, isOf(carol)),
    listTransfers("what an owner got", { owner_address: alice, direction: "in" }, ({ newOwner }) => newOwner === alice),
    listTransfers(
      "what an owner gave",
      { owner_address: alice, direction: "out" },
      ({ oldOwner }) => oldOwner === alice,
    ),
    listTransfers("both ways, when that is said", { owner_address: bob, direction: "both" }, isOf(bob)),
    listTransfers(
      "items",
      { item_address: [nfts.ape1, nfts.cat] },
      ({ nftItem }) => nftItem === nfts.ape1 || nftItem === nfts.cat,
    ),
    listTransfers(
      "items that an owner gave",
      { item_address: [nfts.ape1, nfts.cat], owner_address: bob, direction: "out" },
      (row) => row.nftItem === nfts.ape1 && row.oldOwner === bob,
    ),
    listTransfers(
      "an item of an owner, either way",
      { item_address: nfts.cat, owner_address: [alice, bob] },
      ({ nftItem }) => nftItem === nfts.cat,
    ),
    listTransfers("a collection", { collection_address: apes }, ({ nftCollection }) => nftCollection === apes),
    listTransfers(
      "a collection of an owner by time",
      { collection_address: apes, owner_address: bob, start_utime: 50 },
      ({ nftCollection }) => nftCollection === apes,
      "desc",
      true,
    ),
    listTransfers("times", { start_utime: 47, end_utime: 56 }, ({ txNow }) => txNow <= 56, "desc", true),
    listTransfers("logical times", { start_lt: 1021, end_lt: 1023 }, ({ txLt }) => txLt >= 1021n && txLt <= 1023n),
    refuses("no item", { item_address: "ape" }, 422, 'schema: error converting value for index 0 of "item_address"'),
    ...pageRefusals(),
    sortRefusal(),
  ];
}
