import { describe, expect, it } from "vitest";
import { formatConfig, loadConfig, options } from "../../src/app/config.ts";
import type { ConfigSources } from "../../src/app/options.ts";
import { flagOf, variableOf } from "../../src/app/options.ts";

function sources(environment: Record<string, string> = {}, files: Record<string, string> = {}): ConfigSources {
  return { environment, findFile: (path) => files[path] };
}

const load = (args: readonly string[], from = sources()) => loadConfig(args, from);

/** The error text for an invalid configuration. */
function refusal(args: readonly string[], from = sources()): string {
  try {
    load(args, from);
  } catch (error) {
    return error instanceof Error && "code" in error ? `${error.code}: ${error.message}` : String(error);
  }
  return "not refused";
}

const names =
  "globalConfig zeroState initBlock liteServers privateServers coin host port hostNames trust database scope".split(
    " ",
  );
const settings = names.join(", ");
const each = names.map((name) => `"${name}"?`).join(", ");

describe("the configuration", () => {
  it("without settings is the local network on loopback", () => {
    const { config, words } = load([]);
    expect(words).toEqual([]);
    expect(config).toMatchObject({
      host: "127.0.0.1",
      port: 8081,
      data: ".tongate",
      network: ["localnet"],
      globalConfig: undefined,
      index: true,
      database: undefined,
      from: undefined,
      metadata: "auto",
      limits: "auto",
      keyless: 1,
      plans: {
        free: { perSecond: 10, burst: 10 },
        plus: { perSecond: 25, burst: 25 },
        advanced: { perSecond: 100, burst: 100 },
      },
      trustedProxies: [],
      metrics: { kind: "path" },
      trust: false,
    });
  });

  it("reads a secret from the file in a _FILE variable", () => {
    const from = sources(
      { TONGATE_DATABASE_FILE: "/run/secrets/database", TONGATE_REDIS_FILE: "/run/secrets/redis" },
      { "/run/secrets/database": "postgres://u:secret@h/index\n", "/run/secrets/redis": "redis://h:1" },
    );
    const { config, shown } = load([], from);
    expect([config.database, config.redis]).toEqual(["postgres://u:secret@h/index", "redis://h:1"]);
    expect(shown.database).toBe("postgres://u:[masked]@h/index");
    expect(load(["--database", "postgres://flag/index"], from).config.database).toBe("postgres://flag/index");
  });

  it("rejects a _FILE variable without a secret, with a missing or empty file, or next to its plain variable", () => {
    const file = { TONGATE_DATABASE_FILE: "/run/secrets/database" };
    expect(refusal([], sources(file))).toBe(
      "app/config: TONGATE_DATABASE_FILE names /run/secrets/database, which does not exist",
    );
    expect(refusal([], sources(file, { "/run/secrets/database": "\n" }))).toBe(
      "app/config: TONGATE_DATABASE_FILE names /run/secrets/database, which is empty",
    );
    const both = { TONGATE_DATABASE: "postgres://a/b", ...file };
    expect(refusal([], sources(both, { "/run/secrets/database": "postgres://c/d" }))).toBe(
      "app/config: set TONGATE_DATABASE or TONGATE_DATABASE_FILE, not both",
    );
  });

  it("prefers the command line to the environment, the environment to the file, and the file to defaults", () => {
    const from = sources(
      { TONGATE_PORT: "2", TONGATE_HOST: "::1", PORT: "9" },
      { "tongate.json": '{"port":1,"host":"a","data":"d"}' },
    );
    expect(load(["--port", "3"], from).config).toMatchObject({
      port: 3,
      host: "::1",
      data: "d",
      network: ["localnet"],
    });
    expect(load([], from).config.port).toBe(2);
  });

  it("reads options in all their spellings, and leaves other words alone", () => {
    const { config, words } = load([
      "add",
      "--log-level=debug",
      "shop",
      "--no-index",
      "--trust",
      "--trusted-proxies",
      "10.0.0.0/8,::1",
      "--metrics",
      "9090",
    ]);
    expect(words).toEqual(["add", "shop"]);
    expect(config).toMatchObject({
      logLevel: "debug",
      index: false,
      trust: true,
      trustedProxies: [
        { bits: 0x0a000000n, width: 32, length: 8 },
        { bits: 1n, width: 128, length: 128 },
      ],
      metrics: { kind: "port", host: "127.0.0.1", port: 9090 },
    });
    expect(
      load([], sources({ TONGATE_INDEX: "false", TONGATE_LOG_LEVEL: "warn", TONGATE_DATA: "" })).config,
    ).toMatchObject({
      index: false,
      logLevel: "warn",
      data: ".tongate",
    });
  });

  it("reads a named file, plans and networks from it", () => {
    const file = {
      keyless: "unlimited",
      plans: { gold: { perSecond: 2.5 }, all: { perSecond: "unlimited" } },
      network: ["mine", "mainnet"],
      networks: {
        mine: { globalConfig: "g.json", port: 5, privateServers: ["1.2.3.4:5"] },
        own: {
          zeroState: { rootHash: "11".repeat(32), fileHash: "22".repeat(32) },
          liteServers: [{ host: "lite.example", port: 9, key: "33".repeat(32), private: true }],
          hostNames: "API.example,b.example",
          trust: true,
        },
      },
    };
    const from = sources({ TONGATE_CONFIG: "env.json" }, { "my.json": JSON.stringify(file), "env.json": '{"port":7}' });
    expect(load(["--config", "my.json"], from).config).toMatchObject({
      port: 8081,
      network: ["mine", "mainnet"],
      keyless: "unlimited",
      plans: { gold: { perSecond: 2.5, burst: 3 }, all: { perSecond: "unlimited", burst: 1 } },
      networks: {
        mine: {
          globalConfig: "g.json",
          zeroState: undefined,
          initBlock: undefined,
          liteServers: [],
          privateServers: ["1.2.3.4:5"],
          host: undefined,
          port: 5,
          hostNames: [],
          trust: undefined,
        },
        own: {
          globalConfig: undefined,
          zeroState: {
            workchain: -1,
            shard: 1n << 63n,
            seqno: 0,
            rootHash: "11".repeat(32),
            fileHash: "22".repeat(32),
          },
          liteServers: [{ host: "lite.example", port: 9, publicKey: new Uint8Array(32).fill(0x33), isPrivate: true }],
          hostNames: ["api.example", "b.example"],
          trust: true,
        },
      },
    });
    expect(load([], from).config.port).toBe(7);
  });

  it.each([
    [["--port", "x"], {}, '--port cannot be "x"; give a whole number from 0 to 65535'],
    [["--port"], {}, "--port needs a value; give a whole number from 0 to 65535"],
    [["--port", "--host"], {}, "--port needs a value; give a whole number from 0 to 65535"],
    [["--index=maybe"], {}, '--index cannot be "maybe"; give true or false'],
    [["--from=never"], {}, '--from cannot be "never"; give head, genesis, or the seqno of a masterchain block'],
    [["--from=0"], {}, '--from cannot be "0"; give head, genesis, or the seqno of a masterchain block'],
    [
      ["--database=mysql://x"],
      {},
      '--database cannot be "mysql://x"; give an address that begins with postgres:// or postgresql://',
    ],
    [
      ["--ipfs-gateway=gate.example"],
      {},
      '--ipfs-gateway cannot be "gate.example"; give an address that begins with http:// or https://',
    ],
    [["--metadata=maybe"], {}, '--metadata cannot be "maybe"; give one of auto, on, onchain, off'],
    [["--limits", "some"], {}, '--limits cannot be "some"; give one of auto, on, off'],
    [
      ["--trusted-proxies", "10.0.0.0/99"],
      {},
      '--trusted-proxies cannot be "10.0.0.0/99"; give addresses or ranges such as 10.0.0.0/8, joined by commas',
    ],
    [["--redis", "db:1"], {}, '--redis cannot be "db:1"; give an address that begins with redis:// or rediss://'],
    [["--max-head-age-ms", "5"], {}, '--max-head-age-ms cannot be "5"; give a whole number from 1000 to 86400000'],
    [["--config", "none.json"], {}, "configuration file none.json does not exist"],
    [[], { TONGATE_PORT: "70000" }, 'TONGATE_PORT cannot be "70000"; give a whole number from 0 to 65535'],
  ])("%j with %j is rejected", (args, environment, message) => {
    expect(refusal(args, sources(environment))).toBe(`app/config: ${message}`);
  });

  it.each([
    ['{"port":"x"}', '"port" in tongate.json cannot be "x"; give a whole number from 0 to 65535'],
    [
      '{"plans":{"a":{"perSecond":0}}}',
      '"plans" in tongate.json: "a.perSecond" cannot be 0; give a number above zero, or "unlimited"',
    ],
    [
      '{"networks":{"a":{"globalConfg":"x"}}}',
      '"networks" in tongate.json: a has no "globalConfg"; did you mean globalConfig?',
    ],
    ['{"networks":{"a":{"zzz":"x"}}}', `"networks" in tongate.json: a has no "zzz"; use one of: ${settings}`],
    [
      '{"networks":{"a":{"liteServers":[{"host":"h","port":1,"key":"zz"}]}}}',
      '"networks" in tongate.json: "a.liteServers[0].key" cannot be "zz"; give 32 bytes in base64 or hex',
    ],
    ['{"networks":5}', `"networks" in tongate.json cannot be 5; give networks by name, each { ${each} }`],
    ["[]", 'tongate.json must contain one object of options, such as { "port": 8081 }'],
    ["null", 'tongate.json must contain one object of options, such as { "port": 8081 }'],
    ['{"maxWating":1}', 'unknown option "maxWating" in tongate.json; did you mean maxWaiting?'],
    [
      '{"networks":{"a b":{}}}',
      '"networks" in tongate.json: "a b" cannot be "a b"; give a name of letters, digits, dots, dashes and underscores',
    ],
    ["{", "tongate.json: bad JSON at line 1, column 2: the text ends where a property name should be"],
  ])("the file %s is rejected", (text, message) => {
    expect(refusal([], sources({}, { "tongate.json": text }))).toBe(`app/config: ${message}`);
  });

  it("rejects unknown options from every source, and suggests the nearest or all names", () => {
    expect(refusal(["--prot=1"])).toBe("app/config: unknown option --prot; did you mean --port?");
    expect(refusal(["--colour", "1"])).toMatch(
      /^app\/config: unknown option --colour; use one of: --host, --port, .*--no-index, .*--config, --help$/,
    );
    expect(refusal(["--plans", "{}"])).toMatch(/^app\/config: unknown option --plans/);
    expect(refusal([], sources({}, { "tongate.json": '{"colour":1}' }))).toMatch(
      /^app\/config: unknown option "colour" in tongate.json; use one of: host, port/,
    );
  });

  it("ignores unknown variables with a warning that suggests the nearest name and shows no value", () => {
    const warnings = (environment: Record<string, string>) => {
      const written: string[] = [];
      load([], { ...sources({ ...environment, TONGATE_PORT: "9000" }), warn: (text) => written.push(text) });
      return written;
    };
    expect(
      warnings({ TONGATE_PROT: "1", TONGATE_PORT_FILE: "/p", TONGATE_DATABSE: "postgres://u:secret@h/i" }),
    ).toEqual([
      "the unknown variable TONGATE_PROT is ignored; did you mean TONGATE_PORT?",
      "the unknown variable TONGATE_PORT_FILE is ignored; see tongate serve --help",
      "the unknown variable TONGATE_DATABSE is ignored; did you mean TONGATE_DATABASE?",
    ]);
    expect(warnings({ TONGATE_COLOUR: "1" })).toEqual([
      "the unknown variable TONGATE_COLOUR is ignored; see tongate serve --help",
    ]);
    const others = { TONGATE_URL: "http://127.0.0.1:8081", TONGATE_EVERYTHING: "1", TONGATE_FAULT_SEED: "a" };
    expect(warnings({ ...others, TONGATE_CORPUS: "/x", TONGATE_TEST_REDIS: "x" })).toEqual([]);
  });

  it("has a unique spelling for every option", () => {
    const names = Object.keys(options);
    expect(new Set(names.map(flagOf)).size).toBe(names.length);
    expect(new Set(names.map(variableOf)).size).toBe(names.length);
    expect([flagOf("logLevel"), variableOf("logLevel")]).toEqual(["--log-level", "TONGATE_LOG_LEVEL"]);
  });

  it("is shown as a file with the same meaning, passwords masked", () => {
    const { shown, config } = load([
      "--database",
      "postgres://me:secret@db:5432/x",
      "--redis=redis://:hidden@r/0?password=hidden&db=1",
      "--port",
      "5",
    ]);
    const own = { a: { database: "postgres://me:secret@own/x", hostNames: ["h"] } };
    const inFile = load([], sources({}, { "tongate.json": JSON.stringify({ networks: own }) }));
    expect(inFile.shown.networks).toEqual({ a: { database: "postgres://me:[masked]@own/x", hostNames: ["h"] } });
    const text = formatConfig(shown);
    expect(text).toContain('"database": "postgres://me:[masked]@db:5432/x"');
    expect(text).toContain('"redis": "redis://:[masked]@r/0?password=[masked]&db=1"');
    expect(text).not.toMatch(/secret|hidden/);
    const { database, redis, ...others } = config;
    expect(load([], sources({}, { "tongate.json": text })).config).toMatchObject(others);
  });
});
