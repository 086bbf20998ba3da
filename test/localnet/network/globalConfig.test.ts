import { describe, expect, it } from "vitest";
import { parseJson } from "../../../src/lib/json.ts";
import { findInitBlock, formatGlobalConfig } from "../../../src/localnet/network/globalConfig.ts";
import { masterchain, wholeShard } from "../../../src/model/block/BlockId.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { importSplitChain } from "../../kit/localnet/splitChain.ts";

describe("the global configuration", () => {
  it("has the lite server and the trusted blocks, with numbers as clients read them", () => {
    const rootHash = "11".repeat(32) as Hash;
    const fileHash = "22".repeat(32) as Hash;
    const zeroState = { workchain: masterchain, shard: wholeShard, seqno: 0, rootHash, fileHash };
    const initBlock = { ...zeroState, seqno: 7 };
    const facts = { zeroState, initBlock, host: "192.168.1.2", port: 4443, publicKey: new Uint8Array(32) };
    const block = {
      workchain: -1,
      shard: -9223372036854775808n,
      seqno: 0,
      root_hash: "ERERERERERERERERERERERERERERERERERERERERERE=",
      file_hash: "IiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiI=",
    };
    expect(parseJson(formatGlobalConfig(facts))).toMatchObject({
      "@type": "config.global",
      liteservers: [{ ip: -1062731518, port: 4443, id: { "@type": "pub.ed25519", key: `${"A".repeat(43)}=` } }],
      validator: { zero_state: block, init_block: { ...block, seqno: 7 }, hardforks: [] },
    });
  });

  it("has the zero state as init block while the chain has no key block", () => {
    const ledger = importSplitChain();
    expect(ledger.keySeqnos).toEqual([]);
    expect(findInitBlock(ledger)).toEqual(ledger.zero.id);
  });
});
