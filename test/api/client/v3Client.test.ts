import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createV3Client } from "../../../src/api/client/v3Client.ts";
import { v3Endpoints } from "../../../src/api/v3/list.ts";
import { formatJson, type JsonInput, parseJson } from "../../../src/lib/json.ts";
import { nameOfNetwork } from "../../../src/lite/server/knownNetworks.ts";
import { formatRawAddress } from "../../../src/model/Address.ts";
import { trustOf } from "../../kit/api/provedRecords.ts";
import { type Json, openProvedStage, type ProvedStage } from "../../kit/api/v3/provedStage.ts";

let stage: ProvedStage;
let [sender, receiver] = ["", ""];

beforeAll(async () => {
  stage = await openProvedStage(async (chain) => {
    await chain.rounds(2);
    for (const amount of [1n, 2n, 3n]) {
      await chain.send(chain.wallet(0), { to: chain.wallet(1).address, amount: amount * 1_000_000_000n });
      await chain.rounds(2);
    }
  });
  [sender, receiver] = [0, 1].map((index) => formatRawAddress(stage.chain.wallet(index).address)) as [string, string];
});

afterAll(() => stage?.close());

/** A client that checks proofs; its server may change what it sends. The chain has a time of its own. */
function openClient(lie: (answer: Json) => Json = (answer) => answer) {
  const verify = { trust: trustOf(stage.start), maxAge: Number.POSITIVE_INFINITY };
  const lying: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    const body = parseJson(await response.text(), { maxLength: 1 << 26 });
    const text = formatJson(response.ok ? lie(body as Json) : body);
    return new Response(text, { status: response.status, headers: response.headers });
  };
  return createV3Client(stage.base, { verify, fetch: lying });
}

const methodOf = (client: object, name: string) => Object(client)[name] as (args: JsonInput) => Promise<Json>;

describe("a client of v3 that checks proofs", () => {
  it("resolves with the proved part of each answer, as the verifier has it", async () => {
    const client = openClient();
    for (const [name, args] of [
      ["transactions", { account: [sender], limit: 3 }],
      ["traces", { account: receiver, limit: 2 }],
      ["blocks", { workchain: 0, limit: 2 }],
      ["accountStates", { address: [sender, receiver] }],
      ["walletStates", { address: [sender] }],
    ] as const) {
      const query = Object.entries(args).flatMap(([key, value]) =>
        (Array.isArray(value) ? value : [value]).map((each) => `${key}=${each}`),
      );
      const path = `${name}?${query.join("&")}`;
      const { body } = await stage.ask(`${path}&proof=1&proof_since=0`);
      const proved = await stage.check(path, { result: body.result, proof: body.proof });
      expect([name, await methodOf(client, name)(args as JsonInput)]).toEqual([name, proved]);
    }
  });

  it("resolves with whole answers that are computed from the chain or from the arguments", async () => {
    const [client, plain] = [openClient(), createV3Client(stage.base)];
    const call = { address: sender, method: "seqno", stack: [] };
    expect(await client.runGetMethod(call)).toEqual(await plain.runGetMethod(call));
    const asked = { opcodes: ["0x0f8a7ea5"], bodies: [] };
    expect(await client.decode(asked)).toEqual(await plain.decode(asked));
  });

  it("reads all pages of a list, also where the last one is full", async () => {
    for (const limit of [2, 3]) {
      const plain = createV3Client(stage.base);
      const list = { account: [sender], limit };
      const [hashes, proved]: [unknown[], unknown[]] = [[], []];
      for await (const { hash } of plain.pages("transactions", list)) hashes.push(hash);
      for await (const { hash } of openClient().pages("transactions", list)) proved.push(hash);
      expect([limit, proved]).toEqual([limit, hashes]);
      expect(hashes.length).toBeGreaterThanOrEqual(3);
    }
  });

  it("refuses answers without proof, with another value, and empty lists", async () => {
    const list = { account: [sender], limit: 2 };
    const withoutProof = openClient(({ result }) => ({ result: result ?? null }));
    await expect(withoutProof.transactions(list)).rejects.toMatchObject({
      code: "verify/no-proof",
      message: expect.stringContaining("transactions: the server sent no proof"),
    });
    const bare = openClient(({ result }) => result as Json);
    await expect(bare.transactions(list)).rejects.toMatchObject({ code: "verify/no-proof" });
    const richer = openClient(
      (answer) => parseJson(formatJson(answer).replace(/"total_fees":"/g, '"total_fees":"1')) as Json,
    );
    await expect(richer.transactions(list)).rejects.toMatchObject({
      code: "verify/changed",
      message: expect.stringMatching(
        /^transactions: the server sent a result that its own proof contradicts \(.*total_fees/,
      ),
    });
    await expect(openClient().transactions({ account: [sender], start_lt: 9_999_999_999_999 })).rejects.toMatchObject({
      code: "verify/empty",
      message: "transactions: this answer has no proof: there is nothing to prove in an empty list",
    });
  });

  it("says why a server has no proof of an answer, and what would have one", async () => {
    await expect(openClient().transactions({ mc_seqno: 2 })).rejects.toMatchObject({
      code: "verify/not-covered",
      message:
        "transactions: this answer has no proof: no transaction says which masterchain block commits it; name its workchain, shard and seqno",
    });
  });

  it("throws the reason of every operation that nothing proves, and asks nothing", async () => {
    const client = openClient(() => {
      throw new Error("asked");
    });
    for (const { name, proof } of v3Endpoints) {
      if (proof.by !== "nothing" || proof.isWrite) continue;
      await expect(methodOf(client, name)({}), name).rejects.toMatchObject({
        code: "verify/not-covered",
        message: `${name} has no proof: ${proof.reason}`,
      });
    }
    for (const name of ["watch", "sendAndWait"]) {
      const call = async () => methodOf(client, name)("");
      await expect(call()).rejects.toMatchObject({
        code: "verify/not-covered",
        message: `${name}: a stream has no proof; transactions and traces have`,
      });
    }
  });

  it("is told that a server is behind the block of its store", async () => {
    const { seqno, rootHash, fileHash } = stage.chain.net.ledger.headId;
    const network = nameOfNetwork(stage.start.zeroState);
    const text = JSON.stringify({ network, seqno: seqno + 5, rootHash, fileHash });
    const store = { load: () => text, save: () => {} };
    const client = createV3Client(stage.base, { verify: { trust: trustOf(stage.start), store } });
    await expect(client.transactions({ account: [sender] })).rejects.toMatchObject({ code: "verify/behind" });
  });

  it("sends messages as they are, because nothing proves that they arrive", async () => {
    await expect(openClient().message({ boc: "te6cckEBAQEAAgAAAEysuc0=" })).rejects.toMatchObject({
      code: "api/refused",
    });
  });
});
