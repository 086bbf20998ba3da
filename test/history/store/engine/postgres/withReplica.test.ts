import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  abandonPostgres,
  type PostgresServer,
  postgresUrl,
  startPostgres,
  startReplica,
  stopPostgres,
} from "../../../../../kit/history/postgres/postgresServer.ts";
import { v3Api } from "../../../../../src/api/v3/envelope.ts";
import { ChangeWatch } from "../../../../../src/history/events/ChangeWatch.ts";
import { contractHistory, History } from "../../../../../src/history/queries/kit/History.ts";
import type { Database } from "../../../../../src/history/store/Database.ts";
import { DeferredDatabase } from "../../../../../src/history/store/engine/DeferredDatabase.ts";
import { openPostgres } from "../../../../../src/history/store/engine/postgres/openPostgres.ts";
import { withReplica } from "../../../../../src/history/store/engine/postgres/withReplica.ts";
import { migrate } from "../../../../../src/history/store/migrate/migrate.ts";
import * as tables from "../../../../../src/history/store/schema/tables.ts";
import { seededRandom } from "../../../../../src/lib/random.ts";
import { openApiServer, type TestServer } from "../../../../kit/api/apiServer.ts";
import { sameDigits } from "../../../../kit/api/v3/v3Stage.ts";
import { quietModules } from "../../../../kit/history/database.ts";
import { loadRows } from "../../../../kit/history/loadRows.ts";

const patience = { timeout: 300_000, interval: 100 };
const folders: string[] = [];
const servers: PostgresServer[] = [];

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "replica-"));
  folders.push(folder);
  return folder;
}

const flags = { afterMerge: false, beforeSplit: false, afterSplit: false, wantMerge: false, wantSplit: false };
const numbers = { globalId: 1, version: 0, flags: 0, validatorListHashShort: 0, vertSeqno: 0, masterRefSeqno: 0 };
const rests = { minRefMcSeqno: 0, prevKeyBlockSeqno: 0, genCatchainSeqno: 0, txCount: 0, prevBlocks: [] };

/** A masterchain block every second, as an index commits it. */
async function commit(database: Database, seqno: number): Promise<void> {
  await database.write(async (session) => {
    const lt = BigInt(seqno) * 1_000_000n;
    await loadRows(session, tables.blocks, [
      {
        ...{ ...flags, ...numbers, ...rests, workchain: -1, shard: 1n << 63n, seqno, mcBlockSeqno: seqno },
        ...{
          rootHash: sameDigits("a"),
          fileHash: sameDigits("b"),
          randSeed: sameDigits("c"),
          createdBy: sameDigits("d"),
        },
        ...{ keyBlock: false, vertSeqnoIncr: false, genUtime: 1_000 + seqno, startLt: lt, endLt: lt + 5n },
      },
    ]);
    await session.query("delete from segments");
    await session.query("insert into segments values (1, $1::int)", [seqno + 1]);
  });
}

interface Asked {
  readonly status: number;
  readonly newest: unknown;
  readonly seqno: string | null;
}

async function newestBlock(server: TestServer, headers: Readonly<Record<string, string>> = {}): Promise<Asked> {
  const response = await fetch(`${server.origin}/api/v3/blocks?limit=1&sort=desc`, { headers });
  const body = Object(await response.json());
  return { status: response.status, newest: body.blocks?.[0]?.seqno, seqno: response.headers.get("x-index-seqno") };
}

let primary: Database;
let primaryServer: PostgresServer;

beforeAll(async () => {
  primaryServer = await startPostgres(newFolder());
  servers.push(primaryServer);
  const first = await openPostgres(postgresUrl(primaryServer, "postgres"), quietModules);
  await migrate(first, quietModules);
  await commit(first, 1);
  await first.close();
});

afterAll(() => {
  for (const server of servers) abandonPostgres(server);
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A service whose requests a replica answers; counts what the replica was asked. */
async function openService(settings: readonly string[]) {
  const replicaServer = await startReplica(primaryServer, newFolder(), settings);
  servers.push(replicaServer);
  primary = await openPostgres(postgresUrl(primaryServer, "postgres"), quietModules);
  const replica = await openPostgres(postgresUrl(replicaServer, "postgres"), quietModules);
  const counts = { replica: 0, reads: 0 };
  const counted: Database = {
    ...{ kind: replica.kind, query: replica.query.bind(replica), write: replica.write.bind(replica) },
    ...{ runAlone: replica.runAlone.bind(replica), lockWriter: replica.lockWriter.bind(replica) },
    read: (work, options) => {
      counts.replica++;
      return replica.read(work, options);
    },
    close: () => replica.close(),
  };
  const modules = { ...quietModules, random: seededRandom("replica") };
  const open = async () => withReplica(primary, counted, quietModules);
  const late = new DeferredDatabase({ kind: "postgres", open }, modules);
  await late.start(100_000);
  const watch = new ChangeWatch({ database: late, clock: quietModules.clock });
  const read: DeferredDatabase["read"] = (work, options) => {
    counts.reads++;
    return late.read(work, options);
  };
  const history = new History(contractHistory, { database: { read } });
  const server = await openApiServer(v3Api, { history }, { head: () => late.changes });
  const close = async () => {
    await server.close();
    await watch.close();
    await late.close();
  };
  return { counts, server, late, replicaServer, close };
}

describe("a replica that follows closely", () => {
  let service: Awaited<ReturnType<typeof openService>>;
  beforeAll(async () => {
    service = await openService([]);
  });
  afterAll(() => service?.close());

  it("answers requests", async () => {
    await commit(primary, 2);
    await expect.poll(() => newestBlock(service.server), patience).toEqual({ status: 200, newest: 2, seqno: null });
    await expect.poll(() => service.counts.replica, patience).toBeGreaterThan(0);
  });

  it("lets answers be cached in a process that does not write, until something changes", async () => {
    const { counts, server } = service;
    const ask = async () => {
      const before = counts.reads;
      await newestBlock(server);
      return counts.reads - before;
    };
    // A look at the tables may come between; most of many requests find the answer.
    const misses = async () => {
      let sum = 0;
      for (let time = 0; time < 50; time++) sum += await ask();
      return sum;
    };
    await expect.poll(misses, patience).toBeLessThan(10);
    await commit(primary, 3);
    await expect.poll(async () => (await newestBlock(server)).newest, patience).toBe(3);
  });

  it("never shows an older state to a client that sends the block it has seen", async () => {
    for (let seqno = 4; seqno < 24; seqno++) {
      await commit(primary, seqno);
      const seen = await newestBlock(service.server, { "x-seen-seqno": String(seqno) });
      expect(seen).toEqual({ status: 200, newest: seqno, seqno: String(seqno) });
    }
  });

  it("waits for a block that no server has, and then reports it", async () => {
    const path = `${service.server.origin}/api/v3/blocks?x_seen_seqno=1000&x_timeout=300`;
    const response = await fetch(path);
    expect([response.status, Object(await response.json()).error]).toEqual([
      503,
      "the index has block 23, the request needs block 1000; try again in a moment",
    ]);
  });

  it("is replaced by the primary while it is away", async () => {
    await stopPostgres(service.replicaServer);
    expect((await newestBlock(service.server)).newest).toBe(23);
    await commit(primary, 24);
    await expect.poll(async () => (await newestBlock(service.server)).newest, patience).toBe(24);
  });
});

describe("a replica that lags 30 s", () => {
  let service: Awaited<ReturnType<typeof openService>>;
  beforeAll(async () => {
    service = await openService(["recovery_min_apply_delay=30s"]);
  });
  afterAll(() => service?.close());

  it("is not used: the primary answers", async () => {
    for (let seqno = 30; seqno < 45; seqno++) await commit(primary, seqno);
    await expect.poll(async () => (await newestBlock(service.server)).newest, patience).toBe(44);
    const before = service.counts.replica;
    for (let seqno = 45; seqno < 65; seqno++) {
      await commit(primary, seqno);
      const seen = await newestBlock(service.server, { "x-seen-seqno": String(seqno) });
      expect(seen).toEqual({ status: 200, newest: seqno, seqno: String(seqno) });
    }
    expect(service.counts.replica).toBe(before);
  });
});
