import { describe, expect, it } from "vitest";
import { loadConfig } from "../../../src/app/config.ts";
import { defaultCoin, type NetworkPlan } from "../../../src/app/NetworkPlan.ts";
import { planNetworks } from "../../../src/app/networks/planNetworks.ts";
import { findShipped } from "../../../src/app/networks/shipped.ts";
import { formatGlobalConfig } from "../../../src/localnet/network/globalConfig.ts";
import { masterchain, wholeShard } from "../../../src/model/block/BlockId.ts";
import type { Hash } from "../../../src/model/Hash.ts";

const zeroState = {
  workchain: masterchain,
  shard: wholeShard,
  seqno: 0,
  rootHash: "11".repeat(32) as Hash,
  fileHash: "22".repeat(32) as Hash,
};
const publicKey = new Uint8Array(32).fill(7);
const key = Buffer.from(publicKey).toString("base64");
const global = formatGlobalConfig({ zeroState, host: "10.1.2.3", port: 4443, publicKey });
const server = { host: "10.1.2.3", port: 4443, publicKey, isPrivate: false };
const ids = { rootHash: zeroState.rootHash, fileHash: zeroState.fileHash };
const files: Record<string, string> = {
  "some/mine.json": global,
  "bad.json": '{"liteservers":[]}',
  "empty.json": global.replace(/"liteservers": \[[\s\S]*?\],\n/, '"liteservers": [],\n'),
};

function plan(args: readonly string[], file: unknown = {}): readonly NetworkPlan[] {
  const findFile = (path: string) => (path === "tongate.json" ? JSON.stringify(file) : files[path]);
  return planNetworks(loadConfig(args, { environment: {}, findFile }).config, findFile);
}

function refusal(args: readonly string[], file?: unknown): string {
  try {
    plan(args, file);
  } catch (error) {
    return error instanceof Error && "code" in error ? `${error.code}: ${error.message}` : String(error);
  }
  return "not refused";
}

const listen = { host: "127.0.0.1", port: 8081, hostNames: [] };

describe("the networks that are served", () => {
  it("are the local one by default, and by either of its names", () => {
    const local = [{ kind: "local", name: "localnet", coin: defaultCoin, listen }];
    expect(plan([])).toEqual(local);
    expect(plan(["--network", "local"])).toEqual(local);
    expect(plan([], { networks: { localnet: { port: 5 } } })).toEqual([
      { ...local[0], listen: { ...listen, port: 5 } },
    ]);
  });

  it.each(["mainnet", "testnet"])("are %s with the shipped servers", (name) => {
    const shipped = findShipped(name);
    expect(plan(["--network", name])).toEqual([
      {
        ...{ kind: "remote", name, coin: { name: "Gram", symbol: "GRAM" }, listen, proofs: "check" },
        origin: "the list in this package",
        zeroState: shipped?.zeroState,
        initBlock: shipped?.initBlock,
        servers: shipped?.liteServers.map((each) => ({ ...each, isPrivate: false })),
      },
    ]);
    expect(shipped?.initBlock.seqno).toBeGreaterThan(0);
  });

  it("have the coin of the setting, of the documents of the network, or the default one", () => {
    const coin = { name: "Mycoin", symbol: "MINE" };
    const coinsOf = (name: string, networks: object) =>
      plan(["--network", name], { networks }).map((each) => each.coin);
    expect(coinsOf("localnet", { localnet: { coin } })).toEqual([coin]);
    expect(coinsOf("mainnet", { mainnet: { coin } })).toEqual([coin]);
    const { rootHash, fileHash } = findShipped("mainnet")?.zeroState ?? zeroState;
    const liteServers = [{ host: "h", port: 1, key: rootHash }];
    const own = { zeroState: { rootHash, fileHash }, liteServers };
    expect(coinsOf("mine", { mine: own })).toEqual([{ name: "Gram", symbol: "GRAM" }]);
    const other = { zeroState: { rootHash: fileHash, fileHash }, liteServers };
    expect(coinsOf("other", { other })).toEqual([defaultCoin]);
    expect(refusal([], { networks: { localnet: { coin: { name: "", symbol: "X" } } } })).toContain("coin.name");
  });

  it("are those of a global config file, under the name of the file or of a shipped network", () => {
    const facts = {
      kind: "remote",
      coin: defaultCoin,
      listen,
      zeroState,
      initBlock: zeroState,
      servers: [server],
      origin: "some/mine.json",
    };
    expect(plan(["--network", "some/mine.json", "--trust"])).toEqual([{ ...facts, name: "mine", proofs: "trust" }]);
    expect(plan(["--network", "mainnet", "--global-config", "some/mine.json"])).toEqual([
      { ...facts, name: "mainnet", proofs: "check" },
    ]);
  });

  it("are several, each with the settings of the file and servers in addition to the global config", () => {
    const file = {
      network: ["a", "b"],
      networks: {
        a: {
          globalConfig: "some/mine.json",
          liteServers: [{ host: "lite.example", port: 1, key, private: true }],
          privateServers: ["10.1.2.3:4443"],
          hostNames: ["A.example"],
        },
        b: {
          zeroState: ids,
          initBlock: { seqno: 9, ...ids },
          liteServers: [{ host: "h", port: 2, key }],
          host: "0.0.0.0",
          port: 9,
          trust: true,
        },
      },
    };
    const added = { host: "lite.example", port: 1, publicKey, isPrivate: true };
    expect(plan([], file)).toEqual([
      {
        ...{
          kind: "remote",
          name: "a",
          coin: defaultCoin,
          proofs: "check",
          origin: "some/mine.json",
          zeroState,
          initBlock: zeroState,
        },
        listen: { ...listen, hostNames: ["a.example"] },
        servers: [{ ...server, isPrivate: true }, added],
      },
      {
        ...{
          kind: "remote",
          name: "b",
          coin: defaultCoin,
          proofs: "trust",
          origin: "the configuration file",
          zeroState,
        },
        listen: { host: "0.0.0.0", port: 9, hostNames: [] },
        initBlock: { ...zeroState, seqno: 9 },
        servers: [{ host: "h", port: 2, publicKey, isPrivate: false }],
      },
    ]);
  });

  const own = { zeroState: ids, liteServers: [{ host: "h", port: 2, key }] };

  it.each([
    [
      ["--network", "nowhere"],
      { networks: { a: own } },
      '--network cannot be "nowhere"; give one of localnet, mainnet, testnet, a, or a global config file',
    ],
    [["--network", "a,a"], { networks: { a: own } }, "network a is named twice"],
    [["--network", ","], {}, "--network is empty; name at least one network"],
    [
      ["--network", "a,b"],
      { networks: { a: own, b: own } },
      'networks a, b all listen on 127.0.0.1:8081; give each "hostNames" or a "port"',
    ],
    [
      ["--network", "a,b"],
      { networks: { a: { ...own, hostNames: ["x"] }, b: { ...own, hostNames: ["y", "x"] } } },
      "host name x on 127.0.0.1:8081 belongs to two networks",
    ],
    [["--network", "a"], { networks: { a: {} } }, 'network a needs "globalConfig" or "zeroState"'],
    [
      ["--network", "a"],
      { networks: { a: { zeroState: ids } } },
      'network a has no lite server; give "liteServers" or "globalConfig"',
    ],
    [
      ["--network", "a"],
      { networks: { a: { ...own, privateServers: ["h:3"] } } },
      'network a: private server "h:3" is none of h:2',
    ],
    [["--network", "a"], { networks: { a: { globalConfig: "no.json" } } }, "global config file no.json does not exist"],
    [
      ["--network", "bad.json"],
      {},
      'bad.json is not a global config: argument "validator" is missing; give an object with zero_state and init_block',
    ],
    [["--network", "empty.json"], {}, "empty.json is not a global config: it has no lite server"],
    [
      [],
      { networks: { localnet: { trust: true } } },
      'network localnet is the local network and cannot have "trust"; give host, port, hostNames, database, scope or coin',
    ],
    [["--trust"], {}, "--trust has no effect on the local network, which uses no lite servers"],
    [["--global-config", "x"], {}, "--global-config x needs one --network other than localnet"],
    [
      ["--global-config", "x", "--network", "some/mine.json"],
      {},
      "--global-config x and --network some/mine.json both name a global config file; give one",
    ],
  ])("%j with %j are rejected", (args, file, message) => {
    expect(refusal(args, file)).toBe(`app/config: ${message}`);
  });
});
