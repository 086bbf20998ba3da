import { type Arg, type Args, type ArgValues, decodeArgs, makeArg, optional, refusal } from "../lib/kit/arg.ts";
import { boolArg, intArg, listArg, textArg } from "../lib/kit/basicArgs.ts";
import { type BlockIdExt, masterchain, wholeShard } from "../model/block/BlockId.ts";
import { findHash, hashToBytes } from "../model/Hash.ts";
import { AppError } from "./errors.ts";
import type { Coin, NetworkServer } from "./NetworkPlan.ts";
import { suggest } from "./nearestName.ts";
import { textsArg } from "./options.ts";

/** The location of a PostgreSQL. */
export const databaseUrl = makeArg({
  schema: { type: "string" },
  allowed: "an address that begins with postgres:// or postgresql://",
  read: (value) =>
    typeof value === "string" && /^postgres(?:ql)?:\/\/./.test(value) && URL.canParse(value) ? value : undefined,
});

/** A network in the configuration file. */
export interface NetworkSetting {
  /** A global config file, as networks publish it. */
  readonly globalConfig: string | undefined;
  readonly zeroState: BlockIdExt | undefined;
  readonly initBlock: BlockIdExt | undefined;
  /** Lite servers in addition to those of the global config. */
  readonly liteServers: readonly NetworkServer[];
  /** Lite servers, as `host:port`, that are used only for callers with a key. */
  readonly privateServers: readonly string[];
  /** What its coin is called in the explorer and on the command line. */
  readonly coin: Coin | undefined;
  readonly host: string | undefined;
  readonly port: number | undefined;
  readonly hostNames: readonly string[];
  /** Whether heads are accepted without proof. */
  readonly trust: boolean | undefined;
  /** The PostgreSQL of its index, instead of the common one. */
  readonly database: string | undefined;
  /** The scope file of its index, instead of the common one. */
  readonly scope: string | undefined;
}

const text = textArg({ minLength: 1, maxLength: 4096 });
const texts = textsArg("texts, joined by commas", (each) => (each === "" ? undefined : each));

/** A host name of requests; case is ignored. */
const hostNames = textsArg("host names such as api.example.com, joined by commas", (each) =>
  /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(each) ? each.toLowerCase() : undefined,
);

const hash = makeArg({
  schema: { type: "string" },
  allowed: "32 bytes in base64 or hex",
  read: (value) => (typeof value === "string" ? findHash(value) : undefined),
});

/** Like `decodeArgs`, but undeclared properties are refused too. */
export function decodeExactly<A extends Args>(args: A, value: unknown, name: string): ArgValues<A> {
  const allowed = `an object of ${Object.keys(args).join(", ")}`;
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw refusal(name, value, allowed);
  const unknown = Object.keys(value).find((key) => !Object.hasOwn(args, key));
  if (unknown !== undefined)
    throw new AppError("app/config", `${name} has no "${unknown}"; ${suggest(unknown, Object.keys(args))}`);
  return decodeArgs(args, Object(value), `${name}.`);
}

function objectArg<A extends Args, T>(args: A, make: (values: ArgValues<A>) => T): Arg<T> {
  const allowed = `an object of ${Object.keys(args).join(", ")}`;
  return {
    schema: { type: "object" },
    required: true,
    allowed,
    decode: (value, name) => make(decodeExactly(args, value, name)),
  };
}

const master = { workchain: masterchain, shard: wholeShard } as const;

const zeroState = objectArg(
  { rootHash: hash, fileHash: hash },
  (found): BlockIdExt => ({ ...master, seqno: 0, ...found }),
);

const initBlock = objectArg(
  { seqno: intArg({ min: 0, max: 0xffff_ffff }), rootHash: hash, fileHash: hash },
  (found): BlockIdExt => ({ ...master, ...found }),
);

const liteServer = objectArg(
  { host: text, port: intArg({ min: 1, max: 65_535 }), key: hash, private: optional(boolArg()) },
  ({ host, port, key, private: isPrivate = false }): NetworkServer => ({
    host,
    port,
    publicKey: new Uint8Array(hashToBytes(key)),
    isPrivate,
  }),
);

const coinName = textArg({ minLength: 1, maxLength: 32 });
const coin = objectArg({ name: coinName, symbol: coinName }, (named): Coin => named);

const setting = {
  globalConfig: optional(text),
  zeroState: optional(zeroState),
  initBlock: optional(initBlock),
  liteServers: optional(listArg(liteServer, { maxItems: 1_000 })),
  privateServers: optional(texts),
  coin: optional(coin),
  host: optional(text),
  port: optional(intArg({ min: 0, max: 65_535 })),
  hostNames: optional(hostNames),
  trust: optional(boolArg()),
  database: optional(databaseUrl),
  scope: optional(text),
};

/** Names are used in keys, in paths and in logs. */
const networkName = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

/** Networks by name. */
export const networksArg: Arg<Readonly<Record<string, NetworkSetting>>> = makeArg({
  schema: { type: "object" },
  allowed: `networks by name, each { ${Object.keys(setting)
    .map((name) => `"${name}"?`)
    .join(", ")} }`,
  read: (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    const entries = Object.entries(value).map(([name, given]) => [name, readSetting(name, given)]);
    return Object.fromEntries(entries);
  },
});

function readSetting(name: string, value: unknown): NetworkSetting {
  if (!networkName.test(name)) throw refusal(name, name, "a name of letters, digits, dots, dashes and underscores");
  const exactly = decodeExactly(setting, value, name);
  const { liteServers = [], privateServers = [], hostNames: names = [] } = exactly;
  return { ...exactly, liteServers, privateServers, hostNames: names };
}
