import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { Address } from "@ton/core";
import { LiteClient, LiteSingleEngine } from "ton-lite-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readLiteExchanges } from "../../../kit/lite/liteExchanges.ts";
import { fromBase64, fromHex, toHex } from "../../../src/lib/bytes.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { systemRandom } from "../../../src/lib/random.ts";
import { AdnlServer } from "../../../src/lite/adnl/AdnlServer.ts";
import { LiteError } from "../../../src/lite/errors.ts";
import { decodeAnswer, findServerError } from "../../../src/lite/server/LiteServer.ts";
import { Replayer } from "../../../src/lite/server/Replayer.ts";
import { serveLite } from "../../../src/lite/server/serveLite.ts";
import { getAccountState, getAllShardsInfo, getMasterchainInfo } from "../../../src/lite/tl/liteQueries.ts";
import { decodeQuery, unwrapQuery } from "../../../src/lite/tl/queryEnvelope.ts";
import type { TlQuery } from "../../../src/lite/tl/record.ts";
import { isBad } from "../../kit/lite/checkExchange.ts";

const fixture = "test/fixtures/realnet/lite-answers.jsonl.gz";

/** The recorded queries of one kind with their answers. */
function recorded<Q, A>(query: TlQuery<Q, A>): { readonly args: Q; readonly answer: A }[] {
  return readLiteExchanges(fixture)
    .filter((exchange) => !isBad(exchange))
    .map(({ request, response }) => ({
      request: decodeQuery(unwrapQuery(fromHex(request))),
      answer: fromBase64(response ?? ""),
    }))
    .filter(({ request, answer }) => request.query === query && request.wait === undefined && !findServerError(answer))
    .map(({ request, answer }) => ({ args: request.args as Q, answer: decodeAnswer(query, answer) }));
}

function blockOf(id: { workchain: number; shard: bigint; seqno: number; rootHash: Uint8Array; fileHash: Uint8Array }) {
  const { workchain, shard, seqno, rootHash, fileHash } = id;
  return {
    workchain,
    shard: shard.toString(),
    seqno,
    rootHash: Buffer.from(rootHash),
    fileHash: Buffer.from(fileHash),
  };
}

describe("ton-lite-client, an independent client,", () => {
  let server: AdnlServer;
  let engine: LiteSingleEngine;
  let client: LiteClient;

  beforeAll(async () => {
    const replayer = new Replayer(gunzipSync(readFileSync(fixture)).toString("utf8"));
    const modules = { clock: systemClock, random: systemRandom, handler: serveLite(replayer, systemClock) };
    server = await AdnlServer.open({ host: "127.0.0.1", port: 0, seeds: [systemRandom.bytes(32)] }, modules);
    const publicKey = Buffer.from(server.publicKeys[0] ?? []);
    engine = new LiteSingleEngine({ host: `tcp://127.0.0.1:${server.port}`, publicKey });
    await new Promise((resolve) => engine.once("ready", resolve));
    client = new LiteClient({ engine });
  });

  afterAll(() => {
    engine.close();
    server.destroy(new LiteError("lite/closed", "the test is over"));
  });

  it("gets the masterchain's head from our server", async () => {
    const { last, stateRootHash } = await client.getMasterchainInfo();
    const [known] = recorded(getMasterchainInfo);
    expect({ ...last, kind: undefined }).toEqual({ ...blockOf(known?.answer.last ?? fail()), kind: undefined });
    expect(toHex(stateRootHash)).toBe(toHex(known?.answer.stateRootHash ?? fail()));
  });

  it("gets account states, many at once", async () => {
    const states = recorded(getAccountState);
    expect(states.length).toBeGreaterThan(8);
    await Promise.all(
      states.map(async ({ args, answer }) => {
        const address = new Address(args.account.workchain, Buffer.from(args.account.id));
        const state = await client.getAccountStateRaw(address, blockOf(args.id));
        expect(toHex(state.raw)).toBe(toHex(answer.state));
        expect(toHex(state.proof)).toBe(toHex(answer.proof));
      }),
    );
  });

  it("gets the shards of a block", async () => {
    const [known] = recorded(getAllShardsInfo);
    const shards = await client.getAllShardsInfo(blockOf(known?.args.id ?? fail()));
    expect(shards.id.seqno).toBe(known?.args.id.seqno);
    expect(Object.keys(shards.shards)).not.toHaveLength(0);
  });

  it("gets the time, the version, and an error if there is one", async () => {
    expect(await client.getCurrentTime()).toBeGreaterThan(0);
    expect(await client.getVersion()).toMatchObject({ mode: 0, version: 257, capabilities: "15" });
    const nowhere = { seqno: 1, shard: "0", workchain: 7, rootHash: Buffer.alloc(32), fileHash: Buffer.alloc(32) };
    await expect(client.getAccountStateRaw(Address.parseRaw(`0:${"00".repeat(32)}`), nowhere)).rejects.toThrow(
      "the recording does not contain the query",
    );
  });
});

function fail(): never {
  throw new Error("not recorded");
}
