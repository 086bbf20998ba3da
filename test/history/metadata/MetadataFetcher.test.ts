import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { jettonMasters } from "../../../src/history/entities/jettonMasters.ts";
import { type FetcherOptions, MetadataFetcher } from "../../../src/history/metadata/MetadataFetcher.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import * as serviceTables from "../../../src/history/store/schema/serviceTables.ts";
import type { Clock } from "../../../src/lib/clock.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import type { JsonObject } from "../../../src/lib/json.ts";
import { openLog } from "../../../src/lib/log.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import { type Address, makeAddress } from "../../../src/model/Address.ts";
import { sameDigits } from "../../kit/api/v3/v3Stage.ts";
import { enginesOfTables, openFresh } from "../../kit/history/database.ts";
import { emptyAll, readTable } from "../../kit/history/databaseRows.ts";
import { type DocumentServer, openDocumentServer } from "../../kit/history/documentServer.ts";
import { loadRows } from "../../kit/history/loadRows.ts";

const bare = { codeHash: sameDigits("1"), dataHash: sameDigits("2"), lastTransactionLt: 5n };
const account = (number: number): Address =>
  makeAddress(0, sameDigits("0").slice(4).concat(String(number).padStart(4, "0")) as never);

describe.each(enginesOfTables)("metadata of tokens in %s", (engine) => {
  let database: Database;
  let server: DocumentServer;
  let nowSeconds = 1_000_000;
  /** The test sets the Unix time; waits are real and short. */
  const clock: Clock = { ...systemClock, now: () => nowSeconds * 1000 };

  beforeAll(async () => {
    database = await openFresh(engine);
    server = await openDocumentServer((request, response) => {
      const path = request.url ?? "";
      if (path.startsWith("/bad")) response.writeHead(500).end();
      else response.end(JSON.stringify({ name: `document ${path}`, at: path }));
    });
  });
  beforeEach(() => emptyAll(database));
  afterAll(async () => {
    await server.close();
    await database.close();
  });

  async function loadMasters(contents: readonly (JsonObject | undefined)[]): Promise<void> {
    const rows = contents.map((jettonContent, at) => ({
      ...{ ...bare, address: account(at), id: BigInt(at), totalSupply: 1n, mintable: true, adminAddress: undefined },
      ...{ jettonContent, jettonWalletCodeHash: sameDigits("3") },
    }));
    await database.write((session) => loadRows(session, jettonMasters, rows));
  }

  const link = (path: string) => `http://tokens.example:${server.port}${path}`;

  async function run(options: Partial<FetcherOptions>, until: () => Promise<boolean>, wanted: readonly number[]) {
    const modules = {
      ...{ database, clock, random: seededRandom("metadata"), log: openLog({ level: "silent" }) },
      ...{ allows: () => true, resolve: async () => ["127.0.0.1"] },
    };
    const fetcher = new MetadataFetcher(modules, {
      ...{ documents: "fetched", ipfsGateway: "https://gate.example/ipfs", lookEveryMs: 10 },
      ...options,
    });
    const stop = new AbortController();
    const running = fetcher.run(stop.signal);
    fetcher.want(wanted.map((at) => ({ address: account(at), type: "jetton_masters" })));
    while (!(await until())) await systemClock.sleep(5);
    stop.abort();
    await running;
    return fetcher;
  }

  const stored = () => readTable(database, serviceTables.addressMetadata);
  const hasRows = (count: number) => async () => (await stored()).length >= count;

  it("come from the chain, from documents, or not at all", async () => {
    await loadMasters([
      { symbol: "CN", name: "Coin", decimals: "9" },
      { uri: link("/coin.json"), symbol: "TWO" },
      { uri: link("/bad") },
      { uri: "ftp://example.org" },
      { uri: link("/bad"), symbol: "ALONE" },
      undefined,
    ]);
    await run({}, hasRows(6), [0, 1, 2, 3, 4, 5]);
    const rows = (await stored()).map(({ valid, name, symbol, extra, attempts, nextAttemptAt, expiresAt }) => [
      ...[valid, name, symbol, extra, attempts],
      ...[nextAttemptAt === undefined ? "no more" : "again", expiresAt === undefined ? "for good" : "expires"],
    ]);
    expect(rows).toEqual([
      [true, "Coin", "CN", { decimals: "9" }, 0, "no more", "expires"],
      [true, "document /coin.json", "TWO", { uri: link("/coin.json"), at: "/coin.json" }, 0, "no more", "expires"],
      [false, undefined, undefined, undefined, 1, "again", "for good"],
      [false, undefined, undefined, undefined, 1, "no more", "for good"],
      [true, undefined, "ALONE", { uri: link("/bad") }, 1, "again", "for good"],
      [false, undefined, undefined, undefined, 1, "no more", "for good"],
    ]);
  });

  it("are retried when due, refreshed when they expire, and kept while a refresh fails", async () => {
    await loadMasters([{ uri: link("/bad") }, { uri: link("/coin.json") }]);
    await run({}, hasRows(2), [0, 1]);
    const mend = "update jetton_masters set jetton_content = jsonb_build_object('uri', $1::text) where id = $2";
    await database.write((session) => session.query(mend, [link("/mended"), 0]));
    await database.write((session) => session.query(mend, [link("/bad"), 1]));
    nowSeconds += 30 * 86_400;
    const names = async () => (await stored()).map(({ name, valid, attempts }) => [name, valid, attempts]);
    const isDone = async () => (await stored()).every(({ attempts }, at) => attempts === at);
    await run({}, isDone, []);
    expect(await names()).toEqual([
      ["document /mended", true, 0],
      ["document /coin.json", true, 1],
    ]);
  });

  it("of on-chain content alone need no request", async () => {
    await loadMasters([{ symbol: "CN", uri: link("/never") }, { uri: link("/never") }, { symbol: "X" }]);
    await run({ documents: "onchain" }, hasRows(2), [0, 1, 2]);
    expect((await stored()).map(({ symbol, valid }) => [symbol, valid])).toEqual([
      ["CN", true],
      ["X", true],
    ]);
    expect(server.asked).not.toContain("/never");
  });

  it("are fetched a few at a time", async () => {
    await loadMasters(Array.from({ length: 60 }, (_, at) => ({ uri: link(`/many/${at}`) })));
    const fetcher = await run(
      { perHost: 2 },
      hasRows(60),
      Array.from({ length: 60 }, (_, at) => at),
    );
    expect(server.max()).toBeLessThanOrEqual(2);
    expect(fetcher.counters()).toEqual({ waiting: 0, running: 0, fetched: 60, failed: 0 });
  });
});
