import { contract } from "../../kit/contract.ts";

export const nftSale = contract({
  name: "nft_sale",
  methods: ["get_sale_data"],
});

export const nftAuctionV1 = contract({
  name: "nft_auction_v1",
  methods: ["get_sale_data"],
});

export const nftCollectionInterface = contract({
  name: "nft_collection",
  methods: ["get_nft_content", "get_collection_data", "get_nft_address_by_index"],
});

export const nftItemInterface = contract({
  name: "nft_item",
  methods: ["get_nft_data"],
});

export const nftItemSimple = contract({
  name: "nft_item_simple",
  codes: ["TJEjgoaC+m9DeXq0FzK8qJDK4Bdm4GdBACUFFuC/jUI="],
});

export const editable = contract({
  name: "editable",
  methods: ["get_editor"],
});

export const sbt = contract({
  name: "sbt",
  methods: ["get_authority_address"],
});
