import { made, matcher } from "../../engine/matcher.ts";
import { coinsOf, where } from "../../engine/pattern.ts";
import { gather, isKind, type TraceNode } from "../../engine/TraceNode.ts";
import { type NftTransfer, nftPurchase, nftTransfer } from "../nft/NftTransfer.ts";
import { isEnding } from "../nft/transfer.ts";
import { empty, isTonTransfer, type TonTransferBlock } from "../transfer/blocks.ts";

const bought = where(
  (block): block is TraceNode<NftTransfer> => isKind(block, nftTransfer) && block.data.purchase?.market === "getgems",
);

/** A purchase with the payment to the seller; when somebody else ended the auction, both follow that message. */
export const getgemsPurchaseMatcher = matcher({
  name: "nft_purchase",
  pattern: bought,
  build: (match) => {
    const block = match.get(bought);
    const ending = isEnding(block.previous) ? block.previous : undefined;
    const payment = findPayment((ending ?? block).next, block.data);
    if (payment === undefined) return undefined;
    const { comment, encrypted, destination } = payment.data;
    const payout = {
      amount: coinsOf(payment),
      address: destination,
      comment: comment === undefined ? undefined : { text: comment, encrypted },
      isTransfer: true,
    };
    const between = ending === undefined ? undefined : gather(ending, [block, payment], empty);
    return made(nftPurchase, { ...block.data, payout }, { also: [payment, between] });
  },
});

function findPayment(blocks: readonly TraceNode[], { purchase }: NftTransfer): TonTransferBlock | undefined {
  return blocks.filter(isTonTransfer).find((block) => block.data.destination === purchase?.seller);
}
