import { made, matcher } from "../../engine/matcher.ts";
import { coinsOf } from "../../engine/messageParts.ts";
import { empty, isTonTransfer, type TonTransferNode } from "../../engine/nodes.ts";
import { where } from "../../engine/pattern.ts";
import { gather, isKind, type TraceNode } from "../../engine/TraceNode.ts";
import { type NftTransfer, nftPurchase, nftTransfer } from "../nft/NftTransfer.ts";
import { isEnding } from "../nft/transfer.ts";

const bought = where(
  (node): node is TraceNode<NftTransfer> => isKind(node, nftTransfer) && node.data.purchase?.market === "getgems",
);

/** A purchase with the payment to the seller; when another account ended the auction, both follow that message. */
export const getgemsPurchaseMatcher = matcher({
  name: "nft_purchase",
  pattern: bought,
  build: (match) => {
    const node = match.get(bought);
    const ending = isEnding(node.previous) ? node.previous : undefined;
    const payment = findPayment((ending ?? node).next, node.data);
    if (payment === undefined) return undefined;
    const { comment, encrypted, destination } = payment.data;
    const payout = {
      amount: coinsOf(payment),
      address: destination,
      comment,
      encrypted,
    };
    const between = ending === undefined ? undefined : gather(ending, [node, payment], empty);
    return made(nftPurchase, { ...node.data, payout }, { also: [payment, between] });
  },
});

function findPayment(nodes: readonly TraceNode[], { purchase }: NftTransfer): TonTransferNode | undefined {
  return nodes.filter(isTonTransfer).find((node) => node.data.destination === purchase?.seller);
}
