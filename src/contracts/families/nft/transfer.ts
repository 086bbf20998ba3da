import type { Address } from "../../../model/Address.ts";
import type { Facts } from "../../engine/Facts.ts";
import { made, matcher } from "../../engine/matcher.ts";
import { bodyOf, cellOf, excessOpcode, known, messageOf, sourceOf } from "../../engine/messageParts.ts";
import { isCall, isTonTransfer } from "../../engine/nodes.ts";
import { call, firstOf } from "../../engine/pattern.ts";
import type { TraceNode } from "../../engine/TraceNode.ts";
import { servedPayload } from "../../kit/servedPayload.ts";
import { nftOwnershipAssigned, nftTransferBody as transferBody } from "./messages.ts";
import { findItem, findMarketName, type NftReference, nftTransfer, type Purchase } from "./NftTransfer.ts";

const assigned = call(nftOwnershipAssigned);
const moved = call(transferBody, { child: firstOf([assigned, call(excessOpcode)], { optional: true }) });

export const nftTransferMatcher = matcher({
  name: "nft_transfer",
  pattern: moved,
  build: (match, facts) => {
    const node = match.get(moved);
    const item = findItem(facts, known(node.nodes[0]).transaction.account);
    if (item === undefined) return undefined;
    const body = bodyOf(node, transferBody);
    const notice = match.find(assigned);
    const newOwner = known(body.newOwner);
    const purchase = findPurchase(node.previous, item, newOwner, facts);
    const data = {
      ...item,
      oldOwner: notice === undefined ? sourceOf(node) : bodyOf(notice, nftOwnershipAssigned).prevOwner,
      newOwner,
      queryId: body.queryId,
      responseDestination: body.responseDestination,
      customPayload: body.customPayload,
      forwardPayload: servedPayload(cellOf(node), body),
      forwardAmount: body.forwardAmount,
      purchase,
      payout: undefined,
      royalty: undefined,
    };
    const also = purchase !== undefined && isPayment(node.previous) ? [node.previous] : [];
    return made(nftTransfer, data, { failed: node.failed, also });
  },
});

/** Comments with which anyone can finish an ended auction; such a transfer is not a payment. */
const endingComments: ReadonlySet<string> = new Set(["finish", "stop"]);

export function isEnding(node: TraceNode | undefined): boolean {
  return isTonTransfer(node) && endingComments.has(node.data.comment ?? "");
}

function isPayment(node: TraceNode | undefined): boolean {
  if (isTonTransfer(node)) return !isEnding(node);
  return isCall(node) && node.data.source === undefined;
}

/** Whether the item was transferred because the new owner had bought it at GetGems. */
function findPurchase(
  parent: TraceNode | undefined,
  item: NftReference,
  newOwner: Address,
  facts: Facts,
): Purchase | undefined {
  // The service uses the first message before the transfer, and refuses when there is none.
  const messageNode = known(parent?.nodes[0]);
  const listing = findPaidSale(known(parent), newOwner, facts) ?? findAuction(messageNode.transaction.account, facts);
  if (listing === undefined || listing.nft !== item.nft) return undefined;
  if (listing.seller === newOwner) return undefined;
  const name = findMarketName(facts, listing.marketplace, item.collection);
  const { marketplace, price, seller } = listing;
  return { market: "getgems", marketplace, name, price, seller };
}

interface Listing {
  readonly nft: Address | undefined;
  readonly seller: Address | undefined;
  readonly marketplace: Address | undefined;
  readonly price: bigint | undefined;
}

function findPaidSale(parent: TraceNode, newOwner: Address, facts: Facts): Listing | undefined {
  if (!isTonTransfer(parent) || messageOf(parent).source !== newOwner) return undefined;
  const sale = facts.findNftSale(parent.data.destination);
  if (sale === undefined) return undefined;
  return { nft: sale.nft, seller: sale.nftOwner, marketplace: sale.marketplace, price: sale.fullPrice };
}

function findAuction(account: Address, facts: Facts): Listing | undefined {
  const auction = facts.findNftAuction(account);
  if (auction === undefined) return undefined;
  return { nft: auction.nft, seller: auction.nftOwner, marketplace: auction.marketplace, price: auction.lastBid };
}
