import { existsSync, readFileSync } from "node:fs";
import type { MetricsPlace } from "../api/http/server/server.ts";
import type { StreamLimit } from "../api/stream/StreamLimits.ts";
import type { StartAt } from "../history/ingest/planSegments.ts";
import { isCoded } from "../lib/errors.ts";
import { findIpRange } from "../lib/ip.ts";
import { formatJson, type JsonInput, parseJson } from "../lib/json.ts";
import { type Arg, decodeArgs, makeArg, optional, withDefault } from "../lib/kit/arg.ts";
import { boolArg, intArg, oneOfArg, textArg } from "../lib/kit/basicArgs.ts";
import { AppError } from "./errors.ts";
import { forkOptions } from "./forkOptions.ts";
import { shardsArg, versionArg } from "./localnetArgs.ts";
import { databaseUrl, networksArg } from "./networkSetting.ts";
import {
  type ConfigSources,
  logLevelOption,
  mergeSettings,
  type Options,
  type OptionValues,
  option,
  parseFlags,
  readProperties,
  readVariables,
  showSettings,
  textsArg,
} from "./options.ts";

/** The rate of a plan; `unlimited` is allowed. */
export interface PlanSetting {
  readonly perSecond: number | "unlimited";
  readonly burst: number;
}

const text = textArg({ minLength: 1, maxLength: 4096 });
const port = intArg({ min: 0, max: 65_535 });
const requestCount = intArg({ min: 1, max: 1_000_000 });
/** One or more networks; their existence is checked later. */
const networkNames = textsArg(
  "localnet, mainnet, testnet, networks named in the file, or global config files, joined by commas",
  (each) => (each === "" ? undefined : each),
);

function recordArg<T>(
  allowed: string,
  read: (value: Readonly<Record<string, unknown>>, name: string) => T,
): Arg<Readonly<Record<string, T>>> {
  return makeArg({
    schema: { type: "object" },
    allowed,
    read: (value) => {
      if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, read(Object(each), name)]));
    },
  });
}

const perSecond = makeArg<PlanSetting["perSecond"]>({
  schema: {},
  allowed: 'a number above zero, or "unlimited"',
  read: (value) => (value === "unlimited" || (typeof value === "number" && value > 0) ? value : undefined),
});

const plansArg = recordArg<PlanSetting>(
  'plans by name, each { "perSecond": number or "unlimited", "burst": number }',
  (given, name) => {
    const { perSecond: rate, burst } = decodeArgs(
      { perSecond, burst: optional(intArg({ min: 1, max: 1_000_000 })) },
      given,
      `${name}.`,
    );
    return { perSecond: rate, burst: burst ?? (rate === "unlimited" ? 1 : Math.max(1, Math.ceil(rate))) };
  },
);

/** Defaults by plan; callers without a key have the first. */
const streamDefaults = {
  keyless: { connections: 2, addresses: 10, all: false },
  free: { connections: 10, addresses: 100, all: false },
  plus: { connections: 50, addresses: 1_000, all: false },
  advanced: { connections: 200, addresses: 10_000, all: false },
};

const streamsArg = recordArg<StreamLimit>(
  'limits of streams by plan, and of "keyless", each { "connections": number, "addresses": number, "all": true or false }',
  (given, name) => {
    const whole = intArg({ min: 0, max: 1_000_000 });
    const all = withDefault(boolArg(), false);
    return decodeArgs({ connections: whole, addresses: whole, all }, given, `${name}.`);
  },
);

/** Where metrics are served; a separate port listens on loopback, unless a host is given. */
const metricsArg = makeArg<MetricsPlace>({
  schema: {},
  allowed: '"off", "path", or a separate port as PORT or HOST:PORT',
  read: (value) => {
    if (value === "off" || value === "path") return { kind: value };
    const [, host = "127.0.0.1", number] = /^(?:(.+):)?([0-9]{1,5})$/.exec(String(value)) ?? [];
    return number === undefined ? undefined : { kind: "port", host, port: port.decode(number, "metrics") };
  },
});

const litePortArg = makeArg<number | "off">({
  schema: {},
  allowed: 'a port, or "off"',
  read: (value) => (value === "off" ? "off" : port.decode(value, "litePort")),
});

const redisUrl = makeArg({
  schema: { type: "string" },
  allowed: "an address that begins with redis:// or rediss://",
  read: (value) => (typeof value === "string" && /^rediss?:\/\/./.test(value) ? value : undefined),
});

const gatewayUrl = makeArg({
  schema: { type: "string" },
  allowed: "an address that begins with http:// or https://",
  read: (value) =>
    typeof value === "string" && /^https?:\/\/./.test(value) && URL.canParse(value) ? value : undefined,
});

const fromArg = makeArg<StartAt>({
  schema: { type: "string" },
  allowed: "head, genesis, or the seqno of a masterchain block",
  read: (value) => {
    if (value === "head" || value === "genesis") return value;
    return /^[1-9][0-9]{0,9}$/.test(String(value)) ? Number(value) : undefined;
  },
});

const unitSeconds: Readonly<Record<string, number>> = { h: 3_600, d: 86_400, y: 31_536_000 };

const durationArg = makeArg<number>({
  schema: { type: "string" },
  allowed: "a number of hours, days or years such as 12h, 90d or 1y",
  read: (value) => {
    const [, count, unit = ""] = /^([1-9][0-9]{0,5})([hdy])$/.exec(String(value)) ?? [];
    return count === undefined ? undefined : Number(count) * (unitSeconds[unit] ?? 0);
  },
});

const proxies = textsArg("addresses or ranges such as 10.0.0.0/8, joined by commas", findIpRange);

/** All settings. A new option needs only one entry. */
export const options = {
  host: option(text, "127.0.0.1", "Address to listen on.", { value: "ADDRESS" }),
  port: option(port, 8081, "Port to listen on.", { value: "PORT" }),
  data: option(text, ".tongate", "Folder for all data.", { value: "FOLDER" }),
  network: option(
    networkNames,
    "localnet",
    "localnet, mainnet, testnet, a network named in the file, or a global config file; several joined by commas.",
    { value: "NETWORKS" },
  ),
  globalConfig: option(text, undefined, "Global config file of the network, instead of the one in this package.", {
    value: "FILE",
  }),
  database: option(
    databaseUrl,
    undefined,
    "postgres:// address of the index; several networks have one schema each; unset: built-in, in the data folder.",
    { value: "URL", isSecret: true },
  ),
  replica: option(
    databaseUrl,
    undefined,
    "postgres:// address of a replica that answers requests while it is up to date.",
    { value: "URL", isSecret: true },
  ),
  index: option(boolArg(), true, "Index the chain for v3; without it, v3 needs a --database.", { isFlag: true }),
  from: option(
    fromArg,
    undefined,
    "Where the index begins: head, genesis, or a masterchain seqno; unset: genesis for the local network, else head.",
    { value: "BLOCK" },
  ),
  keep: option(durationArg, undefined, "How long history is kept, such as 90d; unset: without limit.", {
    value: "TIME",
  }),
  scope: option(
    text,
    undefined,
    "JSON file of the accounts, jettons, collections, codes and times that the index covers; unset: the whole chain.",
    { value: "FILE" },
  ),
  indexWorkers: option(
    intArg({ min: 0, max: 64 }),
    1,
    "How many ranges of older blocks to index in parallel; more than 1 use threads and need --database.",
  ),
  metadata: option(
    oneOfArg(["auto", "on", "onchain", "off"]),
    "auto",
    "Token metadata: on also fetches off-chain documents, onchain does not; auto: onchain for the local network, else on.",
  ),
  ipfsGateway: option(gatewayUrl, "https://ipfs.io/ipfs", "Gateway for ipfs:// documents of tokens.", {
    value: "URL",
  }),
  logLevel: logLevelOption("info"),
  limits: option(
    oneOfArg(["auto", "on", "off"]),
    "auto",
    "API keys and rate limits; auto: off for the local network on loopback, else on.",
  ),
  localControls: option(
    oneOfArg(["loopback", "open"]),
    "loopback",
    "Who may control the local network (faucet, time, snapshots): loopback is this machine, open is everybody.",
  ),
  keyless: option(perSecond, 1, "Requests per second without a key.", { isFileOnly: true }),
  plans: option(
    plansArg,
    { free: { perSecond: 10 }, plus: { perSecond: 25 }, advanced: { perSecond: 100 } },
    'Rates of keys by plan: { "free": { "perSecond": 10, "burst": 10 } }, or "unlimited" per second.',
    { isFileOnly: true },
  ),
  streams: option(
    streamsArg,
    streamDefaults,
    'Stream limits of a key, by plan: { "free": { "connections": 10, "addresses": 100 } }; "keyless" for callers without one; "all": true allows subscriptions to all accounts.',
    { isFileOnly: true },
  ),
  networks: option(networksArg, {}, "Networks by name, each with its lite servers, its index and where it is served.", {
    isFileOnly: true,
    isSecret: true,
  }),
  trustedProxies: option(
    proxies,
    [],
    "Proxies whose X-Forwarded-For is trusted: addresses or ranges such as 10.0.0.0/8, joined by commas.",
    { value: "ADDRESSES" },
  ),
  redis: option(redisUrl, undefined, "redis:// address, for rate limits that several processes share.", {
    value: "URL",
    isSecret: true,
  }),
  metrics: option(
    metricsArg,
    "path",
    "Where metrics are served: off, path (/metrics), or a separate port as PORT or HOST:PORT.",
    { value: "PLACE" },
  ),
  confirmedMs: option(
    intArg({ min: 0, max: 60_000 }),
    0,
    "How often lite servers are asked for signed shard blocks, in milliseconds, such as 200; 0: never.",
  ),
  maxHeadAgeMs: option(
    intArg({ min: 1_000, max: 86_400_000 }),
    60_000,
    "Maximum age of the newest block, in milliseconds, for /readyz to succeed.",
  ),
  deadlineMs: option(intArg({ min: 100, max: 600_000 }), 10_000, "Timeout of a request, in milliseconds."),
  maxWaiting: option(requestCount, 1000, "Maximum number of concurrent requests."),
  maxWaitingPerCaller: option(
    requestCount,
    100,
    "Maximum number of concurrent requests per caller, where limits are on.",
  ),
  maxAnswerMegabytes: option(intArg({ min: 1, max: 512 }), 64, "Maximum size of an answer or a batch, in megabytes."),
  maxStackMegabytes: option(intArg({ min: 1, max: 512 }), 8, "Maximum stack of a get-method, in megabytes."),
  maxUnsentMegabytes: option(intArg({ min: 1, max: 65_536 }), 96, "Memory for unread answers, in megabytes."),
  strictParameters: option(
    boolArg(),
    false,
    "Refuse v3 requests with unknown parameters; otherwise X-Tongate-Unknown-Parameters names them.",
    { isFlag: true },
  ),
  stdExitCode: option(
    oneOfArg(["error", "result"]),
    "error",
    "How runGetMethodStd answers an exit code other than 0 and 1: error is status 500, result is 200 with exit_code.",
  ),
  drainMs: option(
    intArg({ min: 0, max: 600_000 }),
    10_000,
    "How long a stopping server waits for running requests, in milliseconds.",
  ),
  cacheMegabytes: option(
    intArg({ min: 0, max: 65_536 }),
    64,
    "Memory of the answer cache of the process, in megabytes.",
  ),
  cellCacheMegabytes: option(
    intArg({ min: 16, max: 65_536 }),
    undefined,
    "Memory for cached cells of each network (blocks, states, proofs), in megabytes; 64 for a local one, otherwise 192.",
  ),
  blockMs: option(
    intArg({ min: 200, max: 3_600_000 }),
    1_000,
    "Time between blocks of the local network, in milliseconds.",
  ),
  demo: option(
    oneOfArg(["on", "off"]),
    undefined,
    "Whether to deploy the demo contracts; unset: as chosen for this chain before, or on.",
  ),
  litePort: option(
    litePortArg,
    undefined,
    "Port of the local network's lite server for this machine, or off; unset: 4443, or a free port.",
    { value: "PORT" },
  ),
  explorer: option(
    oneOfArg(["auto", "on", "off"]),
    "auto",
    "Whether to serve /explorer; auto: on local networks with an index.",
  ),
  shards: option(shardsArg, undefined, "Number of basechain shards of a new local network, or `auto`: by load."),
  globalVersion: option(versionArg, undefined, "Global version of a new local network; default 14."),
  ...forkOptions,
  trust: option(boolArg(), false, "Trust lite servers without proofs; for private networks only.", { isFlag: true }),
} satisfies Options;

/** All values. */
export type AppConfig = OptionValues<typeof options>;

export interface LoadedConfig {
  readonly config: AppConfig;
  /** Words of the command line that are not options. */
  readonly words: readonly string[];
  /** In the form of a configuration file, passwords masked. */
  readonly shown: Readonly<Record<string, unknown>>;
  /** The settings that the command line has. */
  readonly flags: ReadonlySet<string>;
}

/** Variables with our prefix that belong to others: the location of the file, examples, tests and benchmarks. */
const notOurs = (variable: string) =>
  /^TONGATE_(?:CONFIG$|URL$|CORPUS$|EVERYTHING$|VERSION_PARTS$|PROPERTY_SEED$|FAULT_SEEDS?$|TEST_)/.test(variable);

const defaultFile = "tongate.json";

/** The environment and files of the process. */
export const systemSources: ConfigSources = {
  environment: process.env,
  findFile: (path) => (existsSync(path) ? readFileSync(path, "utf8") : undefined),
  warn: (text) => process.stderr.write(`warning: ${text}\n`),
};

/** The configuration file; a flag, or TONGATE_CONFIG. */
const configFile = {
  config: option(text, undefined, `Configuration file; unset: ${defaultFile}, if it exists.`, { value: "FILE" }),
};

/** The settings that a command uses, for its help; all others may be set too. */
export function settingsFor(...names: readonly (keyof typeof options)[]): Options {
  return { ...Object.fromEntries(names.map((name) => [name, options[name]])), ...configFile };
}

/** All settings, for the help of commands that use all of them. */
export const allSettings: Options = { ...options, ...configFile };

/** Assembles the configuration: defaults, then the file, then the environment, then the command line. */
export function loadConfig(args: readonly string[], sources: ConfigSources = systemSources): LoadedConfig {
  const { words, settings: flags } = parseFlags(args, allSettings);
  const named = flags.get("config")?.value ?? sources.environment.TONGATE_CONFIG;
  const file = readConfigFile(named === undefined ? undefined : String(named), sources);
  const variables = readVariables(sources, options, notOurs);
  const { values, written } = mergeSettings(options, [file, variables, flags]);
  return { config: values, words, shown: showSettings(options, written), flags: new Set(flags.keys()) };
}

/** A given file must exist; the default one may be missing. */
function readConfigFile(named: string | undefined, { findFile }: ConfigSources) {
  const path = named ?? defaultFile;
  const file = findFile(path);
  if (file === undefined) {
    if (named !== undefined) throw new AppError("app/config", `configuration file ${path} does not exist`);
    return new Map();
  }
  try {
    const given = parseJson(file);
    if (typeof given !== "object" || given === null || Array.isArray(given))
      throw new AppError("app/config", `${path} must contain one object of options, such as { "port": 8081 }`);
    return readProperties(Object(given), options, path);
  } catch (cause) {
    throw isCoded(cause, "app/config")
      ? cause
      : new AppError("app/config", `${path}: ${Object(cause).message}`, { cause });
  }
}

/** The configuration as text, one property per line. */
export function formatConfig(shown: LoadedConfig["shown"]): string {
  const lines = Object.entries(shown)
    .filter(([, value]) => value !== undefined)
    // All values come from JSON or text.
    .map(([name, value]) => `  ${formatJson(name)}: ${formatJson(value as JsonInput)}`);
  return `{\n${lines.join(",\n")}\n}\n`;
}

/** How to call this program: through npm in a clone, by its own name where it is installed. */
export const program = process.env.npm_lifecycle_event === "start" ? "npm start --" : "tongate";

/** Whether a terminal may be sent colours: people switch them off by these variables. */
export const wantsColours = (process.env.NO_COLOR ?? "") === "" && process.env.TERM !== "dumb";
