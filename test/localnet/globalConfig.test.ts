import { describe, expect, it } from "vitest";
import { parseJson } from "../../src/lib/json.ts";
import { formatGlobalConfig } from "../../src/localnet/globalConfig.ts";
import { masterchain, wholeShard } from "../../src/model/block/BlockId.ts";
import type { Hash } from "../../src/model/Hash.ts";

describe("the global configuration", () => {
  it("names the lite server and where belief begins, numbers as clients read them", () => {
    const rootHash = "11".repeat(32) as Hash;
    const fileHash = "22".repeat(32) as Hash;
    const zeroState = { workchain: masterchain, shard: wholeShard, seqno: 0, rootHash, fileHash };
    const facts = { zeroState, host: "192.168.1.2", port: 4443, publicKey: new Uint8Array(32) };
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
      validator: { zero_state: block, init_block: block, hardforks: [] },
    });
  });
});
