import { sliceOf } from "../../../cell/Slice.ts";
import type { Address } from "../../../model/Address.ts";
import type { DetailFields } from "../../engine/details.ts";
import type { Facts } from "../../engine/Facts.ts";
import { kind, type NodeKind } from "../../engine/kind.ts";
import { payloadFields, type TransferPayload } from "../../engine/payloadFields.ts";
import { type Comment, findShownComment } from "../../kit/comment.ts";

export interface NftReference {
  readonly nft: Address;
  readonly collection: Address | undefined;
  readonly index: bigint | undefined;
}

/** A change of owner, with the known data of the sale. */
export interface NftTransfer extends NftReference, TransferPayload {
  readonly oldOwner: Address | undefined;
  readonly newOwner: Address;
  readonly purchase: Purchase | undefined;
  /** The payout, if the market's own messages contain it. */
  readonly payout: Payout | undefined;
  readonly royalty: Payout | undefined;
}

export interface Purchase {
  readonly market: "getgems" | "fragment";
  readonly marketplace: Address | undefined;
  /** The known name of the marketplace. */
  readonly name: string | undefined;
  readonly price: bigint | undefined;
  readonly seller: Address | undefined;
}

export interface Payout {
  readonly amount: bigint;
  readonly address: Address | undefined;
  readonly comment: string | undefined;
  /** Whether the transfer has the opcode of an encrypted comment; undefined for a payout that is no plain transfer. */
  readonly encrypted: boolean | undefined;
}

/** The name of a marketplace, or of that of a collection. */
export function findMarketName(
  facts: Facts,
  marketplace: Address | undefined,
  collection: Address | undefined,
): string | undefined {
  const byMarket = marketplace === undefined ? undefined : facts.findMarketplaceName(marketplace);
  return byMarket ?? (collection === undefined ? undefined : facts.findMarketplaceName(collection));
}

function commentOf({ forwardPayload }: NftTransfer): Comment | undefined {
  if (forwardPayload === undefined || forwardPayload.isExotic) return undefined;
  return findShownComment(sliceOf(forwardPayload));
}

function transferFields(payoutAddress: (t: NftTransfer) => Address | undefined): DetailFields<NftTransfer> {
  return (f) => ({
    nft_collection: f.address("Address of the collection; null for an item without one.", (t) => t.collection),
    nft_item: f.address("Address of the item.", (t) => t.nft),
    nft_item_index: f.amount("Number of the item within its collection, in decimal.", (t) => t.index),
    old_owner: f.whenKnown(f.address("Address of the owner before the transfer.", (t) => t.oldOwner)),
    new_owner: f.address("Address of the new owner.", (t) => t.newOwner),
    is_purchase: f.bool("Whether the item was bought.", (t) => t.purchase !== undefined),
    price: f.whenKnown(f.amount("Price in nanocoins.", (t) => t.purchase?.price)),
    ...payloadFields(f),
    comment: f.text("Text comment of the transfer; null without one.", (t) => commentOf(t)?.text),
    is_encrypted_comment: f.bool("Whether the text is encrypted.", (t) =>
      t.forwardPayload === undefined ? undefined : (commentOf(t)?.encrypted ?? false),
    ),
    marketplace: f.text("Name of the marketplace; null for an unknown one.", (t) => t.purchase?.name),
    real_old_owner: f.address("Owner before, also when the item was on sale.", (t) => t.purchase?.seller),
    marketplace_address: f.address("Address of the marketplace.", (t) => t.purchase?.marketplace),
    payout_amount: f.amount("Coins that the seller receives, in nanocoins.", (t) => t.payout?.amount),
    payout_address: f.address("Address of the seller who is paid.", payoutAddress),
    payout_comment: f.text("Text that goes with the payment.", (t) => t.payout?.comment),
    payout_comment_encrypted: f.bool("Whether the text of the payment is encrypted.", (t) => t.payout?.encrypted),
    payout_comment_encoded: f.bool("Whether the text of the payment is encoded.", (t) => isEncoded(t)),
    royalty_amount: f.amount("Royalty, in nanocoins.", (t) => t.royalty?.amount),
    royalty_address: f.address("Address that receives the royalty.", (t) => t.royalty?.address),
  });
}

/** Only an encrypted comment that is there is written in base64. */
function isEncoded({ payout }: NftTransfer): boolean | undefined {
  return payout?.encrypted === undefined ? undefined : payout.encrypted && payout.comment !== undefined;
}

function partiesOf({ oldOwner, newOwner }: NftTransfer) {
  return { source: oldOwner, destination: newOwner };
}

export const nftTransfer: NodeKind<NftTransfer> = kind({
  type: "nft_transfer",
  parties: partiesOf,
  details: transferFields((t) => (t.payout?.encrypted === undefined ? t.payout?.address : undefined)),
});

/** A transfer together with the payment to the seller. */
export const nftPurchase: NodeKind<NftTransfer> = kind({
  type: "nft_purchase",
  showsParts: true,
  parties: partiesOf,
  details: transferFields((t) => t.purchase?.seller),
});

/** Indexed data of an item, with its address. */
export function findItem(facts: Facts, nft: Address): NftReference | undefined {
  const item = facts.findNftItem(nft);
  return item === undefined ? undefined : { nft, collection: item.collection, index: item.index };
}

/** An item of Telegram's own markets, which is its own auction. */
export function isTeleitem(facts: Facts, nft: Address): boolean {
  return facts.findNftItem(nft)?.contentUri?.includes("https://nft.fragment.com") ?? false;
}
