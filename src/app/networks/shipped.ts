import type { Facts } from "../../contracts/engine/Facts.ts";
import type { AdnlAddress } from "../../lite/adnl/AdnlClient.ts";
import type { GlobalConfig } from "../../lite/server/globalConfig.ts";
import { type BlockIdExt, masterchain, wholeShard } from "../../model/block/BlockId.ts";
import { hashToBytes, parseHash } from "../../model/Hash.ts";
import type { Coin } from "../NetworkPlan.ts";
import { mainnet } from "./mainnet.ts";
import type { NetworkEntry } from "./NetworkEntry.ts";
import { testnet } from "./testnet.ts";

const shipped: ReadonlyMap<string, NetworkEntry> = new Map([
  ["mainnet", mainnet],
  ["testnet", testnet],
]);

/** Names of the shipped networks. */
export const shippedNames: readonly string[] = [...shipped.keys()];

/** The shipped data of a network. */
export function findShipped(name: string): GlobalConfig | undefined {
  const written = shipped.get(name);
  return (
    written && {
      zeroState: masterBlock(`0 ${written.zeroState}`),
      initBlock: masterBlock(written.initBlock),
      liteServers: written.liteServers.map(serverOf),
    }
  );
}

/** The coin of the shipped network with this zero state. */
export function findShippedCoin({ rootHash }: BlockIdExt): Coin | undefined {
  return [...shipped.values()].find(({ zeroState }) => masterBlock(`0 ${zeroState}`).rootHash === rootHash)?.coin;
}

function masterBlock(line: string): BlockIdExt {
  const [seqno, root = "", file = ""] = line.split(" ");
  const [rootHash, fileHash] = [parseHash(root), parseHash(file)];
  return { workchain: masterchain, shard: wholeShard, seqno: Number(seqno), rootHash, fileHash };
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
