import type { FullNftItem, NftCollectionRow } from "../../../history/queries/fill/fillItems.ts";
import type { FullNftTransfer } from "../../../history/queries/nftTransfers.ts";
import { bool, decimal, int, nullable, omittable, shape } from "../../../lib/kit/shape.ts";
import type { Address } from "../../../model/Address.ts";
import { address, boc, hash, jsonObject, named } from "./scalars.ts";

/** An NFT collection. */
export const nftCollection = named(
  "NFTCollection",
  shape<NftCollectionRow>()({
    address: address((c) => c.address),
    owner_address: nullable(address)((c) => c.ownerAddress),
    last_transaction_lt: decimal((c) => c.lastTransactionLt),
    next_item_index: decimal((c) => c.nextItemIndex),
    collection_content: nullable(jsonObject)((c) => c.collectionContent),
    data_hash: hash((c) => c.dataHash),
    code_hash: hash((c) => c.codeHash),
  }),
);

function findSaleOf({ sale }: FullNftItem, kind: "getgems_sale" | "getgems_auction"): Address | undefined {
  return sale?.kind === kind ? sale.address : undefined;
}

/** An NFT item. */
export const nftItem = named(
  "NFTItem",
  shape<FullNftItem>()({
    address: address((i) => i.row.address),
    init: bool((i) => i.row.init),
    index: decimal((i) => i.row.index),
    collection_address: nullable(address)((i) => i.row.collectionAddress),
    owner_address: nullable(address)((i) => i.row.ownerAddress),
    content: nullable(jsonObject)((i) => i.row.content),
    last_transaction_lt: decimal((i) => i.row.lastTransactionLt),
    code_hash: hash((i) => i.row.codeHash),
    data_hash: hash((i) => i.row.dataHash),
    collection: nullable(nftCollection)((i) => i.collection),
    on_sale: bool((i) => i.sale !== undefined),
    sale_contract_address: omittable(address)((i) => findSaleOf(i, "getgems_sale")),
    auction_contract_address: omittable(address)((i) => findSaleOf(i, "getgems_auction")),
    real_owner: omittable(address)((i) => i.sale?.nftOwnerAddress),
  }),
);

/** A transfer of an NFT item. */
export const nftTransfer = named(
  "NFTTransfer",
  shape<FullNftTransfer>()({
    query_id: decimal((t) => t.row.queryId),
    nft_address: address((t) => t.row.nftItem),
    nft_collection: nullable(address)((t) => t.row.nftCollection),
    transaction_hash: hash((t) => t.row.txHash),
    transaction_lt: decimal((t) => t.row.txLt),
    transaction_now: int((t) => t.row.txNow),
    transaction_aborted: bool((t) => t.row.txAborted),
    old_owner: address((t) => t.row.oldOwner),
    new_owner: nullable(address)((t) => t.row.newOwner),
    response_destination: nullable(address)((t) => t.row.responseDestination),
    custom_payload: nullable(boc)((t) => t.customPayload?.boc),
    decoded_custom_payload: nullable(jsonObject)((t) => t.customPayload?.decoded),
    forward_amount: nullable(decimal)((t) => t.row.forwardAmount),
    forward_payload: nullable(boc)((t) => t.forwardPayload?.boc),
    decoded_forward_payload: nullable(jsonObject)((t) => t.forwardPayload?.decoded),
    trace_id: nullable(hash)((t) => t.row.traceId),
  }),
);
