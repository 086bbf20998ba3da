import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type V2Endpoint, v2Endpoints } from "../../../src/api/v2/list.ts";
import { noChain, openV2Server, type TestServer } from "../../kit/api/apiServer.ts";
import type { Case } from "./cases/Case.ts";
import { cases } from "./cases.ts";

/*
 * Every declared argument of every endpoint with every kind of invalid value, by every transport. Arguments are checked
 * before any lite server is used, so no chain is needed.
 */

type Name = V2Endpoint["name"];
type Given = Readonly<Record<string, unknown>>;

const account = "0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8";
const block = { workchain: 0, shard: "-9223372036854775808", seqno: 5 };
const message = { source: account, destination: account, created_lt: 5 };
const bag = "te6cckEBAQEAAgAAAEysuc0=";
const tree = { data: { b64: "", len: 0 }, refs: [] };
const run = { address: account, method: "seqno", stack: [] };

/** Valid arguments. */
const right: Readonly<Record<Name, Given>> = {
  getAddressInformation: { address: account },
  getExtendedAddressInformation: { address: account },
  getWalletInformation: { address: account },
  getAddressBalance: { address: account },
  getAddressState: { address: account },
  getTokenData: { address: account },
  getShardAccountCell: { address: account },
  dnsResolve: { address: account },
  getMasterchainInfo: {},
  getMasterchainBlockSignatures: { seqno: 5 },
  getShardBlockProof: block,
  getConsensusBlock: {},
  lookupBlock: { ...block, seqno: undefined },
  getShards: { seqno: 5 },
  shards: { seqno: 5 },
  getBlockHeader: block,
  getRawBlock: block,
  getOutMsgQueueSize: {},
  getBlockTransactions: block,
  getBlockTransactionsExt: block,
  getTransactions: { address: account },
  getTransactionsStd: { address: account },
  tryLocateTx: message,
  tryLocateResultTx: message,
  tryLocateSourceTx: message,
  replayTransaction: { address: account, lt: 1, hash: "ab".repeat(32) },
  getConfigParam: {},
  getConfigAll: {},
  getLibraries: {},
  runGetMethod: run,
  runGetMethodStd: run,
  sendBoc: { boc: bag },
  sendBocReturnHash: { boc: bag },
  sendBocReturnHashNoError: { boc: bag },
  sendQuery: { address: account, body: bag },
  sendQuerySimple: { address: account, body: tree },
  estimateFee: { address: account, body: bag },
  estimateFeeSimple: { address: account, body: tree },
  detectAddress: { address: account },
  detectHash: { hash: "00".repeat(32) },
  packAddress: { address: account },
  unpackAddress: { address: account },
  healthcheck: {},
};

const parsed = (name: string) => `failed to parse ${name}`;

/** Error texts for unreadable arguments that differ from the default. */
const badTexts: Readonly<Record<string, string>> = {
  ...Object.fromEntries(["address", "source", "destination"].map((name) => [name, parsed("address")])),
  "replayTransaction source": parsed("source"),
  stack: "Stack should be array",
  "detectHash hash": "invalid hash: 'x'",
};

/** Error texts for missing arguments that differ from those for unreadable ones. */
const missingTexts: Readonly<Record<string, string>> = {
  source: "empty source address",
  destination: "empty destination address",
  boc: "empty boc",
  "detectHash hash": "empty hash",
  ...Object.fromEntries(
    ["workchain", "shard", "seqno"].map((name) => [`getShardBlockProof ${name}`, `${name} required`]),
  ),
  ...Object.fromEntries(
    ["getShards", "shards", "getMasterchainBlockSignatures"].map((name) => [
      `${name} seqno`,
      "seqno should be positive",
    ]),
  ),
};

/** Values out of range, with their error texts. */
const beyond: Readonly<Record<string, readonly (readonly [value: unknown, text: string])[]>> = {
  seqno: [
    [0, "seqno should be positive"],
    [-1, "seqno should be positive"],
    ["2147483648", parsed("seqno")],
  ],
  from_seqno: [
    [-1, "from_seqno should be non-negative"],
    ["2147483648", parsed("from_seqno")],
  ],
  unixtime: [
    [-1, "unixtime should be non-negative"],
    ["2147483648", parsed("unixtime")],
  ],
  ttl: [
    [-1, "ttl should be non-negative"],
    ["2147483648", parsed("ttl")],
  ],
  param: [
    [-1, "param should be non-negative"],
    ["2147483648", parsed("param")],
  ],
  config_id: [
    [-1, "param should be non-negative"],
    ["2147483648", parsed("config_id")],
  ],
  lt: [
    [-1, "lt should be non-negative"],
    ["9223372036854775808", parsed("lt")],
  ],
  after_lt: [
    [-1, "after_lt should be non-negative"],
    ["9223372036854775808", parsed("after_lt")],
  ],
  created_lt: [
    [-1, "created_lt should be non-negative"],
    ["9223372036854775808", parsed("created_lt")],
  ],
  to_lt: [["9223372036854775808", parsed("to_lt")]],
  workchain: [["2147483648", parsed("workchain")]],
  shard: [
    ["9223372036854775808", parsed("shard")],
    ["0x8000000000000000", parsed("shard")],
  ],
  limit: [
    [0, "limit should be positive"],
    [1001, "limit should be less or equal 1000"],
    ["2147483648", parsed("limit")],
  ],
  count: [
    [0, "count should be positive"],
    [10_001, "count should be less or equal 10000"],
    ["2147483648", parsed("count")],
  ],
};

/** Arguments that accept any text: only other types are invalid. */
const anyText = new Set(["name", "method"]);

/** Arguments that accept any value. */
const unused = new Set(["category"]);

interface Mistake {
  readonly endpoint: string;
  readonly arg: string;
  readonly what: string;
  readonly given: Given;
  readonly text: string;
  readonly ways: readonly Way[];
}

type Way = "GET" | "POST" | "JSON-RPC";

const bodies: readonly Way[] = ["POST", "JSON-RPC"];
const all: readonly Way[] = ["GET", ...bodies];

/** Every invalid form of one argument of one endpoint. */
function mistakesOf(endpoint: string, arg: string, required: boolean): readonly Mistake[] {
  const base: Given = right[endpoint as Name];
  const textIn = (texts: Readonly<Record<string, string>>) => texts[`${endpoint} ${arg}`] ?? texts[arg];
  const bad = textIn(badTexts) ?? parsed(arg);
  const missing = textIn(missingTexts) ?? textIn(badTexts) ?? parsed(arg);
  const mistake = (what: string, value: unknown, text: string, ways: readonly Way[]): Mistake => {
    return { endpoint, arg, what, given: { ...base, [arg]: value }, text, ways };
  };
  const isText = anyText.has(arg);
  return [
    mistake("words", isText ? {} : "x", bad, isText ? bodies : all),
    ...(required ? [mistake("nothing", undefined, missing, all), mistake("null", null, missing, bodies)] : []),
    ...(beyond[arg] ?? []).map(([value, text]) => mistake(`${value}`, value, text, all)),
  ];
}

const mistakes = v2Endpoints.flatMap(({ name, methods, args }) =>
  Object.entries(args)
    .filter(([arg]) => !unused.has(arg))
    .flatMap(([arg, { required }]) =>
      mistakesOf(name, arg, required).map((each) => ({
        ...each,
        ways: each.ways.filter((way) => way === "JSON-RPC" || methods.includes(way)),
      })),
    ),
);

let server: TestServer;

beforeAll(async () => {
  server = await openV2Server({}, noChain);
});

afterAll(() => server.close());

async function ask(way: Way, name: string, given: Given): Promise<unknown> {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(entries.map(([key, value]): [string, string] => [key, String(value)]));
  const post = (path: string, body: unknown) =>
    fetch(`${server.origin}/api/v2/${path}`, { method: "POST", body: JSON.stringify(body) });
  const params = Object.fromEntries(entries);
  const asked = {
    GET: () => fetch(`${server.origin}/api/v2/${name}?${query}`),
    POST: () => post(name, params),
    "JSON-RPC": () => post("jsonRPC", { method: name, params }),
  };
  const response = await asked[way]();
  return { status: response.status, ...Object(await response.json()) };
}

const stamp = expect.stringMatching(/^\d{10}:_:\d+(\.\d{1,3})?$/);
const refused = (error: string, code = 422) => ({ status: code, ok: false, error, code, "@extra": stamp });

describe.each(v2Endpoints)("$name", ({ name, methods }) => {
  it.each(mistakes.filter(({ endpoint }) => endpoint === name))(
    "refuses $what as $arg: $text",
    async ({ given, text, ways }) => {
      for (const way of ways) expect([way, await ask(way, name, given)]).toEqual([way, refused(text)]);
    },
  );

  it("rejects unknown names in a body, and ignores them in a query", async () => {
    const given = { ...right[name as Name], api_key_: "x" };
    const unknown = refused("Unknown property 'api_key_'");
    if (methods.includes("POST")) {
      expect(await ask("JSON-RPC", name, given)).toEqual(unknown);
      expect(await ask("POST", name, given)).toEqual(unknown);
    }
    if (methods.includes("GET")) expect(await ask("GET", name, given)).not.toMatchObject({ status: 422 });
  });

  it.each((["GET", "POST"] as const).filter((method) => !methods.includes(method)))(
    "does not accept %s",
    async (method) => {
      const body = method === "GET" ? {} : { body: "{}" };
      const response = await fetch(`${server.origin}/api/v2/${name}`, { method, ...body });
      expect(response.headers.get("allow")).toBe(methods.join(", "));
      const text = `method ${method} is not supported`;
      expect(await response.json()).toEqual({ ok: false, error: text, code: 405, "@extra": "_" });
      expect(response.status).toBe(405);
    },
  );

  it.each(["PUT", "DELETE", "PATCH"])("does not accept %s", async (method) => {
    const response = await fetch(`${server.origin}/api/v2/${name}`, { method });
    expect([response.status, Object(await response.json()).error]).toEqual([405, `method ${method} is not supported`]);
  });
});

it("every operation has a successful case, and every one with arguments a failing case", () => {
  const table: Readonly<Record<string, readonly Case[]>> = cases;
  const without = (kind: Case["answer"]["kind"]) =>
    v2Endpoints.filter(({ name }) => !table[name]?.some(({ answer }) => answer.kind === kind)).map(({ name }) => name);
  // These two need special contracts, which tokens.test.ts has.
  expect(without("result")).toEqual(["dnsResolve", "getTokenData"]);
  const bare = v2Endpoints.filter(({ args }) => Object.keys(args).length === 0).map(({ name }) => name);
  expect(without("error")).toEqual(bare);
});

it("arguments and endpoints with their own texts or bounds still exist", () => {
  const named = new Set(
    v2Endpoints.flatMap(({ name, args }) => Object.keys(args).flatMap((arg) => [arg, `${name} ${arg}`])),
  );
  const known = [badTexts, missingTexts, beyond].flatMap((texts) => Object.keys(texts));
  expect([...known, ...anyText].filter((each) => !named.has(each))).toEqual([]);
});
