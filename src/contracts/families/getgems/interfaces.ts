import { contract } from "../../kit/contract.ts";
import { nftOwnershipAssigned, nftTransferBody } from "../nft/messages.ts";
import { getAuctionData, getAuctionDataV4 } from "./auction.ts";
import { auctionCancel, auctionFinish, auctionStop, saleCancel, saleUpdateMessage } from "./messages.ts";
import { getFixPriceDataV4, getSaleData } from "./sale.ts";

export const nftOfferGetgemsV1 = contract({
  name: "nft_offer_getgems_v1",
  codes: ["bl1mf6bvqBh8bQKe/UAVYBIy/S42wpHbw0be2rbcgCQ="],
});

export const nftSaleGetgemsV4 = contract({
  name: "nft_sale_getgems_v4",
  codes: ["a5WmQYucnSNZBF0edVm41UmuDlBvJMqrWPowyPsf64Y="],
  methods: [getFixPriceDataV4],
  receives: [nftOwnershipAssigned, saleUpdateMessage, saleCancel],
  sends: [nftTransferBody],
});

export const nftSaleGetgemsV3 = contract({
  name: "nft_sale_getgems_v3",
  codes: [
    "JCIfpXHlQuBVx3vt/b9SfHr0YM/cfzRMRQeHtM+h600=",
    "3rU7bFdlwebNI4v0e8XoO6WWvcwEsLhM1Qqx5HSgjzE=",
    "MgUN+sRPZIZrzIbyzZ4TBf6dyts5WcACI3z7CQLUQyM=",
  ],
  furtherMethods: [getSaleData],
  receives: [nftOwnershipAssigned, saleUpdateMessage, saleCancel],
  sends: [nftTransferBody],
});

export const nftSaleGetgemsV2 = contract({
  name: "nft_sale_getgems_v2",
  codes: ["gnj0xSM95vvtyWmvUZNEp6m//FRIVtuphqlcC8+Fcck="],
  furtherMethods: [getSaleData],
  receives: [nftOwnershipAssigned, saleUpdateMessage, saleCancel],
  sends: [nftTransferBody],
});

export const nftAuctionGetgemsV3 = contract({
  name: "nft_auction_getgems_v3",
  codes: ["G9nFo5v/t6DzQViLXdkrgTqEK/Ze8UEJOCIAzq+Pct8=", "ZmiHL6eXBUQ//UdSPo6eqfdquZ+aC1nSfej4GhwnudQ="],
  furtherMethods: [getAuctionData],
  receives: [nftOwnershipAssigned, auctionCancel, auctionFinish, auctionStop],
  sends: [nftTransferBody],
});

export const nftAuctionGetgemsV4 = contract({
  name: "nft_auction_getgems_v4",
  codes: ["zlp4U06qps7tja/UhtB262CpsNbb+1Nnb2YmScBomVY="],
  methods: [getAuctionDataV4],
  receives: [nftOwnershipAssigned, auctionCancel, auctionFinish, auctionStop],
  sends: [nftTransferBody],
});

export const nftSale = contract({
  name: "nft_sale",
  methods: [getSaleData],
  receives: [nftOwnershipAssigned, saleCancel],
  sends: [nftTransferBody],
});

export const nftAuctionV1 = contract({
  name: "nft_auction_v1",
  methods: [getAuctionData],
  receives: [nftOwnershipAssigned, auctionCancel, auctionFinish, auctionStop],
  sends: [nftTransferBody],
});
