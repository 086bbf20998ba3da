import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Gatekeeper } from "../../../src/api/access/Gatekeeper.ts";
import { v2Endpoints } from "../../../src/api/v2/list.ts";
import type { TestServer } from "../../kit/api/apiServer.ts";
import { serveProofs } from "../../kit/api/proofStage.ts";
import { openChainKit, type TestChain } from "../../kit/localnet/localChain.ts";

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

  it("has no answers where the result follows from the arguments", async () => {
    const { body } = await ask(`unpackAddress?address=${chain.wallet(0).address}&proof=1`);
    expect(body.proof).toEqual({ form: 1, answers: [] });
  });

  it("counts as the number of requests that the endpoint declares", async () => {
    const charged: string[] = [];
    const access = {
      admit: () => ({ kind: "keyless" as const, address: "one" }),
      charge: (caller: Parameters<Gatekeeper["charge"]>[0]) => {
        charged.push("further");
        return caller;
      },
    };
    const counting = await serveProofs(chain.net, { executor: kit.executor, clock: chain.clock }, { access });
    const address = chain.wallet(0).address;
    for (const name of ["getAddressState", "getTransactions", "detectAddress"]) {
      charged.length = 0;
      expect((await fetch(`${counting.origin}/api/v2/${name}?address=${address}&proof=1`)).status).toBe(200);
      const rule = v2Endpoints.find((each) => each.name === name)?.proof;
      expect(charged.length + 1).toBe(rule?.by === "nothing" ? 0 : rule?.weight);
    }
    await counting.close();
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
