import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { Address, beginCell, Cell, external, serializeTuple, storeMessage } from "@ton/ton";
import { Value } from "typebox/value";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { v4Api } from "../../src/api/v4/envelope.ts";
import { WsClient } from "../kit/api/stream/streamClients.ts";
import { type StartedService, startService } from "../kit/app/startedService.ts";
import { repeats } from "../kit/suite/everything.ts";

const patience = { timeout: 300_000, interval: 50 };
const blocks = repeats({ usual: 30, all: 100 });

type Json = Readonly<Record<string, unknown>>;

let service: StartedService;

beforeAll(async () => {
  service = await startService({ flags: ["--demo", "off", "--no-index", "--block-ms", "300"] });
});
afterAll(() => service.close());

async function ask(path: string): Promise<Json> {
  const response = await fetch(`${service.origin}/api/v4/${path}`);
  expect([path, response.status]).toEqual([path, 200]);
  return Object(await response.json());
}

async function post(path: string, body: unknown) {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${service.origin}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: response.status, body: Object(await response.json()) as Json };
}

/** A wallet that has received coins, and its last transaction. */
async function findWallet() {
  const address = Address.parse(service.wallet("v4r2").address).toString();
  expect((await post("/localnet/faucet", { address, amount: 1 })).status).toBe(200);
  const read = async () => {
    const seqno = Number(Object((await ask("block/latest")).last).seqno);
    return { seqno, last: Object((await ask(`block/${seqno}/${address}`)).account).last };
  };
  await expect.poll(async () => (await read()).last, patience).not.toBeNull();
  const { seqno, last } = await read();
  return { address, seqno, last: Object(last) as { readonly lt: string; readonly hash: string } };
}

const inUrl = (base64: string) => base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

describe("the answers of v4", () => {
  it("are as the OpenAPI document describes them, on every path", async () => {
    const { address, seqno, last } = await findWallet();
    const { now } = await ask("block/latest");
    // The lookup by time leaves out the last seconds.
    expect((await post("/localnet/advance", { seconds: 14 })).status).toBe(200);
    await expect
      .poll(async () => Number(Object(await ask("block/latest")).now) - Number(now), patience)
      .toBeGreaterThan(13);
    const point = `account/${address}/tx/${last.lt}/${inUrl(last.hash)}`;
    const parsed = `account/${address}/tx/parsed/${last.lt}/${inUrl(last.hash)}?count=1`;
    const args = inUrl(serializeTuple([]).toBoc().toString("base64"));
    const message = beginCell().store(storeMessage(external({ to: Address.parse(address), body: new Cell() })));
    const answers: Readonly<Record<string, readonly unknown[]>> = {
      getBlock: [await ask(`block/${seqno}`), await ask("block/0")],
      getBlockByUtime: [await ask(`block/utime/${now}`), await ask("block/utime/0")],
      getLastBlock: [await ask("block/latest")],
      getAccount: [
        await ask(`block/${seqno}/${address}`),
        await ask(`block/${seqno}/0:${"e".repeat(64)}`),
        await ask(`block/${seqno}/-1:${"3".repeat(64)}`),
      ],
      getAccountLite: [
        await ask(`block/${seqno}/${address}/lite`),
        await ask(`block/${seqno}/0:${"e".repeat(64)}/lite`),
      ],
      isAccountChanged: [await ask(`block/${seqno}/${address}/changed/${last.lt}`)],
      runMethod: [await ask(`block/${seqno}/${address}/run/seqno`), await ask(`block/${seqno}/${address}/run/nothing`)],
      runMethodWithArgs: [await ask(`block/${seqno}/${address}/run/get_public_key/${args}`)],
      getConfig: [await ask(`block/${seqno}/config`)],
      getConfigParams: [await ask(`block/${seqno}/config/12,17,34`)],
      getAccountTransactions: [await ask(point)],
      getAccountTransactionsParsed: [await ask(parsed)],
      sendMessage: [],
    };
    expect(Object.keys(answers)).toEqual(v4Api.endpoints.map(({ name }) => name));
    for (const { name, result } of v4Api.endpoints)
      for (const answer of answers[name] ?? []) expect([name, Value.Errors(result.schema, answer)]).toEqual([name, []]);
    // An error is as described, too.
    const refused = await post("/api/v4/send", { boc: message.endCell().toBoc().toString("base64") });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(Value.Errors(v4Api.errorSchema, refused.body)).toEqual([]);
  });

  it("include every block of a burst, one frame each", async () => {
    const socket = new WsClient(`${service.origin}/api/v4/block/watch`);
    expect(await socket.opened).toBe(101);
    await expect.poll(() => socket.received.length, patience).toBeGreaterThan(0);
    for (let block = 0; block < blocks; block++) expect((await post("/localnet/block", {})).status).toBe(200);
    await expect.poll(() => socket.received.length, patience).toBeGreaterThan(blocks);
    socket.close();
    const seqnos = socket.received.map(({ seqno }) => Number(seqno));
    expect(seqnos).toEqual(seqnos.map((_, at) => (seqnos[0] ?? 0) + at));
  });
});

describe("emulation without an index", () => {
  it("refuses what only an index knows, and answers the rest", async () => {
    const from = service.wallet("v4r2").address;
    const request = { from, messages: [{ address: `0:${"d1".repeat(32)}`, amount: "1" }] };
    const url = "/api/emulate/v1/emulateTonConnect";
    const unknown = { error: "invalid request: address book and metadata are not available" };
    for (const flag of ["include_address_book", "include_metadata"])
      expect(await post(url, { ...request, [flag]: true })).toEqual({ status: 400, body: unknown });
    expect(await post(url, request)).toMatchObject({ status: 200, body: { actions: [], is_incomplete: false } });
  });
});

describe("streams without an index", () => {
  it("are refused with the reason, over each way", async () => {
    const refusal = { status: 503, body: { error: "replay is not configured" } };
    for (const base of ["/api/streaming/v2", "/streaming/v2"]) {
      expect(await post(`${base}/sse`, { types: ["blocks"], after: "c1.AA" })).toEqual(refusal);
      const response = await fetch(`${service.origin}${base}/sse?types=blocks`);
      expect({ status: response.status, body: await response.json() }).toEqual(refusal);
      expect(await upgrade(`${base}/ws`)).toEqual(refusal);
    }
  });
});

/** Asks for a WebSocket and gets an answer of HTTP. */
async function upgrade(path: string) {
  const key = { "sec-websocket-version": "13", "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" };
  const asked = request(`${service.origin}${path}`, {
    headers: { connection: "Upgrade", upgrade: "websocket", ...key },
  });
  const answered = once(asked, "response") as Promise<[IncomingMessage]>;
  asked.end();
  const [response] = await answered;
  return { status: response.statusCode, body: JSON.parse(await text(response)) as Json };
}
