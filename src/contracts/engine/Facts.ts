import type { Cell } from "../../cell/Cell.ts";
import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";

export interface JettonWalletFact {
  readonly owner: Address;
  readonly jetton: Address;
}

export interface NftItemFact {
  readonly index: bigint | undefined;
  readonly collection: Address | undefined;
  readonly owner: Address | undefined;
  /** The URI of the item's content, if given. */
  readonly contentUri: string | undefined;
}

/** A sale at a fixed price. */
export interface NftSaleFact {
  readonly nft: Address | undefined;
  readonly nftOwner: Address | undefined;
  readonly marketplace: Address | undefined;
  readonly fullPrice: bigint | undefined;
}

export interface NftAuctionFact {
  readonly nft: Address | undefined;
  readonly nftOwner: Address | undefined;
  readonly marketplace: Address | undefined;
  readonly lastBid: bigint | undefined;
}

export interface MultisigOrderFact {
  readonly signers: readonly Address[];
}

/** The two sides of a pool; TON is `undefined`. */
export interface DedustPoolFact {
  readonly assets: readonly [Address | undefined, Address | undefined];
}

/**
 * Facts about accounts, gathered from the index before a trace is classified, for what `neededFacts` lists. A lookup
 * never fetches.
 */
export interface Facts {
  readonly network: "mainnet" | "testnet";
  findJettonWallet(address: Address): JettonWalletFact | undefined;
  findNftItem(address: Address): NftItemFact | undefined;
  findNftSale(address: Address): NftSaleFact | undefined;
  findNftAuction(address: Address): NftAuctionFact | undefined;
  findMultisigOrder(address: Address): MultisigOrderFact | undefined;
  findDedustPool(address: Address): DedustPoolFact | undefined;
  findCodeHash(address: Address): Hash | undefined;
  findData(address: Address): Cell | undefined;
  /** The known name of a marketplace or of its collection. */
  findMarketplaceName(address: Address): string | undefined;
}
