import type { Address } from "../../../model/Address.ts";
import { kind } from "../../engine/kind.ts";
import { made, matcher } from "../../engine/matcher.ts";
import { bodyOf, destinationOf, messageOf, sourceOf } from "../../engine/messageParts.ts";
import { call, where } from "../../engine/pattern.ts";
import { deployedBy } from "../../engine/TraceNode.ts";
import { getStaticData, reportStaticData } from "./messages.ts";
import { findItem, type NftReference } from "./NftTransfer.ts";

export interface NftMint extends NftReference {
  /** The sender of the message that deployed the item. */
  readonly minter: Address | undefined;
}

export const nftMint = kind<NftMint>({
  type: "nft_mint",
  parties: (m) => ({ source: m.minter, destination: m.nft }),
  details: (f) => ({
    owner: f.whenKnown(f.address("Address of the account that minted the item.", (m) => m.minter)),
    nft_item: f.address("Address of the item.", (m) => m.nft),
    nft_collection: f.address("Address of the collection; null for an item without one.", (m) => m.collection),
    nft_item_index: f.amount("Number of the item within its collection, in decimal.", (m) => m.index),
  }),
});

const deploying = where((node) => deployedBy(node).length === 1);

export const nftMintMatcher = matcher({
  name: "nft_mint",
  pattern: deploying,
  build: (match, facts) => {
    const node = match.get(deploying);
    const [account] = deployedBy(node);
    const item = account === undefined ? undefined : findItem(facts, account);
    return item === undefined ? undefined : made(nftMint, { ...item, minter: messageOf(node).source });
  },
});

export interface NftDiscovery {
  readonly source: Address;
  readonly nft: Address;
  readonly collection: Address | undefined;
  readonly index: bigint;
}

export const nftDiscovery = kind<NftDiscovery>({
  type: "nft_discovery",
  showsParts: true,
  parties: (d) => ({ source: d.source }),
  details: (f) => ({
    source: f.address("Address of the sender.", (d) => d.source),
    nft_item: f.address("Address of the item.", (d) => d.nft),
    nft_collection: f.address("Address of the collection; null for an item without one.", (d) => d.collection),
    nft_item_index: f.amount("Number of the item within its collection, in decimal.", (d) => d.index),
  }),
});

const report = call(reportStaticData);
const asked = call(getStaticData, { child: report });

export const nftDiscoveryMatcher = matcher({
  name: "nft_discovery",
  pattern: asked,
  build: (match) => {
    const node = match.get(asked);
    const answer = match.get(report);
    const { index, collection } = bodyOf(answer, reportStaticData);
    const data = { source: sourceOf(node), nft: destinationOf(node), collection, index };
    return made(nftDiscovery, data, { from: [node, answer] });
  },
});
