import { toBase64 } from "../../lib/bytes.ts";
import { type BlockIdExt, wholeShard } from "../../model/block/BlockId.ts";
import { hashToBase64 } from "../../model/Hash.ts";
import type { Ledger } from "../ledger/Ledger.ts";

export interface GlobalConfigFacts {
  readonly zeroState: BlockIdExt;
  /** The block from which clients begin to check proofs; the zero state by default. */
  readonly initBlock?: BlockIdExt;
  /** IPv4 in dotted form. */
  readonly host: string;
  readonly port: number;
  readonly publicKey: Uint8Array;
}

/**
 * The block a client of a chain should trust first: the newest key block, or the zero state while there is none.
 * Several clients refuse a zero state as init block.
 */
export function findInitBlock(ledger: Ledger): BlockIdExt {
  const { head, zero } = ledger;
  if (head === undefined) return zero.id;
  const { keyBlock, prevKeyBlockSeqno } = head.info;
  if (keyBlock) return head.id;
  return prevKeyBlockSeqno === 0 ? zero.id : ledger.getMaster(prevKeyBlockSeqno).id;
}

/** The file with which lite-client, tonlib and libraries find a network: its lite server and the trusted blocks. */
export function formatGlobalConfig({
  zeroState,
  initBlock = zeroState,
  host,
  port,
  publicKey,
}: GlobalConfigFacts): string {
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
      zero_state: writeBlock(zeroState),
      init_block: writeBlock(initBlock),
      hardforks: [],
    },
  };
  // Shards are signed 64-bit numbers, which JSON's own numbers cannot represent.
  const shard = String(BigInt.asIntN(64, wholeShard));
  return `${JSON.stringify(config, undefined, 2).replaceAll('"SHARD"', shard)}\n`;
}

function writeBlock({ workchain, seqno, rootHash, fileHash }: BlockIdExt) {
  const hashes = { root_hash: hashToBase64(rootHash), file_hash: hashToBase64(fileHash) };
  return { workchain, shard: "SHARD", seqno, ...hashes };
}

/** The form of clients: the four bytes as one signed number. */
function ipNumber(host: string): number {
  return host.split(".").reduce((number, part) => (number << 8) | Number(part), 0) | 0;
}
