import type { Facts } from "../../contracts/engine/Facts.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import { findShipped } from "./shipped.ts";

/** The network kind of contract detection. */
export function networkKind({ zeroState }: { readonly zeroState: BlockIdExt }): Facts["network"] {
  return zeroState.rootHash === findShipped("testnet")?.zeroState.rootHash ? "testnet" : "mainnet";
}
