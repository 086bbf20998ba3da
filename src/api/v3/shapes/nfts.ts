import type { FullNftItem, NftCollectionRow } from "../../../history/queries/fill/fillItems.ts";
import type { FullNftTransfer } from "../../../history/queries/tokenEvents.ts";
import { bool, decimal, nullable, omittable, shape } from "../../../lib/kit/shape.ts";
import type { Address } from "../../../model/Address.ts";
import { address, hash, jsonObject, named } from "./scalars.ts";
import { customPayloadFields, forwardPayloadFields, queryId, traceId, transactionFields } from "./tokenEventFields.ts";

/** An NFT collection. */
export const nftCollection = named(
  "NFTCollection",
  shape<NftCollectionRow>()({
    address: address("Address of the collection, in raw form.", (c) => c.address),
    owner_address: nullable(address)("Address of the owner; null for none.", (c) => c.ownerAddress),
    last_transaction_lt: decimal("Logical time of the account's last transaction.", (c) => c.lastTransactionLt),
    next_item_index: decimal(
      "Number of the next item to be minted, in decimal; -1 for numbers that do not follow each other.",
      (c) => c.nextItemIndex,
    ),
    collection_content: nullable(jsonObject)("Metadata of the collection.", (c) => c.collectionContent),
    data_hash: hash("Hash of the data cell, in base64.", (c) => c.dataHash),
    code_hash: hash("Hash of the code cell, in base64.", (c) => c.codeHash),
  }),
);

function findSaleOf({ sale }: FullNftItem, kind: "getgems_sale" | "getgems_auction"): Address | undefined {
  return sale?.kind === kind ? sale.address : undefined;
}

/** An NFT item. */
export const nftItem = named(
  "NFTItem",
  shape<FullNftItem>()({
    address: address("Address of the item, in raw form.", (i) => i.row.address),
    init: bool("Whether the item is initialized.", (i) => i.row.init),
    index: decimal("Number of the item within its collection, in decimal.", (i) => i.row.index),
    collection_address: nullable(address)(
      "Address of the collection; null or absent for an item without one.",
      (i) => i.row.collectionAddress,
    ),
    owner_address: nullable(address)(
      "Address of the owner by the item itself, which is the sale while the item is for sale; null for none.",
      (i) => i.row.ownerAddress,
    ),
    content: nullable(jsonObject)("Metadata of the item.", (i) => i.row.content),
    last_transaction_lt: decimal("Logical time of the account's last transaction.", (i) => i.row.lastTransactionLt),
    code_hash: hash("Hash of the code cell, in base64.", (i) => i.row.codeHash),
    data_hash: hash("Hash of the data cell, in base64.", (i) => i.row.dataHash),
    collection: nullable(nftCollection)("Collection of the item; null for an item without one.", (i) => i.collection),
    on_sale: bool("Whether the item is on sale.", (i) => i.sale !== undefined),
    sale_contract_address: omittable(address)("Address of the sale that holds the item; absent without one.", (i) =>
      findSaleOf(i, "getgems_sale"),
    ),
    auction_contract_address: omittable(address)(
      "Address of the auction that holds the item; absent without one.",
      (i) => findSaleOf(i, "getgems_auction"),
    ),
    real_owner: omittable(address)(
      "Address of the owner while a sale or auction holds the item; absent otherwise.",
      (i) => i.sale?.nftOwnerAddress,
    ),
  }),
);

/** A transfer of an NFT item. */
export const nftTransfer = named(
  "NFTTransfer",
  shape<FullNftTransfer>()({
    query_id: queryId,
    nft_address: address("Address of the item.", (t) => t.row.nftItem),
    nft_collection: nullable(address)(
      "Address of the collection; null for an item without one.",
      (t) => t.row.nftCollection,
    ),
    ...transactionFields,
    old_owner: address("Address of the owner before the transfer.", (t) => t.row.oldOwner),
    new_owner: nullable(address)("Address of the new owner.", (t) => t.row.newOwner),
    ...customPayloadFields,
    forward_amount: nullable(decimal)(
      "Coins that go on to the receiver with a notification, in nanocoins.",
      (t) => t.row.forwardAmount,
    ),
    ...forwardPayloadFields,
    trace_id: traceId,
  }),
);
