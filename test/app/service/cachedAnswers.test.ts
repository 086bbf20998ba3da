import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { v3Api } from "../../../src/api/v3/envelope.ts";
import { v3Endpoints } from "../../../src/api/v3/list.ts";
import { nftCollections } from "../../../src/history/entities/nftCollections.ts";
import { contractHistory, History } from "../../../src/history/queries/kit/History.ts";
import { DeferredDatabase } from "../../../src/history/store/engine/DeferredDatabase.ts";
import * as serviceTables from "../../../src/history/store/schema/serviceTables.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import { makeAddress } from "../../../src/model/Address.ts";
import { openApiServer, quietLog, type TestServer } from "../../kit/api/apiServer.ts";
import { raw, sameDigits } from "../../kit/api/v3/v3Stage.ts";
import { commitBatch } from "../../kit/history/commitBatch.ts";
import { openFresh } from "../../kit/history/database.ts";
import { batchOf } from "../../kit/history/databaseRows.ts";
import { loadRows } from "../../kit/history/loadRows.ts";

const collection = makeAddress(0, sameDigits("c"));

let late: DeferredDatabase;
let server: TestServer;
/** Number of reads from the index. */
let reads = 0;

beforeAll(async () => {
  const modules = { clock: systemClock, random: seededRandom("kept"), log: quietLog };
  late = new DeferredDatabase({ kind: "postgres", open: () => openFresh("postgres") }, modules);
  await late.start(100_000);
  const counted: DeferredDatabase["read"] = (work, options) => {
    reads++;
    return late.read(work, options);
  };
  const history = new History(contractHistory, { database: { read: counted } });
  server = await openApiServer(v3Api, { history }, { head: () => late.changes });
});

afterAll(async () => {
  await server?.close();
  await late?.close();
});

interface Asked {
  readonly body: unknown;
  /** Number of index reads for this answer. */
  readonly reads: number;
}

async function ask(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Asked> {
  const before = reads;
  const response = await fetch(`${server.origin}/api/v3/${path}`, { headers });
  expect(response.headers.get("server-timing")).toMatch(/^app;dur=/);
  return { body: await response.json(), reads: reads - before };
}

const nothing = { is_indexed: false, token_info: [{ type: "nft_collections" }] };

describe("answers from the index", () => {
  it("are not cached while another process may write it", async () => {
    for (let time = 0; time < 2; time++) expect(await ask("blocks")).toEqual({ body: { blocks: [] }, reads: 1 });
  });

  it("are cached while only this process writes it, until it does", async () => {
    const lock = await late.lockWriter();
    expect([(await ask("blocks")).reads, (await ask("blocks")).reads]).toEqual([1, 0]);
    // The same request in another form, and a different one.
    expect([(await ask("blocks?limit=10")).reads, (await ask("blocks?sort=asc")).reads]).toEqual([1, 1]);
    await commitBatch(late, batchOf(1), { firstSeqno: 1 });
    expect([(await ask("blocks")).reads, (await ask("blocks")).reads]).toEqual([1, 0]);
    await lock.release();
    expect([(await ask("blocks")).reads, (await ask("blocks")).reads]).toEqual([1, 1]);
  });

  it("show new metadata of a token at once", async () => {
    const lock = await late.lockWriter();
    const path = `metadata?address=${collection}`;
    const state = { codeHash: sameDigits("1"), dataHash: sameDigits("2"), lastTransactionLt: 5n };
    const row = { ...state, address: collection, id: 1n, nextItemIndex: 0n };
    const more = { ownerAddress: undefined, collectionContent: undefined };
    await late.write((session) => loadRows(session, nftCollections, [{ ...row, ...more }]));
    expect(await ask(path)).toEqual({ body: { [raw(collection)]: nothing }, reads: 1 });
    expect((await ask(path)).reads).toBe(0);
    const fetched = { attempts: 1, updatedAt: 1, expiresAt: undefined, nextAttemptAt: undefined, extra: undefined };
    const reported = { name: "Cats", description: undefined, symbol: undefined, image: undefined };
    const type = "nft_collections" as const;
    await late.write((session) =>
      loadRows(session, serviceTables.addressMetadata, [
        { ...fetched, ...reported, address: collection, type, valid: true },
      ]),
    );
    expect((await ask(path)).body).toEqual({
      [raw(collection)]: { is_indexed: true, token_info: [expect.objectContaining({ name: "Cats" })] },
    });
    await lock.release();
  });

  it("are not cached if they are errors, or if the index is watched", async () => {
    const lock = await late.lockWriter();
    for (let time = 0; time < 2; time++) {
      expect(await ask("masterchainBlockShards?seqno=5")).toMatchObject({ body: { code: 404 }, reads: 1 });
      expect((await ask("blocks?limit=7", { "X-Debug-Request": "1" })).reads).toBe(1);
    }
    await lock.release();
  });
});

describe("cacheable requests", () => {
  it("are all from the index, and none about pending messages or the current chain", () => {
    const rules = v3Endpoints.map(({ name, cache }) => [name, cache({ x_debug_request: false } as never)] as const);
    expect(rules.filter(([, rule]) => rule !== "head")).toEqual([
      ["pendingActions", "none"],
      ["pendingTraces", "none"],
      ["pendingTransactions", "none"],
      ["dns/activeAuctions", "none"],
      ["decode", "forever"],
      // ABIs are added while a server runs.
      ["contract", "none"],
      ["decodeContract", "none"],
      ["encodeContract", "none"],
      ["account", "none"],
      ["addressInformation", "none"],
      ["estimateFee", "none"],
      ["message", "none"],
      ["runGetMethod", "none"],
      ["wallet", "none"],
      ["walletInformation", "none"],
    ]);
  });
});
