import { toBase64 } from "../lib/bytes.ts";
import type { BlockIdExt } from "../model/block/BlockId.ts";
import { hashToBase64 } from "../model/Hash.ts";

export interface GlobalConfigFacts {
  readonly zeroState: BlockIdExt;
  /** IPv4 in dotted form. */
  readonly host: string;
  readonly port: number;
  readonly publicKey: Uint8Array;
}

/** The file by which lite-client, tonlib and libraries find a network: its lite server and where belief begins. */
export function formatGlobalConfig({ zeroState, host, port, publicKey }: GlobalConfigFacts): string {
  const block = {
    workchain: zeroState.workchain,
    shard: "SHARD",
    seqno: zeroState.seqno,
    root_hash: hashToBase64(zeroState.rootHash),
    file_hash: hashToBase64(zeroState.fileHash),
  };
  const config = {
    "@type": "config.global",
    // Clients read this part even if they do not need it.
    dht: {
      "@type": "dht.config.global",
      k: 6,
      a: 3,
      static_nodes: { "@type": "dht.nodes", nodes: [] },
    },
    liteservers: [{ ip: ipNumber(host), port, id: { "@type": "pub.ed25519", key: toBase64(publicKey) } }],
    validator: {
      "@type": "validator.config.global",
      zero_state: block,
      init_block: block,
      hardforks: [],
    },
  };
  // Shards are written as signed numbers of 64 bits, which JSON's own numbers cannot hold.
  const shard = String(BigInt.asIntN(64, zeroState.shard));
  return `${JSON.stringify(config, undefined, 2).replaceAll('"SHARD"', shard)}\n`;
}

/** As clients want it: the four bytes as one signed number. */
function ipNumber(host: string): number {
  return host.split(".").reduce((number, part) => (number << 8) | Number(part), 0) | 0;
}
