import { declareFamily } from "../../engine/declareFamily.ts";
import { getgemsListingMatcher, getgemsUpdateMatcher } from "./actions.ts";
import { auction, auctionV4 } from "./auction.ts";
import { auctionBidMatcher, auctionOutbidMatcher } from "./bids.ts";
import { getgemsCancelAuctionMatcher, getgemsCancelSaleMatcher, getgemsFinishMatcher } from "./endings.ts";
import {
  nftAuctionGetgemsV3,
  nftAuctionGetgemsV4,
  nftAuctionV1,
  nftOfferGetgemsV1,
  nftSale,
  nftSaleGetgemsV2,
  nftSaleGetgemsV3,
  nftSaleGetgemsV4,
} from "./interfaces.ts";
import { getgemsBodies } from "./messages.ts";
import { getgemsPurchaseMatcher } from "./purchase.ts";
import { fixPriceSale, saleV4 } from "./sale.ts";

const types = [
  "nft_put_on_sale",
  "nft_put_on_auction",
  "auction_outbid",
  "nft_cancel_sale",
  "nft_purchase",
  "nft_cancel_auction",
  "nft_finish_auction",
  "nft_update_sale",
];

/** Sales and auctions of GetGems contracts. */
export const family = declareFamily({
  bodies: getgemsBodies,
  interfaces: [
    nftSale,
    nftAuctionV1,
    nftOfferGetgemsV1,
    nftSaleGetgemsV4,
    nftSaleGetgemsV3,
    nftSaleGetgemsV2,
    nftAuctionGetgemsV3,
    nftAuctionGetgemsV4,
  ],
  entities: [fixPriceSale, saleV4, auction, auctionV4],
  matchers: {
    updateSale: getgemsUpdateMatcher,
    purchase: getgemsPurchaseMatcher,
    listing: getgemsListingMatcher,
    bid: auctionBidMatcher,
    outbid: auctionOutbidMatcher,
    cancelSale: getgemsCancelSaleMatcher,
    finishAuction: getgemsFinishMatcher,
    cancelAuction: getgemsCancelAuctionMatcher,
  },
  types: { v1: ["auction_bid"], v3: types, sets: { nft: ["auction_bid"], "nft.v3": types } },
  facts: { forAccount: (account, known) => [known.findNftAuction(account)?.nft] },
});
