import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServedProcess, serveProcess } from "../../../kit/api/servedProcess.ts";
import { type CompiledApp, compileApp } from "../../../kit/suite/compiledApp.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { openPostgres } from "../../../src/history/store/engine/postgres/openPostgres.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { type Random, seededRandom } from "../../../src/lib/random.ts";
import { type EventMark, type Known, listExpected, listKnown, markOf } from "../../kit/api/stream/expectedEvents.ts";
import { type Piece, readPiece } from "../../kit/api/stream/readPiece.ts";
import type { StreamJson } from "../../kit/api/stream/streamClients.ts";
import { freshUrl, quietModules } from "../../kit/history/database.ts";
import { openIndexStage } from "../../kit/history/indexStage.ts";
import { type ServedGrowth, serveGrowth } from "../../kit/history/killedIndexer.ts";
import { importSplitChain } from "../../kit/localnet/splitChain.ts";
import { repeats } from "../../kit/suite/everything.ts";
import "../../kit/suite/longRun.ts";

const lastSeqno = 40;
const readers = repeats({ usual: 2, all: 4 });
/** Blocks until one of the servers is killed. */
const life = repeats({ usual: 20, all: 8 });
const never = new AbortController().signal;
const types = ["transactions", "actions", "account_state_change", "jettons_change", "blocks"];

let app: CompiledApp;
let folder: string;
let chain: ServedGrowth;
let url: string;
let database: Database;
let known: Known;

beforeAll(async () => {
  app = await compileApp();
  folder = mkdtempSync(join(tmpdir(), "tongate-killed-stream-"));
  chain = await serveGrowth(folder, "chain");
  url = await freshUrl();
  database = await openPostgres(url, quietModules);
  const stage = await openIndexStage(importSplitChain());
  await stage.indexer({}).run(never);
  known = await listKnown(stage.database);
  await stage.close();
});

const servers: Server[] = [];

afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  await database?.close();
  await chain?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A server that writes the index or only reads it; it is killed and restarted. */
class Server {
  readonly #name: string;
  readonly #role: "--index" | "--no-index";
  #process: ServedProcess | undefined;

  constructor(name: string, role: "--index" | "--no-index") {
    this.#name = name;
    this.#role = role;
  }

  get origin(): string | undefined {
    return this.#process?.origin;
  }

  async start(): Promise<void> {
    const place = ["--network", chain.config, "--trust", "--data", join(folder, this.#name), "--database", url];
    const flags = [...place, this.#role, "--from", "genesis", "--limits", "off", "--log-level", "error"];
    this.#process = await serveProcess(app, [...flags, "--max-head-age-ms", "86400000"]);
  }

  async kill(): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    await running?.kill();
  }

  async stop(): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    expect(await running?.stop()).toBe(0);
  }
}

function pick<T>(random: Random, from: readonly T[]): T {
  const found = from[random.int(from.length)];
  if (found === undefined) throw new Error("there is nothing to pick from");
  return found;
}

const isLast = (event: StreamJson) => event.type === "blocks" && Object(event.mc_block).seqno === lastSeqno;

/** The events of one client over all its connections, and their number. */
interface Heard {
  readonly marks: readonly EventMark[];
  readonly texts: readonly string[];
  readonly connections: number;
  readonly servers: number;
}

/** Reads to the last block from any running server, with random transports and speeds. */
async function wander(random: Random, wanted: Known, servers: readonly Server[]): Promise<Heard> {
  const subscription = {
    ...{ types: wanted.traces.length > 0 ? [...types, "trace"] : types, addresses: wanted.accounts, cursor: true },
    ...(wanted.traces.length > 0 && { trace_external_hash_norms: wanted.traces }),
  };
  const events: StreamJson[] = [];
  const origins = new Set<string>();
  let cursor: string | undefined;
  let connections = 0;
  while (!events.some(isLast)) {
    const { origin } = pick(random, servers);
    if (origin === undefined) {
      await systemClock.sleep(20);
      continue;
    }
    const transport = pick(random, ["post", "get", "ws"] as const);
    const max = transport === "ws" ? 1 + random.int(20) : 1 + random.int(30_000);
    const body = { ...subscription, ...(cursor === undefined ? { from_mc_seqno: 1 } : { after: cursor }) };
    const pauseMs = pick(random, [0, 0, 5, 60]);
    const piece: Piece = await readPiece({ ...{ origin, transport, max, pauseMs, body, isLast } });
    events.push(...piece.events.filter(({ type }) => type !== "replay_finished" && type !== "progress"));
    cursor = piece.cursor ?? cursor;
    connections += 1;
    if (piece.events.length > 0) origins.add(origin);
  }
  return {
    marks: events.map(markOf),
    texts: events.map((event) => JSON.stringify(event)),
    connections,
    servers: origins.size,
  };
}

describe("streams of several processes over one PostgreSQL", () => {
  it("deliver every event once and in order, whatever is killed, cut, slow or moved", async () => {
    const random = seededRandom("streams");
    servers.push(new Server("writer", "--index"), new Server("second", "--no-index"), new Server("third", "--index"));
    await Promise.all(servers.map((server) => server.start()));
    const subset = (of: readonly string[]) => of.filter(() => random.int(3) === 0).slice(0, 12);
    const wanted = Array.from({ length: readers }, () => ({
      accounts: [pick(random, known.accounts), ...subset(known.accounts)].filter(
        (each, at, all) => all.indexOf(each) === at,
      ),
      traces: subset(known.traces),
    }));
    const reading = Promise.all(wanted.map((each, at) => wander(seededRandom(`reader ${at}`), each, servers)));
    let kills = 0;
    for (let seqno = 1; seqno <= lastSeqno; seqno++) {
      chain.growTo(seqno);
      await systemClock.sleep(random.int(repeats({ usual: 200, all: 400 })));
      if (seqno % life !== 0) continue;
      const server = pick(random, servers);
      await server.kill();
      kills += 1;
      await server.start();
    }
    const received = await reading;
    for (const [at, each] of wanted.entries())
      expect(received[at]?.marks, `reader ${at}`).toEqual(await listExpected(database, each));
    expect(kills).toBe(lastSeqno / life);
    // Without cuts and moves the test would prove nothing.
    for (const { connections, servers: met } of received) {
      expect(connections).toBeGreaterThan(5);
      expect(met).toBeGreaterThan(2);
    }
    // The same event has the same bytes, whoever sent it and when.
    const again = await Promise.all(wanted.map((each, at) => wander(seededRandom(`again ${at}`), each, servers)));
    expect(again.map(({ texts }) => texts)).toEqual(received.map(({ texts }) => texts));
    for (const server of servers) await server.stop();
  });
});
