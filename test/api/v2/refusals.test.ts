import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Gatekeeper } from "../../../src/api/access/Gatekeeper.ts";
import type { ApiKey } from "../../../src/api/access/keys.ts";
import { MemoryLimits } from "../../../src/api/access/limits.ts";
import { CellError } from "../../../src/cell/base/errors.ts";
import type { CodedError } from "../../../src/lib/errors.ts";
import { LibError } from "../../../src/lib/errors.ts";
import { LiteError } from "../../../src/lite/errors.ts";
import type { VmStackValue } from "../../../src/model/vm/VmStack.ts";
import { openV2Server, type TestServer } from "../../kit/api/apiServer.ts";
import { readRaw, sendRaw } from "../../kit/api/rawHttp.ts";
import { type MethodStacks, openCorruptServer, openMethodServer } from "../../kit/chain/changedV2.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";
import { openFixtureServer } from "../../kit/tvm/fixtureServer.ts";

/* The rows of the contract's error table that do not depend on one endpoint's arguments, over HTTP. */

interface Answered {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

async function ask(server: TestServer, path: string, body?: string): Promise<Answered> {
  const init = body === undefined ? {} : { method: "POST", body };
  const response = await fetch(`${server.origin}/api/v2/${path}`, init);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const stamp = expect.stringMatching(/^\d{10}:(_|\d+):\d+(\.\d{1,3})?$/);
const refusal = (status: number, error: unknown, extra: unknown = stamp): Answered => ({
  status,
  body: { ok: false, error, code: status, "@extra": extra },
});

const elector = `-1:${"3".repeat(64)}`;
const emptyBag = "te6cckEBAQEAAgAAAEysuc0=";

describe("over a chain", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openFixtureServer();
  });
  afterAll(() => server.close());

  it("of two names for a parameter a query uses one, and a body rejects both", async () => {
    const both = { config_id: 15, param: 1 };
    const inQuery = await ask(server, "getConfigParam?config_id=15&param=1");
    const alone = await ask(server, "getConfigParam?config_id=15");
    expect([inQuery.status, inQuery.body.result]).toEqual([200, alone.body.result]);
    const refused = refusal(422, "only one of config_id or param should be specified");
    expect(await ask(server, "getConfigParam", JSON.stringify(both))).toEqual(refused);
    const rpc = JSON.stringify({ method: "getConfigParam", params: both });
    expect(await ask(server, "jsonRPC", rpc)).toEqual(refused);
    const withNull = await ask(server, "getConfigParam", JSON.stringify({ ...both, param: null }));
    expect(withNull.body.result).toEqual(alone.body.result);
  });

  it.each([
    ["noSuchMethod", undefined, refusal(404, "Not Found", "_")],
    ["jsonRPC", undefined, refusal(405, "method GET is not supported", "_")],
    ["runGetMethod", undefined, refusal(405, "method GET is not supported", "_")],
    ["sendBoc?boc=x", undefined, refusal(405, "method GET is not supported", "_")],
    ["jsonRPC", '{"method":"nothing"}', refusal(404, "Method not found", "_")],
    ["jsonRPC", '{"method":"getMasterchainInfo","params":[1]}', refusal(422, "params must contain an object", "_")],
    ["jsonRPC", '{"params":{}}', refusal(422, "method is missing", "_")],
    ["jsonRPC", '{"method":5}', refusal(422, "method must be a string", "_")],
    ["jsonRPC", '{"method":', refusal(422, expect.any(String), "_")],
    ["jsonRPC", "[]", refusal(422, "a batch must have 1 to 100 requests, not 0", "_")],
    ["jsonRPC", '{"method":"shards","method":"shards"}', refusal(422, expect.any(String), "_")],
    ["getAddressState", '{"address":"x","api_key":"y"}', refusal(422, "Unknown property 'api_key'")],
    ["getAddressState", "[]", refusal(422, "the body must be a JSON object")],
    ["getAddressState?address=%zz", undefined, refusal(400, expect.stringContaining("percent-encoding"), "_")],
    ["detectHash", "{}", refusal(422, "empty hash")],
    ["detectHash?hash=abc", undefined, refusal(422, "invalid hash: 'abc'")],
    [
      `getAddressState?address=7:${"1".repeat(64)}`,
      undefined,
      refusal(500, expect.stringMatching(/^VALIDATE_ACCOUNT_STATEshard block id/)),
    ],
    [
      "getLibraries",
      JSON.stringify({ libraries: Array.from({ length: 17 }, (_, i) => i.toString(16).padStart(64, "0")) }),
      refusal(500, "INVALID_FIELD: Field library_list has invalid value : too many libraries requested, 16 maximum"),
    ],
    ["sendBoc", '{"boc":"AAAA"}', refusal(500, expect.stringMatching(/^INVALID_BAG_OF_CELLS: body/))],
    [
      "estimateFee",
      JSON.stringify({ address: elector, body: "te6cckEBAQEAAgAAAEysuc0=", init_code: "AAAA", init_data: "" }),
      refusal(500, expect.stringMatching(/^INVALID_BAG_OF_CELLS: init_code/)),
    ],
    [
      "runGetMethod",
      JSON.stringify({ address: elector, method: 1, stack: [["tvm.Cell", "AAAA"]] }),
      refusal(500, expect.stringMatching(/^cannot deserialize bag-of-cells: /)),
    ],
    [
      "runGetMethod",
      JSON.stringify({ address: elector, method: 1, stack: [["num", "1".repeat(81)]] }),
      refusal(422, `Invalid number: ${"1".repeat(81)}`),
    ],
    [
      "runGetMethod",
      `{"address":"${elector}","method":1,"stack":[["num",${"1".repeat(81)}]]}`,
      refusal(422, `Invalid number: ${"1".repeat(81)}`),
    ],
    [
      "runGetMethod",
      JSON.stringify({ address: elector, method: 1, stack: Array(8001).fill(["num", 1]) }),
      refusal(500, "TVM stack size exceeds limit"),
    ],
    [
      "runGetMethodStd",
      JSON.stringify({ address: elector, method: 1, stack: [nested(8000)] }),
      refusal(500, "TVM stack size exceeds limit"),
    ],
  ])("answers %s with %.60s", async (path, body, answered) => {
    expect(await ask(server, path, body)).toEqual(answered);
  });

  it("accepts and returns as many stack entries as tonlib, and no more", async () => {
    const nobody = `0:${"7".repeat(64)}`;
    const run = (count: number) =>
      ask(server, "runGetMethod", JSON.stringify({ address: nobody, method: 1, stack: Array(count).fill(["num", 1]) }));
    // Without code the stack comes back, with the method id on top.
    expect((await run(7999)).status).toBe(200);
    expect(await run(8000)).toEqual(refusal(500, "TVM stack size exceeds limit"));
  });
});

/** A tuple of `count` numbers. */
function nested(count: number): object {
  const number = { "@type": "tvm.stackEntryNumber", number: { "@type": "tvm.numberDecimal", number: "1" } };
  return { "@type": "tvm.stackEntryTuple", tuple: { "@type": "tvm.tuple", elements: Array(count).fill(number) } };
}

const serverErrorOf = (serverCode: number) =>
  new LiteError("lite/server", "x", { data: { serverCode, serverMessage: "not in db" } });

describe("over lite servers that fail", () => {
  it.each<[CodedError, number, string]>([
    [serverErrorOf(601), 500, "LITE_SERVER_FAILURE: not in db"],
    [serverErrorOf(602), 500, "LITE_SERVER_ERROR: not in db"],
    [serverErrorOf(603), 500, "LITE_SERVER_WARNING: not in db"],
    [serverErrorOf(621), 500, "LITE_SERVER_PROTOVIOLATION: not in db"],
    [serverErrorOf(651), 500, "LITE_SERVER_NOTREADY: not in db"],
    [serverErrorOf(652), 500, "LITE_SERVER_TIMEOUT: not in db"],
    [serverErrorOf(653), 500, "LITE_SERVER_CANCELLED: not in db"],
    [serverErrorOf(-701), 500, "LITE_SERVER_UNKNOWN: not in db"],
    [new LiteError("lite/proof", "a lie"), 500, "VALIDATE_BLOCK_PROOF: a lie"],
    [new LiteError("lite/refused", "gone"), 500, "LITE_SERVER_NETWORK: gone"],
    [new LiteError("lite/timeout", "slow"), 504, "LITE_SERVER_NETWORK timeout"],
    [new LibError("lib/deadline", "slow"), 504, "LITE_SERVER_NETWORK timeout"],
    [
      new LiteError("lite/none", "0: dead"),
      542,
      "failed to get session: no workers available (archival=0 mode=Single)",
    ],
    [
      new LiteError("lite/none", "there is no public server", { data: { servers: [] } }),
      542,
      "failed to get session: no workers available (archival=0 mode=Single): there is no public server",
    ],
    [new LiteError("lite/busy", "busy"), 503, "busy"],
    [new CellError("cell/boc-cut", "cut"), 500, "INVALID_BAG_OF_CELLS: cut"],
  ])("answers %s", async (error, status, text) => {
    const open = () => {
      throw error;
    };
    const server = await openV2Server({}, { isLive: () => true, chains: { open } });
    expect(await ask(server, `getAddressState?address=${elector}`)).toEqual(refusal(status, text));
    await server.close();
  });

  it("has its own text for requests about the servers or to many of them", async () => {
    const open = () => {
      throw new LiteError("lite/none", "0: dead");
    };
    const server = await openV2Server({}, { isLive: () => true, chains: { open } });
    expect(await ask(server, "getConsensusBlock")).toEqual(refusal(500, "no workers alive"));
    const nobodyTakes = "failed to get session: no workers available (archival=0 mode=Multiple)";
    const boc = JSON.stringify({ boc: emptyBag });
    expect(await ask(server, "sendBoc", boc)).toEqual(refusal(542, nobodyTakes));
    expect(await ask(server, "sendBocReturnHash", boc)).toEqual(refusal(542, nobodyTakes));
    expect(await ask(server, "sendBocReturnHashNoError", boc)).toEqual(refusal(400, nobodyTakes));
    const parts = (body: unknown) => JSON.stringify({ address: elector, body });
    expect(await ask(server, "sendQuery", parts(emptyBag))).toEqual(refusal(542, nobodyTakes));
    expect(await ask(server, "sendQuerySimple", parts({ data: { b64: "", len: 0 } }))).toEqual(
      refusal(542, nobodyTakes),
    );
    await server.close();
  });

  it.each([
    ["getAccountState", `getAddressState?address=${elector}`, "ACCOUNT_STATE"],
    ["getTransactions", `getTransactions?address=${elector}&limit=1`, "TRANSACTION"],
    [
      "listBlockTransactionsExt",
      "getBlockTransactionsExt?workchain=-1&shard=-9223372036854775808&seqno=5",
      "TRANSACTION",
    ],
    ["getConfigAll", "getConfigAll", "CONFIG"],
    ["getConfigParams", "getConfigParam?config_id=15", "CONFIG"],
    ["lookupBlockWithProof", "lookupBlock?workchain=0&shard=-9223372036854775808&seqno=5", "BLOCK_PROOF"],
    ["getAllShardsInfo", "shards?seqno=24", "BLOCK_PROOF"],
  ])("names the forged part of a server's answer: %s", async (query, path, kind) => {
    const server = await openCorruptServer(query);
    expect(await ask(server, path)).toEqual(refusal(500, expect.stringMatching(new RegExp(`^VALIDATE_${kind}: .`))));
    await server.close();
  });
});

describe("over contracts that return too much", () => {
  const deepIn = (depth: number): VmStackValue =>
    depth === 0 ? { kind: "null" } : { kind: "tuple", items: [deepIn(depth - 1)] };

  it.each([
    ["runGetMethod", 100, 100],
    ["runGetMethodStd", 255, 256],
  ])("%s answers values nested %d deep, and nothing deeper", async (name, max, limit) => {
    let stacks: MethodStacks = {};
    const server = await openMethodServer(() => stacks);
    const body = JSON.stringify({ address: elector, method: "deep", stack: [] });
    stacks = { deep: [deepIn(max - 1)] };
    expect((await ask(server, name, body)).status).toBe(200);
    stacks = { deep: [deepIn(max)] };
    expect(await ask(server, name, body)).toEqual(refusal(533, `Result stack depth >= ${limit}`));
    await server.close();
  });

  it("writes an invalid number as NaN", async () => {
    const server = await openMethodServer(() => ({ nothing: [{ kind: "nan" }] }));
    const run = async (name: string) =>
      Object((await ask(server, name, JSON.stringify({ address: elector, method: "nothing", stack: [] }))).body.result);
    expect((await run("runGetMethod")).stack).toEqual([["num", "NaN"]]);
    expect((await run("runGetMethodStd")).stack).toEqual([
      { "@type": "tvm.stackEntryNumber", number: { "@type": "tvm.numberDecimal", number: "NaN" } },
    ]);
    await server.close();
  });
});

describe("requests before routing", () => {
  const bare = (status: number, error: string): Answered => ({ status, body: { ok: false, error, code: status } });

  const keyOn = (network: string): ApiKey => ({
    ...{ id: network, hash: "", name: "n", owner: "o", plan: "free", networks: [network] },
    ...{ createdAt: 0, lastUsedAt: undefined, revokedAt: undefined },
  });

  it("checks keys before networks, and networks before rates", async () => {
    const keys = new Map<string, ApiKey>([
      ["far", keyOn("testnet")],
      ["near", keyOn("mainnet")],
    ]);
    const plans = new Map([["free", { perSecond: 1, burst: 1 }]]);
    const limits = new MemoryLimits({ maxNames: 10 }, new ManualClock());
    const options = { network: "mainnet", plans, keyless: { perSecond: 1, burst: 1 } };
    const access = new Gatekeeper(options, { keys: { find: (secret) => keys.get(secret) }, limits });
    const server = await openV2Server({ access });
    const path = `detectHash?hash=${"00".repeat(32)}`;
    expect(await ask(server, `${path}&api_key=none`)).toEqual(bare(401, "API key does not exist"));
    expect(await ask(server, `${path}&api_key=far`)).toEqual(bare(403, "Network not allowed"));
    expect((await ask(server, `${path}&api_key=near`)).status).toBe(200);
    expect(await ask(server, `${path}&api_key=near`)).toEqual(bare(429, "Ratelimit exceeded"));
    expect((await ask(server, path)).status).toBe(200);
    expect(await ask(server, path)).toEqual(bare(429, "Ratelimit exceeded"));
    expect(await ask(server, "jsonRPC", "{bad")).toEqual(bare(429, "Ratelimit exceeded"));
    for (const key of ["", "?api_key=none", "?api_key=far", "?api_key=near"]) {
      const alive = await fetch(`${server.origin}/api/v2/healthcheck${key}`);
      expect([alive.status, await alive.json()]).toEqual([200, "OK"]);
    }
    await server.close();
  });

  it.each([
    ["its headers", "POST /api/v2/getShards HTTP/1.1\r\nHost: x\r\n"],
    ["its body", 'POST /api/v2/getShards HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{"seq'],
  ])("aborts a request that never ends %s", async (_what, beginning) => {
    const server = await openV2Server({ requestMs: 50 });
    const { status, body } = readRaw(await sendRaw(server.port, beginning));
    expect({ status, body }).toEqual(refusal(408, "the request did not arrive in time", "_"));
    await server.destroy();
  });
});
