import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestServer } from "../../kit/api/apiServer.ts";
import { readRaw, sendRaw } from "../../kit/api/rawHttp.ts";
import { openFixtureServer } from "../../kit/tvm/fixtureServer.ts";

/* Requests of many kinds of clients: valid ones in unusual forms, and invalid ones. */

let server: TestServer;

beforeAll(async () => {
  server = await openFixtureServer();
});

afterAll(() => server.close());

const elector = `-1:${"3".repeat(64)}`;
const state = `getAddressState?address=${elector}`;
const active = [200, "active"] as const;
const badAddress = [422, "failed to parse address"] as const;
const badSeqno = [422, "failed to parse seqno"] as const;
const notFound = [404, "Not Found"] as const;
const noObject = [422, "the body must be a JSON object"] as const;
const fifth = expect.objectContaining({ "@type": "ton.blockIdExt", seqno: 5 });
const words = (...parts: readonly string[]) => expect.stringContaining(parts.join(" "));

type Wanted = readonly [status: number, shown: unknown];

/** The status, and the result or the error. */
async function ask(path: string, init: RequestInit = {}): Promise<Wanted> {
  const response = await fetch(`${server.origin}/api/v2${path.startsWith("/") ? path : `/${path}`}`, init);
  const { result, error } = Object(await response.json());
  return [response.status, result ?? error];
}

it.each([
  [`getAddressBalance?address=${elector}`, 200, 24],
  [`getAddressBalance?address=${elector}&seqno=7`, 200, 7],
  [`getAddressBalance?address=${elector}&seqno=24`, 200, 24],
  ["getConfigParam?config_id=15&seqno=9", 200, 9],
  [`getTokenData?address=${elector}&seqno=7`, 409, 7],
])("%s reports its block on request", async (path, status, seqno) => {
  const response = await fetch(`${server.origin}/api/v2/${path}`, { headers: { "x-tongate-trace": "1" } });
  const reported = [response.status, response.headers.get("x-tongate-block"), response.headers.get("x-tongate-server")];
  expect(reported).toEqual([status, `(-1,8000000000000000,${seqno})`, "0"]);
});

describe("queries", () => {
  it.each<[string, string, Wanted]>([
    ["the same name twice, of which the first counts", `${state}&address=bad`, active],
    ["names that mean nothing here", `${state}&foo=bar&api_key=&__proto__=1&constructor`, active],
    ["empty parts", `getAddressState?&&address=${elector}&&`, active],
    ["a name in another case", `getAddressState?Address=${elector}`, badAddress],
    ["an encoded colon", `getAddressState?address=${elector.replace(":", "%3A")}`, active],
    ["a blank before the address", `getAddressState?address=%20${elector}`, badAddress],
    ["a zero byte", `getAddressState?address=%00${elector}`, badAddress],
    ["a smiling face", "getAddressState?address=%F0%9F%98%80", badAddress],
    ["bytes that are no UTF-8", "getAddressState?address=%ff", [400, words("bad percent-encoding")]],
    ["a domain in place of an address", "getAddressState?address=alice.ton", badAddress],
    ["64 digits without a workchain", `getAddressState?address=${"3".repeat(64)}`, badAddress],
    ["an empty number", `${state}&seqno=`, badSeqno],
    ["a number with plus", `${state}&seqno=%2B2`, active],
    ["a number with a blank", `${state}&seqno=+2`, badSeqno],
    ["a number in hex", `${state}&seqno=0x2`, badSeqno],
    ["a fraction", `${state}&seqno=2.0`, badSeqno],
    ["a number with zeroes before it", `${state}&seqno=0002`, active],
    ["digits of another script", `${state}&seqno=%D9%A2`, badSeqno],
    ["an empty flag, which is none", `getTransactions?address=0:${"7".repeat(64)}&archival=`, [200, []]],
    ["a flag in capitals", `getTransactions?address=0:${"7".repeat(64)}&archival=YES`, [200, []]],
    ["hex that reads as a decimal", "lookupBlock?workchain=0&shard=8000000000000000&seqno=5", [200, fifth]],
    ["a list with commas", "getLibraries?libraries=a,b", [422, "failed to parse libraries"]],
    ["one slash behind the name", `getAddressState/?address=${elector}`, active],
    ["two slashes behind the name", `getAddressState//?address=${elector}`, notFound],
    ["two slashes before the name", `//getAddressState?address=${elector}`, notFound],
    ["a name in another case", `getaddressstate?address=${elector}`, notFound],
    ["a name and more", `getAddressState/x?address=${elector}`, notFound],
  ])("%s", async (_what, path, wanted) => {
    expect(await ask(path)).toEqual(wanted);
  });
});

const post = (body: NonNullable<RequestInit["body"]>, headers: Record<string, string> = {}): RequestInit => ({
  method: "POST",
  body,
  headers,
});
const place = JSON.stringify({ address: elector });
const withSeqno = (seqno: string) => post(`{"address":"${elector}","seqno":${seqno}}`);

describe("bodies", () => {
  it.each<[string, RequestInit, Wanted]>([
    ["of any content type", post(place, { "content-type": "text/plain" }), active],
    ["of no content type", post(Buffer.from(place)), active],
    ["with blanks around", post(` \r\n\t${place}\n`), active],
    ["with letters as numbers", post(place.replace("address", "\\u0061ddress")), active],
    ["as forms write them", post(`address=${elector}`), [422, words("bad JSON at line 1, column 1")]],
    ["that are compressed", post(gzipSync(place), { "content-encoding": "gzip" }), [422, words("bad JSON")]],
    ["of nothing", post(""), badAddress],
    ["of null", post("null"), badAddress],
    ["of a number", post("5"), noObject],
    ["of a text", post('"x"'), noObject],
    ["of a list", post(`[${place}]`), noObject],
    ["that end too soon", post('{"address":'), [422, words("bad JSON")]],
    ["with something behind", post(`${place}x`), [422, words("bad JSON")]],
    [
      "with the same key twice",
      post(`{"address":"${elector}","address":"x"}`),
      [422, words('duplicate key "address"')],
    ],
    ["with a mark of byte order", post(`\ufeff${place}`), [422, words("bad JSON")]],
    [
      "deeper than anybody writes",
      post(`{"address":${"[".repeat(2050)}${"]".repeat(2050)}}`),
      [422, words("nested too deep; the limit is 2048")],
    ],
    ["with half a letter", post('{"address":"\\ud800"}'), badAddress],
    ["with an object as the address", post('{"address":{}}'), badAddress],
    ["with a number as the address", post('{"address":5}'), badAddress],
    ["with a list as the address", post(`{"address":["${elector}"]}`), badAddress],
    ["with a strange name", post(`{"address":"${elector}","__proto__":1}`), [422, "Unknown property '__proto__'"]],
    ["with a key in it", post(`{"address":"${elector}","api_key":"x"}`), [422, "Unknown property 'api_key'"]],
    ["with a number as text", withSeqno('"2"'), active],
    ["with a number as number", withSeqno("2"), active],
    ["with null, which is nothing", withSeqno("null"), active],
    ["with a fraction", withSeqno("2.5"), badSeqno],
    ["with a flag as a number", withSeqno("true"), badSeqno],
    ["with a list as a number", withSeqno("[2]"), badSeqno],
    ["with an empty text as a number", withSeqno('""'), badSeqno],
    ["with a number beyond all", withSeqno("1e400"), [422, expect.any(String)]],
    ["with a number of many digits", withSeqno("9".repeat(400)), badSeqno],
  ])("%s", async (_what, init, wanted) => {
    expect(await ask("getAddressState", init)).toEqual(wanted);
  });

  it("accept values that no query can have, and ignore the query", async () => {
    const block = '{"workchain":0,"shard":-9223372036854775808,"seqno":5}';
    expect(await ask("lookupBlock", post(block))).toEqual([200, fifth]);
    expect(await ask(state, post("{}"))).toEqual(badAddress);
    expect(await ask("getConsensusBlock", post(""))).toEqual([200, expect.objectContaining({ consensus_block: 24 })]);
    expect(await ask("getConsensusBlock", post("null"))).toMatchObject([200, {}]);
  });

  it.each([
    ["in chunks", `Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n`],
    ["after being asked for", "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}"],
  ])("may come %s", async (_what, rest) => {
    const beginning = "POST /api/v2/getConsensusBlock HTTP/1.1\r\nHost: x\r\nConnection: close\r\n";
    const answer = (await sendRaw(server.port, `${beginning}${rest}`)).replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, "");
    expect(readRaw(answer).status).toBe(200);
  });

  it("may use the older protocol", async () => {
    const answer = readRaw(await sendRaw(server.port, "GET /api/v2/getConsensusBlock HTTP/1.0\r\n\r\n"));
    expect(answer).toMatchObject({ status: 200, body: { ok: true } });
  });
});

it.each(["/api/v2/", "/api/v2/index.html", "/api/v2/index.html?x=1", "/api/v2/#/accounts", "/api/v2/index.html#a/b"])(
  "GET %s is the page",
  async (target) => {
    const answer = await sendRaw(server.port, `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect([answer.slice(0, 15), answer.includes("<!doctype html>")]).toEqual(["HTTP/1.1 200 OK", true]);
  },
);

describe("JSON-RPC", () => {
  const rpc = async (body: string) => {
    const response = await fetch(`${server.origin}/api/v2/jsonRPC`, { method: "POST", body });
    return [response.status, await response.json()];
  };
  const pack = `"method":"packAddress","params":{"address":"${elector}"}`;
  const packed = { ok: true, result: "Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF", "@extra": expect.any(String) };
  const refused = (code: number, error: unknown) => [code, { ok: false, error, code, "@extra": "_" }];
  const refusedFor = (id: number, error: string) => [422, { ok: false, error, code: 422, "@extra": "_", id }];
  const consensus = expect.objectContaining({ consensus_block: 24 });

  it.each<[string, string, unknown]>([
    ["without id", `{${pack}}`, [200, packed]],
    ["with a number as id", `{${pack},"id":1,"jsonrpc":"2.0"}`, [200, { ...packed, id: 1, jsonrpc: "2.0" }]],
    ["with a text as id", `{${pack},"id":"1"}`, [200, { ...packed, id: "1" }]],
    ["with null as id", `{${pack},"id":null}`, [200, { ...packed, id: null }]],
    ["with an object as id", `{${pack},"id":{"a":["é"]}}`, [200, { ...packed, id: { a: ["é"] } }]],
    ["with another version", `{${pack},"jsonrpc":1}`, [200, { ...packed, jsonrpc: "2.0" }]],
    ["with something else", `{${pack},"foo":1}`, [200, packed]],
    ["without method", '{"params":{}}', refused(422, "method is missing")],
    ["with null as method", '{"method":null}', refused(422, "method must be a string")],
    ["with a path as method", '{"method":"/packAddress"}', refused(404, "Method not found")],
    ["with itself as method", `{"method":"jsonRPC","params":{${pack}},"id":2}`, [200, { ...packed, id: 2 }]],
    [
      "with itself twice as method",
      `{"method":"jsonRPC","params":{"method":"jsonRPC","params":{${pack},"id":1}}}`,
      [200, packed],
    ],
    ["with itself as method and no request", '{"method":"jsonRPC","id":3}', refusedFor(3, "method is missing")],
    ["with a method of GET only", '{"method":"healthcheck","params":{}}', refused(404, "Method not found")],
    ["with a method in another case", '{"method":"packaddress"}', refused(404, "Method not found")],
    ["with a method of objects", '{"method":"constructor"}', refused(404, "Method not found")],
    ["with a method of prototypes", '{"method":"__proto__"}', refused(404, "Method not found")],
    [
      "with a list of params",
      '{"method":"getConsensusBlock","params":[1]}',
      refused(422, "params must contain an object"),
    ],
    ["that is a text", '"x"', refused(422, "a request must be an object")],
    ["that is null", "null", refused(422, "method is missing")],
    ["that is empty", "", refused(422, "method is missing")],
    ["that is no JSON", "{bad", refused(422, words("bad JSON"))],
    ["with a method twice", '{"method":"a","method":"b"}', refused(422, words("duplicate key"))],
  ])("%s", async (_what, body, wanted) => {
    expect(await rpc(body)).toEqual(wanted);
  });

  it.each(["null", "[]", '"x"', "5", "true", "{}"])("treats params of %s as absent", async (params) => {
    expect(await rpc(`{"method":"getConsensusBlock","params":${params}}`)).toMatchObject([200, { result: consensus }]);
  });

  it("keeps every digit of an id", async () => {
    const response = await fetch(
      `${server.origin}/api/v2/jsonRPC`,
      post(`{${pack},"id":123456789012345678901234567890}`),
    );
    expect(await response.text()).toContain('"id":123456789012345678901234567890');
  });

  it("answers errors with the id, like the method itself", async () => {
    expect(await rpc('{"method":"packAddress","id":7,"params":{"address":"x"}}')).toEqual([
      422,
      { ok: false, error: "failed to parse address", code: 422, "@extra": expect.any(String), id: 7 },
    ]);
  });
});

describe("arguments that the reference reads strictly or ignores", () => {
  const hash = Buffer.from(`fbff${"3".repeat(60)}`, "hex");
  const [plus, space] = [hash.toString("base64"), hash.toString("base64").replaceAll("+", " ")];
  const noLibraries = { "@type": "smc.libraryResult", result: [] };
  const detected = expect.objectContaining({ hex: hash.toString("hex") });
  const noBytes = "cannot deserialize bag-of-cells: ";
  const run = (entry: unknown) => ({ address: elector, method: "seqno", stack: [entry] });
  const typed = (type: string, field: string, value: unknown) => run({ "@type": type, [field]: value });

  it("refuses a space in an address of a query", async () => {
    const friendly = `Ef/7+/v7${"+/v7".repeat(9)}+75c`;
    const account = `-1:${"FB".repeat(32)}`;
    expect(await ask(`unpackAddress?address=${encodeURIComponent(friendly)}`)).toEqual([200, account]);
    expect(await ask(`unpackAddress?address=${friendly}`)).toEqual([422, "failed to parse address"]);
    expect(await ask(`getAddressBalance?address=${friendly}`)).toEqual([422, "failed to parse address"]);
  });

  it("reads a space in a hash of a query as a plus", async () => {
    expect(await ask(`detectHash?hash=${plus}`)).toEqual([200, detected]);
    expect(await ask(`getLibraries?libraries=${plus}`)).toEqual([200, noLibraries]);
  });

  it.each<[string, unknown, Wanted]>([
    ["detectHash", { hash: plus }, [200, detected]],
    ["detectHash", { hash: space }, [422, `invalid hash: '${space}'`]],
    ["getLibraries", { libraries: [plus] }, [200, noLibraries]],
    ["getLibraries", { libraries: plus }, [422, "failed to parse libraries"]],
    ["getLibraries", { libraries: [space] }, [422, "failed to parse libraries"]],
    ["estimateFee", { address: elector, body: "" }, [500, words(`INVALID_BAG_OF_CELLS: body${noBytes}`)]],
    ["estimateFee", { address: elector }, [422, "failed to parse body"]],
    ["sendBoc", { boc: "" }, [422, "empty boc"]],
    [
      "runGetMethodStd",
      typed("tvm.stackEntryCell", "cell", { "@type": "tvm.cell", bytes: "" }),
      [500, `${noBytes}not enough bytes (0 present, 10 required)`],
    ],
    [
      "runGetMethodStd",
      typed("tvm.stackEntryCell", "cell", { "@type": "tvm.slice", bytes: "te6ccgEBAQEAAgAAAA==" }),
      [422, "Invalid cell, object with field bytes expected"],
    ],
    [
      "runGetMethodStd",
      typed("tvm.stackEntryTuple", "tuple", { "@type": "tvm.list", elements: [] }),
      [422, "Invalid tvm.Tuple, valid tvm_stackEntryTuple expected"],
    ],
    [
      "runGetMethod",
      run(["cell", { "@type": "tvm.slice", bytes: "te6ccgEBAQEAAgAAAA==" }]),
      [422, "Invalid cell, object with field bytes expected"],
    ],
    ["runGetMethod", run(["cell", { bytes: "" }]), [422, "Empty cell"]],
  ])("%s %j", async (name, args, wanted) => {
    expect(await ask(name, post(JSON.stringify(args)))).toEqual(wanted);
  });

  it("ignores the category of a name", async () => {
    const [plain, other] = [
      await ask(`dnsResolve?address=${elector}&name=a`),
      await ask(`dnsResolve?address=${elector}&name=a&category=wallet`),
    ];
    expect(other).toEqual(plain);
    expect(await ask("dnsResolve", post(JSON.stringify({ address: elector, name: "a", category: 5 })))).toEqual(plain);
  });

  it.each(["healthcheck", "getMasterchainInfo?x=1", "/getMasterchainInfo", "getmasterchaininfo", ""])(
    "has no JSON-RPC method %j",
    async (method) => {
      expect(await ask("jsonRPC", post(JSON.stringify({ method, params: {} })))).toEqual([404, "Method not found"]);
    },
  );
});

describe("an exit code of runGetMethodStd", () => {
  const noMethod = post(JSON.stringify({ address: elector, method: "no_such_method", stack: [] }));

  it("is an error, or a result where that is configured", async () => {
    expect(await ask("runGetMethodStd", noMethod)).toEqual([500, "Exit code 11 != 0"]);
    const other = await openFixtureServer({ services: { stdExitCode: "result" } });
    const response = await fetch(`${other.origin}/api/v2/runGetMethodStd`, noMethod);
    expect([response.status, Object(await response.json()).result]).toEqual([
      200,
      expect.objectContaining({ exit_code: 11 }),
    ]);
    await other.close();
  });
});
