import type { FullNftItem, NftCollectionRow } from "../../history/queries/fill/fillItems.ts";
import { type FullNftSale, listNftSales } from "../../history/queries/nftSales.ts";
import { listNftCollections, listNftItems } from "../../history/queries/nfts.ts";
import { type FullNftTransfer, listNftTransfers } from "../../history/queries/tokenEvents.ts";
import { shape } from "../../lib/kit/shape.ts";
import { arg } from "../declare/argument.ts";
import { noProof } from "../declare/proof.ts";
import { about } from "./about.ts";
import {
  addressArg,
  addressesArg,
  boolArg,
  cursorArgs,
  int32Arg,
  needed,
  pageArgs,
  textArg,
  textsArg,
} from "./args/args.ts";
import { eventArgs, ownersOf, rangeOf, sideOf } from "./args/eventArgs.ts";
import { refusal } from "./args/refusals.ts";
import { indexEndpoint } from "./declare.ts";
import { onHistory } from "./onHistory.ts";
import { tokenProof } from "./proofs/proveTokens.ts";
import { by, within } from "./scope/scopeRule.ts";
import { type ItemsWithMetadata, itemsOf, metadataFields } from "./shapes/book.ts";
import { nftSale, saleAddresses } from "./shapes/nftSales.ts";
import { nftCollection, nftItem, nftTransfer } from "./shapes/nfts.ts";

const listArgs = { ...pageArgs, ...cursorArgs };
const maxSales = 1000;
const digits = /^[0-9]+$/;

export const nftCollections = indexEndpoint({
  name: "nft/collections",
  proof: tokenProof("nftCollection"),
  tag: "nfts",
  scope: within([by.account("collection_address"), by.never("owner_address")]),
  summary: "NFT collections by address or owner.",
  args: {
    collection_address: arg("Only items of these collections.", addressesArg),
    owner_address: arg("Only what belongs to these owners, or moved from or to them.", addressesArg),
    ...listArgs,
  },
  result: shape<ItemsWithMetadata<NftCollectionRow>>()({
    nft_collections: itemsOf(nftCollection, "Collections that match."),
    ...metadataFields,
  }),
  run: onHistory(async ({ reading, page, items }, args) => {
    const filter = { addresses: args.collection_address, owners: args.owner_address };
    const collections = items(await listNftCollections(reading, filter, page(args)));
    const involved = collections.flatMap(({ address, ownerAddress }) => [address, ownerAddress]);
    return { items: collections, ...(await about(reading, involved)) };
  }),
});

const itemAddresses = ({ row }: FullNftItem) => [row.address, row.collectionAddress, row.ownerAddress];

export const nftItems = indexEndpoint({
  name: "nft/items",
  proof: tokenProof("nftItem"),
  tag: "nfts",
  scope: within([by.account("address"), by.collection("collection_address"), by.never("owner_address")]),
  summary: "NFT items by address, owner, collection or index.",
  description:
    "Several collections need exactly one owner. With `include_on_sale`, an item that its owner put on " +
    "sale still counts as the owner's.",
  args: {
    address: arg("Addresses of the items.", addressesArg),
    owner_address: arg("Only what belongs to these owners, or moved from or to them.", addressesArg),
    collection_address: arg("Only items of these collections.", addressesArg),
    index: arg("Only items with these numbers within their collection.", textsArg),
    include_on_sale: arg("Also find items that these owners have put on sale.", boolArg),
    sort_by_last_transaction_lt: arg("Order the items by their last transaction, newest first.", boolArg),
    ...listArgs,
  },
  result: shape<ItemsWithMetadata<FullNftItem>>()({
    nft_items: itemsOf(nftItem, "Items that match."),
    ...metadataFields,
  }),
  run: onHistory(async ({ reading, page, items }, args) => {
    const { index: indexes, collection_address: collections, owner_address: owners } = args;
    if (!indexes.every((each) => digits.test(each))) throw refusal("badIndex");
    if (indexes.length > 0 && collections.length === 0) throw refusal("indexAlone");
    if (new Set(collections).size > 1 && new Set(owners).size !== 1) throw refusal("oneOwnerForCollections");
    const filter = {
      addresses: args.address,
      owners,
      includeOnSale: args.include_on_sale === true,
      collections,
      indexes,
      isByLastLt: args.sort_by_last_transaction_lt === true,
    };
    const fullNftItems = items(await listNftItems(reading, filter, page(args)));
    return { items: fullNftItems, ...(await about(reading, fullNftItems.flatMap(itemAddresses))) };
  }),
});

export const nftTransfers = indexEndpoint({
  name: "nft/transfers",
  proof: noProof("the index derives it; transactions with hash proves the transaction of a transfer"),
  tag: "nfts",
  scope: within([
    by.collection("collection_address"),
    by.account("item_address"),
    by.sender("owner_address"),
    by.sender("address"),
  ]),
  summary: "Transfers of NFT items by owner, item, collection or time, including aborted ones.",
  description: "`direction` is `in` for received items, `out` for sent ones; both otherwise.",
  args: {
    owner_address: arg("Only what belongs to these owners, or moved from or to them.", addressesArg),
    address: arg("Older name of `owner_address`, for one owner.", addressArg),
    item_address: arg("Only transfers of these items.", addressesArg),
    collection_address: arg("Only items of these collections.", addressArg),
    direction: arg(
      "`in` for messages or transfers that are received, `out` for those that are sent; both when left out.",
      textArg,
    ),
    ...eventArgs,
  },
  result: shape<ItemsWithMetadata<FullNftTransfer>>()({
    nft_transfers: itemsOf(nftTransfer, "Transfers that match, in the requested order."),
    ...metadataFields,
  }),
  run: onHistory(async ({ reading, page, items }, args) => {
    const filter = {
      owners: ownersOf(args.owner_address, args.address),
      side: sideOf(args.direction),
      holders: args.item_address,
      issuer: args.collection_address,
      ...rangeOf(args),
    };
    const transfers = items(await listNftTransfers(reading, filter, page(args), args.sort));
    const involved = transfers.flatMap(({ row }) => [
      row.nftItem,
      row.nftCollection,
      row.oldOwner,
      row.newOwner,
      row.responseDestination,
    ]);
    return { items: transfers, ...(await about(reading, involved)) };
  }),
});

export const nftSales = indexEndpoint({
  name: "nft/sales",
  proof: noProof("the index has it; runGetMethod with get_sale_data proves a sale"),
  tag: "nfts",
  scope: within([by.account("address")]),
  summary: "Sales and auctions of NFT items by the addresses of their contracts.",
  isExtra: true,
  args: {
    address: arg("Addresses of the sale and auction contracts.", needed(addressesArg), ["sale"]),
    limit: arg("Without effect: all given addresses are answered.", int32Arg),
    offset: arg("Without effect: all given addresses are answered.", int32Arg),
  },
  result: shape<ItemsWithMetadata<FullNftSale>>()({
    nft_sales: itemsOf(nftSale, "Sales and auctions at the given addresses."),
    ...metadataFields,
  }),
  run: onHistory(async ({ reading }, { address }) => {
    if (address.length === 0) throw refusal("oneAddressNeeded");
    if (address.length > maxSales) throw refusal("tooManyAddresses", { max: maxSales });
    const sales = await listNftSales(reading, address);
    const involved = sales.flatMap((sale) => [
      ...saleAddresses(sale.row),
      ...(sale.item === undefined ? [] : itemAddresses(sale.item)),
    ]);
    return { items: sales, ...(await about(reading, involved)) };
  }),
});
