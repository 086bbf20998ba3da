import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { describeCorpusPart, listFiles, readJson } from "../../../kit/suite/corpus.ts";
import { findShipped } from "../../../src/app/networks/shipped.ts";
import { toBase64, toHex } from "../../../src/lib/bytes.ts";
import { type GlobalConfig, parseGlobalConfig } from "../../../src/lite/server/globalConfig.ts";
import { type BlockIdExt, signedShard } from "../../../src/model/block/BlockId.ts";
import { hashToBase64 } from "../../../src/model/Hash.ts";

interface Expected {
  readonly network: string;
  readonly zero_state: unknown;
  readonly init_block: unknown;
  readonly liteservers: readonly {
    readonly ip: string;
    readonly port: number;
    readonly public_key_base64: string;
    readonly public_key_hex: string;
  }[];
}

function blockJson({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt) {
  return {
    workchain,
    shard: signedShard(shard),
    seqno,
    root_hash: hashToBase64(rootHash),
    file_hash: hashToBase64(fileHash),
  };
}

/** A network in the format of the expectation. */
function networkJson(config: GlobalConfig | undefined) {
  return {
    zero_state: config && blockJson(config.zeroState),
    init_block: config && blockJson(config.initBlock),
    liteservers: config?.liteServers.map(({ host, port, publicKey }) => ({
      ip: host,
      port,
      public_key_base64: toBase64(publicKey),
      public_key_hex: toHex(publicKey),
    })),
  };
}

function expectedJson({ zero_state, init_block, liteservers }: Expected) {
  return {
    zero_state,
    init_block,
    liteservers: liteservers.map(({ ip, port, public_key_base64, public_key_hex }) => ({
      ip,
      port,
      public_key_base64,
      public_key_hex,
    })),
  };
}

describeCorpusPart("published networks", "networks/*-liteservers.expected.json", (folder) => {
  const files = listFiles(folder, "networks", "-liteservers.expected.json");

  it.each(files)("%s equals the published file and the shipped data", (path) => {
    const expected = readJson(folder, path) as Expected;
    const name = basename(path).replace("-liteservers.expected.json", "");
    const published = readFileSync(join(folder, "networks", `${name}-global.config.json`), "utf8");
    expect(networkJson(parseGlobalConfig(published))).toEqual(expectedJson(expected));
    expect(networkJson(findShipped(name))).toEqual(expectedJson(expected));
  });
});
