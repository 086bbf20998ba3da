import type { Facts } from "../../contracts/engine/Facts.ts";
import type { AdnlAddress } from "../../lite/adnl/AdnlClient.ts";
import type { GlobalConfig } from "../../lite/server/globalConfig.ts";
import { startOf, type TrustedStart } from "../../lite/server/knownNetworks.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import { hashToBytes, parseHash } from "../../model/Hash.ts";
import type { Coin, NetworkEntry } from "../NetworkPlan.ts";
import { mainnet } from "./mainnet.ts";
import { testnet } from "./testnet.ts";

const shipped: ReadonlyMap<string, NetworkEntry & TrustedStart> = new Map([
  ["mainnet", { ...mainnet, ...startOf("mainnet") }],
  ["testnet", { ...testnet, ...startOf("testnet") }],
]);

/** Names of the shipped networks. */
export const shippedNames: readonly string[] = [...shipped.keys()];

/** The shipped data of a network. */
export function findShipped(name: string): GlobalConfig | undefined {
  const written = shipped.get(name);
  return (
    written && {
      zeroState: written.zeroState,
      initBlock: written.initBlock,
      liteServers: written.liteServers.map(serverOf),
    }
  );
}

/** The coin of the shipped network with this zero state. */
export function findShippedCoin({ rootHash }: BlockIdExt): Coin | undefined {
  return [...shipped.values()].find(({ zeroState }) => zeroState.rootHash === rootHash)?.coin;
}

function serverOf(line: string): AdnlAddress {
  const [place = "", key = ""] = line.split(" ");
  const [host = "", port] = place.split(":");
  return { host, port: Number(port), publicKey: new Uint8Array(hashToBytes(parseHash(key))) };
}

/** The network kind of contract detection. */
export function networkKind({ zeroState }: { readonly zeroState: BlockIdExt }): Facts["network"] {
  return zeroState.rootHash === findShipped("testnet")?.zeroState.rootHash ? "testnet" : "mainnet";
}
