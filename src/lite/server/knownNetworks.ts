import { type BlockIdExt, masterchain, wholeShard } from "../../model/block/BlockId.ts";
import { hashToBase64, parseHash } from "../../model/Hash.ts";

/** Where trust in a network begins. */
export interface TrustedStart {
  /** Identifies the network. */
  readonly zeroState: BlockIdExt;
  /** A block that the publisher of the network vouches for. */
  readonly initBlock: BlockIdExt;
}

/**
 * Zero state and init block of the public networks, as their global configs have them: seqno, root hash and file hash.
 */
const published = {
  mainnet: {
    zeroState: "0 F6OpKZKqvqeFp6CQmFomXNMfMj2EnaUSOXN+Mh+wVWk= XplPz01CXAps5qeSWUtxcyBfdAo5zVb1N979KLSKD24=",
    initBlock: "46894135 MEjmmhLPlG68mbTPnKYcP/Sz/MiMQBV2OsASBOzBv58= u9rAtFQ+kUFEnOs3w8Y7punMTiyQTXf1bRfkSs8dG+0=",
  },
  testnet: {
    zeroState: "0 gj+B8wb/AmlPk1z1AhVI484rhrUpgSr2oSFIh56VoSg= Z+IKwYS54DmmJmesw/nAD5DzWadnOCMzee+kdgSYDOg=",
    initBlock: "17908219 y6qWqhCnLgzWHjUFmXysaiOljuK5xVoCRMLzUwGInVM= Y/GziXxwuYte0AM4WT7tTWsCx+6rcfLpGmRaEQwhUKI=",
  },
} as const;

export type PublicNetwork = keyof typeof published;

export function startOf(name: PublicNetwork): TrustedStart {
  const { zeroState, initBlock } = published[name];
  return { zeroState: masterBlock(zeroState), initBlock: masterBlock(initBlock) };
}

/** The name of a public network; any other network is named by the root hash of its zero state in base64. */
export function nameOfNetwork({ rootHash }: BlockIdExt): string {
  const root = hashToBase64(rootHash);
  const known = Object.entries(published).find(([, { zeroState }]) => zeroState.split(" ")[1] === root);
  return known?.[0] ?? root;
}

function masterBlock(line: string): BlockIdExt {
  const [seqno, root = "", file = ""] = line.split(" ");
  const [rootHash, fileHash] = [parseHash(root), parseHash(file)];
  return { workchain: masterchain, shard: wholeShard, seqno: Number(seqno), rootHash, fileHash };
}
