import { describe, expect, it } from "vitest";
import { isCoded } from "../../../src/lib/errors.ts";
import { parseGlobalConfig, readTrustedStart } from "../../../src/lite/server/globalConfig.ts";
import { masterchain, wholeShard } from "../../../src/model/block/BlockId.ts";

const hash = (byte: string) => Buffer.from(byte.repeat(32), "hex").toString("base64");
const block = (seqno: number) =>
  `{"workchain":-1,"shard":-9223372036854775808,"seqno":${seqno},"root_hash":"${hash("11")}","file_hash":"${hash("22")}"}`;
const server = (ip: string, port = "1") =>
  `{"ip":${ip},"port":${port},"provided":"x","id":{"@type":"pub.ed25519","key":"${hash("33")}"}}`;
const config = (servers: string, blocks: string) =>
  `{"@type":"config.global","dht":{},"liteservers":[${servers}],"validator":{${blocks}}}`;
const both = `"zero_state":${block(0)},"init_block":${block(7)}`;

describe("a global config", () => {
  it("has servers by dotted addresses and the trusted start block", () => {
    const id = { workchain: masterchain, shard: wholeShard, rootHash: "11".repeat(32), fileHash: "22".repeat(32) };
    const publicKey = new Uint8Array(32).fill(0x33);
    expect(parseGlobalConfig(config(`${server("-1062731518")},${server("3232235778", "65535")}`, both))).toEqual({
      zeroState: { ...id, seqno: 0 },
      initBlock: { ...id, seqno: 7 },
      liteServers: [
        { host: "192.168.1.2", port: 1, publicKey },
        { host: "192.168.1.2", port: 65_535, publicKey },
      ],
    });
  });

  it("says where trust begins, also when JSON.parse has read it", () => {
    const text = config("", both);
    const { zeroState, initBlock } = parseGlobalConfig(text);
    expect(readTrustedStart(JSON.parse(text).validator)).toEqual({ zeroState, initBlock });
    const other = text.replaceAll("-9223372036854775808", '"-9223372036854775807"');
    expect(() => readTrustedStart(JSON.parse(other).validator)).toThrow(
      "from -9223372036854775808 to -9223372036854775808",
    );
  });

  it("without an init block starts at the zero state", () => {
    expect(parseGlobalConfig(config("", `"zero_state":${block(0)}`)).initBlock.seqno).toBe(0);
  });

  it.each([
    ["no JSON", "{", "lib/json"],
    ["another thing", "[]", "lib/argument"],
    ["no zero state", config("", `"init_block":${block(7)}`), "lib/argument"],
    ["a block of another chain", config("", both.replace('"workchain":-1', '"workchain":0')), "lib/argument"],
    ["an address that is none", config(server("4294967296"), both), "lib/argument"],
    ["a port that is none", config(server("1", "0"), both), "lib/argument"],
    ["a key that is none", config(server("1").replace(hash("33"), "AAAA"), both), "lib/argument"],
  ])("with %s is rejected", (_name, text, code) => {
    let found: unknown;
    try {
      parseGlobalConfig(text);
    } catch (error) {
      found = isCoded(error) ? error.code : error;
    }
    expect(found).toBe(code);
  });
});
