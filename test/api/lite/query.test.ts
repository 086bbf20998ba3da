import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { liteApi } from "../../../src/api/lite/envelope.ts";
import type { V2Services } from "../../../src/api/v2/declare.ts";
import { LiveChains } from "../../../src/chain/LiveChains.ts";
import { serverSource } from "../../../src/chain/serverSource.ts";
import { accountIdToTl, blockIdToTl } from "../../../src/lite/queries/ids.ts";
import { findServerError, type LiteServer } from "../../../src/lite/server/LiteServer.ts";
import * as queries from "../../../src/lite/tl/liteQueries.ts";
import { encodeQuery, wrapQuery } from "../../../src/lite/tl/queryEnvelope.ts";
import { openApiServer, type TestServer } from "../../kit/api/apiServer.ts";
import { type ChainKit, openChainKit, type TestChain } from "../../kit/localnet/localChain.ts";

let kit: ChainKit;
let chain: TestChain;
let server: TestServer;
/** Queries that reached the lite server. */
const reached: string[] = [];
/** What the lite server makes of a true answer. */
let change = (answer: Uint8Array): Uint8Array => answer;

beforeAll(async () => {
  kit = await openChainKit();
  chain = await kit.open();
  const { ledger, lite } = chain.net;
  const watched: LiteServer = {
    ask: async (query, options) => {
      reached.push(Buffer.from(query).toString("hex"));
      return change(await lite.ask(query, options));
    },
    close: () => lite.close(),
    destroy: (reason) => lite.destroy(reason),
  };
  const head = () => ({ block: ledger.headId, genUtime: ledger.head?.info.genUtime ?? 0 });
  const source = serverSource(watched, head);
  const chains = new LiveChains({ source, executor: kit.executor, clock: chain.clock, zeroState: ledger.zero.id });
  const services: V2Services = { isLive: () => true, chains };
  server = await openApiServer(liteApi, services, { lastingBytes: 1 << 20 });
});

afterAll(async () => {
  await server?.close();
  await kit?.close();
});

/** Sends bytes; the status, the type and the bytes of the answer. */
async function post(body: Uint8Array, type = "application/octet-stream") {
  const request = { method: "POST", body: Buffer.from(body), headers: { "Content-Type": type } };
  const response = await fetch(`${server.origin}/api/lite/v1/query`, request);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, type: response.headers.get("content-type"), bytes };
}

const { signal } = new AbortController();
const direct = async (query: Uint8Array) => Buffer.from(await chain.net.lite.ask(query, { signal }));

/** One query of each kind whose answer does not depend on the time. */
function everyQuery(): readonly Uint8Array[] {
  const { ledger } = chain.net;
  const id = blockIdToTl(ledger.headId);
  const account = accountIdToTl(chain.wallet(0).address);
  return [
    encodeQuery(queries.getMasterchainInfo, {}),
    encodeQuery(queries.getBlock, { id }),
    encodeQuery(queries.getBlockHeader, { id, mode: 0 }),
    encodeQuery(queries.getAllShardsInfo, { id }),
    encodeQuery(queries.getConfigAll, { id, mode: 0 }),
    encodeQuery(queries.getAccountState, { id, account }),
    encodeQuery(queries.getBlock, { id: { ...id, seqno: id.seqno + 1_000 } }),
  ];
}

describe("a query over HTTP", () => {
  it("has the answer of the lite server, in bytes and in base64", async () => {
    for (const query of everyQuery()) {
      const expected = await direct(query);
      const answer = { status: 200, type: "application/octet-stream", bytes: expected };
      expect(await post(query)).toEqual(answer);
      expect(await post(wrapQuery(query))).toEqual(answer);
      const body = JSON.stringify({ query: Buffer.from(query).toString("base64") });
      const { status, bytes } = await post(Buffer.from(body), "application/json");
      expect([status, JSON.parse(bytes.toString())]).toEqual([200, { answer: expected.toString("base64") }]);
    }
  });

  it("of a server that has not what it asks for is answered with the error of the server", async () => {
    const query = everyQuery().at(-1) ?? new Uint8Array();
    expect(findServerError((await post(query)).bytes)).toMatchObject({ code: 651 });
  });

  it.each([
    ["no bytes", Buffer.alloc(0)],
    ["no query", Buffer.from("0123456789")],
    ["a query with more bytes", Buffer.concat([encodeQuery(queries.getTime, {}), Buffer.alloc(4)])],
    ["a cut query", Buffer.from("89b5e6", "hex")],
  ])("of %s is refused", async (_name, bytes) => {
    const before = reached.length;
    const { status, type, bytes: answer } = await post(bytes);
    expect([status, type]).toEqual([422, "application/json"]);
    expect(JSON.parse(answer.toString())).toMatchObject({ code: 422, error: expect.any(String) });
    expect(reached).toHaveLength(before);
  });

  it("about a block is answered from the cache the second time, one about the head never", async () => {
    await chain.rounds(1);
    const [newest = new Uint8Array(), ...ofBlock] = everyQuery().slice(0, -1);
    const before = reached.length;
    for (const query of [...ofBlock, ...ofBlock]) expect((await post(query)).status).toBe(200);
    expect(reached.length - before).toBe(ofBlock.length);
    for (const query of [newest, newest]) await post(query);
    expect(reached.length - before).toBe(ofBlock.length + 2);
  });

  it("gets no answer that the named block contradicts, and none is kept", async () => {
    await chain.rounds(1);
    const [, ...ofBlock] = everyQuery().slice(0, -1);
    change = (answer) => answer.with(answer.length >> 1, (answer[answer.length >> 1] ?? 0) ^ 1);
    for (const query of ofBlock) expect((await post(query)).status).toBeGreaterThanOrEqual(500);
    change = (answer) => answer;
    for (const query of ofBlock) expect((await post(query)).bytes).toEqual(await direct(query));
  });

  it("of a server with a large answer has all of it", async () => {
    // Nothing proves this answer, so that it is passed on as it is.
    const query = encodeQuery(queries.getTime, {});
    const large = Buffer.alloc(3_000_001, "some bytes");
    change = () => large;
    const bytes = await post(query);
    const body = JSON.stringify({ query: Buffer.from(query).toString("base64") });
    const json = await post(Buffer.from(body), "application/json");
    change = (answer) => answer;
    expect([bytes.status, bytes.bytes.equals(large)]).toEqual([200, true]);
    expect(json.bytes.toString() === JSON.stringify({ answer: large.toString("base64") })).toBe(true);
  });
});
