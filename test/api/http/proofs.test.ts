import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Gatekeeper } from "../../../src/api/access/Gatekeeper.ts";
import type { ApiKey } from "../../../src/api/access/keys.ts";
import { MemoryLimits } from "../../../src/api/access/limits.ts";
import type { Caller } from "../../../src/api/declare/Caller.ts";
import { v2Endpoints } from "../../../src/api/v2/list.ts";
import { LiteError } from "../../../src/lite/errors.ts";
import type { LiteServer } from "../../../src/lite/server/LiteServer.ts";
import type { RecordLimits } from "../../../src/lite/server/RecordBudget.ts";
import type { TestServer } from "../../kit/api/apiServer.ts";
import { serveProofs } from "../../kit/api/proofStage.ts";
import { openChainKit, type TestChain } from "../../kit/localnet/localChain.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

const kit = await openChainKit();
let chain: TestChain;
let server: TestServer;

beforeAll(async () => {
  chain = await kit.open();
  await chain.rounds(3);
  server = await serveProofs(chain.net, { executor: kit.executor, clock: chain.clock });
});

afterAll(async () => {
  await server.close();
  await kit.close();
});

async function ask(path: string, init: RequestInit = {}) {
  const response = await fetch(`${server.origin}/api/v2/${path}`, init);
  return { status: response.status, body: Object(await response.json()) };
}

const post = (body: unknown): RequestInit => ({ method: "POST", body: JSON.stringify(body) });

describe("a request for a proof", () => {
  it("is refused with 422 and the reason where nothing proves the answer", async () => {
    const unprovable = v2Endpoints.filter(({ proof }) => proof.by === "nothing");
    expect(unprovable.map(({ name }) => name).sort()).toEqual([
      "getConsensusBlock",
      "getOutMsgQueueSize",
      "healthcheck",
      "sendBoc",
      "sendBocReturnHash",
      "sendBocReturnHashNoError",
      "sendQuery",
      "sendQuerySimple",
    ]);
    const boc = "te6cckEBAQEAAgAAAEysuc0=";
    const { status, body } = await ask("sendBoc", post({ boc, proof: 1 }));
    expect([status, body.error]).toEqual([
      422,
      "sendBoc has no proof: a lite server may accept a message and drop it; watch for its transaction",
    ]);
    for (const name of ["getConsensusBlock", "getOutMsgQueueSize", "healthcheck"])
      expect((await ask(`${name}?proof=1`)).status).toBe(422);
  });

  it("may say no, and is refused if it says neither", async () => {
    const address = chain.wallet(0).address;
    for (const no of ["proof=0", "proof=false", "proof="]) {
      const { status, body } = await ask(`getAddressState?address=${address}&${no}`);
      expect([status, body.result, body.proof]).toEqual([200, "active", undefined]);
    }
    const wrong = ["proof=maybe", "proof=1&proof_since=-1", "proof=1&proof_since=x", "proof=1&proof_since=99999999999"];
    for (const each of wrong) expect((await ask(`getAddressState?address=${address}&${each}`)).status).toBe(422);
    expect((await ask("getAddressState", post({ address, proof: 0 }))).status).toBe(200);
    const ahead = await ask(
      `getAddressState?address=${address}&proof=1&proof_since=${chain.net.ledger.headId.seqno + 9}`,
    );
    expect([ahead.status, ahead.body.error]).toEqual([
      422,
      expect.stringContaining("this server is behind the receiver"),
    ]);
  });

  it("never gets, nor leaves behind, the cached answer of the other kind", async () => {
    const path = `getAddressBalance?address=${chain.wallet(2).address}`;
    const kinds = [];
    for (const init of [{}, { headers: { "X-Proof": "1" } }, {}, { headers: { "X-Proof": "1" } }])
      kinds.push("proof" in (await ask(path, init)).body);
    expect(kinds).toEqual([false, true, false, true]);
    const rpc = (params: object) => ask("jsonRPC", post({ method: "getAddressBalance", params }));
    const address = chain.wallet(2).address;
    const asked = [{ address }, { address, proof: 1 }, { address }, { address, proof: 1 }];
    const answered = [];
    for (const params of asked) answered.push("proof" in (await rpc(params)).body);
    expect(answered).toEqual([false, true, false, true]);
  });

  it("is answered in a batch, and compressed", async () => {
    const address = chain.wallet(0).address;
    const calls = [
      { method: "getAddressState", params: { address, proof: 1 }, id: 1 },
      { method: "getAddressState", params: { address }, id: 2 },
    ];
    const { body } = await ask("jsonRPC", post(calls));
    expect(body.map((each: object) => ["proof" in each, Object(each).id])).toEqual([
      [true, 1],
      [false, 2],
    ]);
    const path = `${server.origin}/api/v2/getAddressInformation?address=${address}&proof=1`;
    const packed = await fetch(path, { headers: { "Accept-Encoding": "gzip" } });
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(Object(await packed.json()).proof.form).toBe(1);
  });

  it("is refused by HEAD as one without is: operations are asked with GET and POST", async () => {
    const path = `${server.origin}/api/v2/getAddressState?address=${chain.wallet(0).address}`;
    for (const asked of [path, `${path}&proof=1`]) {
      const head = await fetch(asked, { method: "HEAD" });
      expect([head.status, head.headers.get("allow"), await head.text()]).toEqual([405, "GET, POST", ""]);
    }
  });

  it("shares the answers of lite servers with the items of a batch before it", async () => {
    const addresses = [0, 1, 0].map((index) => chain.wallet(index).address);
    const paramsOf = (address: string) => ({ address, proof: 1, proof_since: 0 });
    const calls = addresses.map((address, id) => ({ method: "getAddressState", params: paramsOf(address), id }));
    const alone = [];
    for (const address of addresses)
      alone.push((await ask("jsonRPC", post({ ...calls[0], params: paramsOf(address) }))).body);
    const { body } = await ask("jsonRPC", post(calls));
    type Pairs = readonly (readonly [query: string, answer?: string])[];
    const known = new Map<string, string | undefined>();
    const expand = (pairs: Pairs) =>
      pairs.map(([query, answer]) => {
        if (answer !== undefined) known.set(query, answer);
        return [query, known.get(query)];
      });
    const answersOf = (answer: unknown) => Object(answer).proof.answers as Pairs;
    const sharedIn = (each: unknown) => answersOf(each).filter((pair) => pair.length === 1).length;
    expect(body.map(sharedIn)).toEqual([0, expect.any(Number), answersOf(alone[2]).length]);
    expect(sharedIn(body[1])).toBeGreaterThan(0);
    expect(body.map((each: unknown) => expand(answersOf(each)))).toEqual(alone.map(answersOf));
  });

  it("has no answers where the result follows from the arguments", async () => {
    const { body } = await ask(`unpackAddress?address=${chain.wallet(0).address}&proof=1`);
    expect(body.proof).toEqual({ operation: "unpackAddress", form: 1, answers: [] });
  });

  it("counts as the number of requests that the endpoint declares", async () => {
    const charged: number[] = [];
    const access = {
      admit: () => ({ kind: "keyless" as const, address: "one" }),
      charge: (caller: Caller) => caller,
      addWeight: (_caller: Caller, count: number) => void charged.push(count),
    };
    const counting = await serveProofs(chain.net, { executor: kit.executor, clock: chain.clock }, { access });
    const address = chain.wallet(0).address;
    for (const name of ["getAddressState", "getTransactions", "detectAddress"]) {
      charged.length = 0;
      expect((await fetch(`${counting.origin}/api/v2/${name}?address=${address}&proof=1`)).status).toBe(200);
      const rule = v2Endpoints.find((each) => each.name === name)?.proof;
      expect(charged).toEqual(rule?.by === "nothing" ? [] : [(rule?.weight ?? 0) - 1]);
    }
    await counting.close();
  });

  it("is answered within every rate, and the next requests of its caller wait for what it counts more", async () => {
    const key = (id: string): ApiKey => ({
      ...{ id, hash: "", name: id, owner: id, plan: "free", networks: ["local"] },
      ...{ createdAt: 0, lastUsedAt: undefined, revokedAt: undefined },
    });
    const keys = new Map([key("one"), key("two")].map((each) => [each.id, each]));
    const plans = new Map([["free", { perSecond: 1, burst: 5 }]]);
    const clock = new ManualClock();
    const access = new Gatekeeper(
      { network: "local", plans, keyless: { perSecond: 1, burst: 1 } },
      { keys: { find: (secret) => keys.get(secret) }, limits: new MemoryLimits({ maxNames: 10 }, clock) },
    );
    const limited = await serveProofs(chain.net, { executor: kit.executor, clock: chain.clock }, { access });
    const path = `${limited.origin}/api/v2/getAddressState?address=${chain.wallet(0).address}`;
    const outcome = async (query: string, headers: Readonly<Record<string, string>> = {}) => {
      const response = await fetch(`${path}${query}`, { headers });
      const body = Object(await response.json());
      const said = body.proof === undefined ? (body.error ?? body.result) : "proved";
      return [response.status, said, response.headers.get("retry-after")];
    };
    const [proved, refused] = [[200, "proved", null], (after: string) => [429, "Ratelimit exceeded", after]];
    // Each counts as two: the third one is begun with the last of five requests.
    expect(await outcome("&proof=1&api_key=one")).toEqual(proved);
    expect(await outcome("", { "X-Proof": "1", "X-API-Key": "one" })).toEqual(proved);
    expect(await outcome("&proof=1&api_key=one")).toEqual(proved);
    expect(await outcome("&api_key=one")).toEqual(refused("2"));
    expect(await outcome("&proof=1&api_key=two")).toEqual(proved);
    // The smallest rate has room for one request, and so for a proof.
    expect(await outcome("&proof=1")).toEqual(proved);
    expect(await outcome("&proof=1")).toEqual(refused("2"));
    await clock.advance(2_000);
    expect(await outcome("&proof=1")).toEqual(proved);
    expect(await outcome("&api_key=one")).toEqual([200, "active", null]);
    expect(await outcome("&proof=1&api_key=three")).toEqual([401, "API key does not exist", null]);
    await limited.close();
  });

  it("is refused by a server that trusts heads without signatures", async () => {
    const { services, ...first } = await serveProofs(chain.net, { executor: kit.executor, clock: chain.clock });
    await first.close();
    const { openV2Server } = await import("../../kit/api/apiServer.ts");
    const trusting = await openV2Server({}, { ...services, proofs: "trust" });
    const response = await fetch(`${trusting.origin}/api/v2/getMasterchainInfo?proof=1`);
    expect([response.status, Object(await response.json()).error]).toEqual([
      422,
      expect.stringContaining("start it without --trust"),
    ]);
    await trusting.close();
  });
});

/* Everything has a budget: the bytes of proofs that are being made are counted, until they are written or given up. */
describe("the budget of proofs", () => {
  const largeLimits = { maxBytes: 1 << 20, maxTotalBytes: 2 << 20 };

  async function openWith(recordLimits: RecordLimits, lite: LiteServer = chain.net.lite) {
    const served = await serveProofs(
      { ledger: chain.net.ledger, lite },
      { executor: kit.executor, clock: chain.clock, recordLimits },
    );
    const { address } = chain.wallet(0);
    const askHere = async (query: string) => {
      const response = await fetch(`${served.origin}/api/v2/getAddressState?address=${address}${query}`);
      return { status: response.status, ...Object(await response.json()) };
    };
    return { close: () => served.close(), ask: askHere, records: served.services.chains.records };
  }

  it("refuses a proof that is too long with what to do, and forgets it", async () => {
    const { close, ask: askHere, records } = await openWith({ ...largeLimits, maxBytes: 600 });
    const { status, error } = await askHere("&proof=1");
    expect([status, error]).toEqual([
      422,
      "the proof is too long: a recording of more than 600 bytes; name a newer block that you trust with proof_since, or ask for less at once",
    ]);
    expect([records.bytes, (await askHere("")).result]).toEqual([0, "active"]);
    await close();
  });

  it("answers 503 while the proofs of others have all room, and nothing is left of them in the end", async () => {
    const { net } = chain;
    let [open, held] = [() => {}, 0];
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    // The first request waits for its second answer.
    const slow: LiteServer = {
      ask: async (query, options) => {
        const answer = await net.lite.ask(query, options);
        if (records.bytes > 0 && held === 0) {
          held += 1;
          await gate;
        }
        return answer;
      },
      close: () => net.lite.close(),
      destroy: (reason) => net.lite.destroy(reason),
    };
    const { close, ask: askHere, records } = await openWith({ maxBytes: 1 << 20, maxTotalBytes: 1 << 20 }, slow);
    const first = askHere("&proof=1");
    await expect.poll(() => held).toBeGreaterThan(0);
    const filler = new Uint8Array((1 << 20) - records.bytes);
    records.hold(filler);
    const second = await askHere("&proof=1&proof_since=0");
    expect([second.status, second.error]).toEqual([503, expect.stringContaining("try again in a moment")]);
    expect((await askHere("")).status).toBe(200);
    records.release(filler);
    open();
    expect(Object.keys((await first).proof)).toEqual(["operation", "form", "network", "block", "since", "answers"]);
    expect(records.bytes).toBe(0);
    await close();
  });

  it("keeps no answers of a proof whose reader has left", async () => {
    const { net } = chain;
    let asked = 0;
    const silent: LiteServer = {
      ask: async (query, options) => {
        asked += 1;
        if (asked === 1) return net.lite.ask(query, options);
        return new Promise((_resolve, reject) => options.signal.addEventListener("abort", () => reject(abortedBy())));
      },
      close: () => net.lite.close(),
      destroy: (reason) => net.lite.destroy(reason),
    };
    const abortedBy = () => new LiteError("lite/closed", "left");
    const served = await serveProofs(
      { ledger: net.ledger, lite: silent },
      { executor: kit.executor, clock: chain.clock, recordLimits: largeLimits },
    );
    const leaving = new AbortController();
    const url = `${served.origin}/api/v2/getAddressState?address=${chain.wallet(0).address}&proof=1`;
    const left = fetch(url, { signal: leaving.signal }).catch(() => "left");
    const { records } = served.services.chains;
    await expect.poll(() => records.bytes).toBeGreaterThan(0);
    leaving.abort();
    expect(await left).toBe("left");
    await expect.poll(() => records.bytes).toBe(0);
    await served.close();
  });
});
