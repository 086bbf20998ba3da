import { declareFamily } from "../../engine/declareFamily.ts";
import { nftDiscoveryMatcher, nftMintMatcher } from "./actions.ts";
import { nftCollection } from "./collection.ts";
import { editable, nftCollectionInterface, nftItemInterface, nftItemSimple, sbt } from "./interfaces.ts";
import { nftItem } from "./item.ts";
import { itemAddress, itemContent } from "./itemOf.ts";
import { nftBodies } from "./messages.ts";
import { nftTransferMatcher } from "./transfer.ts";

/** NFT items and collections (TEP-62). */
export const family = declareFamily({
  bodies: nftBodies,
  interfaces: [nftCollectionInterface, nftItemInterface, nftItemSimple, editable, sbt],
  entities: [nftCollection, nftItem],
  knownAnswers: [itemAddress, itemContent],
  matchers: { mint: nftMintMatcher, transfer: nftTransferMatcher, discovery: nftDiscoveryMatcher },
  types: {
    v1: ["nft_transfer", "nft_mint"],
    v2: ["nft_discovery"],
    sets: { nft: ["nft_transfer", "nft_mint"], "nft.v3": ["nft"] },
  },
});
