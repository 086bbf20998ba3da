import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { openAccess } from "../src/api/access/Gatekeeper.ts";
import type { StreamBlock } from "../src/api/stream/StreamBlock.ts";
import { StreamHub } from "../src/api/stream/StreamHub.ts";
import { StreamLimits } from "../src/api/stream/StreamLimits.ts";
import { serveSse } from "../src/api/stream/serveSse.ts";
import { systemClock } from "../src/lib/clock.ts";
import { openLog } from "../src/lib/log.ts";
import { zeroHash } from "../src/model/Hash.ts";
import type { Benchmark, Measured } from "./kit.ts";
import type { ReadersAnswer, ReadersOrder } from "./streaming/messages.ts";

const group = "streaming";
/** The size of a block event on a real chain. */
const blockJson = JSON.stringify({ filler: "x".repeat(900) });

function makeBlock(mcSeqno: number): StreamBlock {
  const nothing = { traces: [], open: [], states: [], jettons: [], accounts: new Set<never>() };
  const kinds = { jettonMasters: new Set<never>(), codeHashes: new Set<never>() };
  return { mcSeqno, utime: mcSeqno, ...nothing, ...kinds, block: { json: blockJson, transactions: 0 } };
}

/** A hub over a synthetic index, served over HTTP, and readers in their own process. */
class Stage {
  readonly #listeners = new Set<(extent: { first: number; last: number }) => void>();
  readonly #hub: StreamHub;
  readonly #server: Server;
  readonly #readers: ChildProcess;
  #last = 1;

  constructor() {
    const log = openLog({ level: "silent" });
    this.#hub = new StreamHub({
      ...{ zeroState: zeroHash, clock: systemClock, log },
      source: {
        extent: () => ({ first: 1, last: this.#last }),
        onExtent: (listener) => {
          this.#listeners.add(listener);
          return () => this.#listeners.delete(listener);
        },
        readBlock: async (mcSeqno) => makeBlock(mcSeqno),
        describe: async () => ({ book: new Map(), metadata: new Map() }),
        listPending: () => [],
      },
    });
    const limits = new StreamLimits(new Map(), { connections: 0, addresses: 0, all: false });
    const modules = {
      hub: this.#hub,
      limits,
      mayAskForAll: true,
      clock: systemClock,
      log,
      access: openAccess,
      trustedProxies: [],
    };
    this.#server = createServer((request, response) => void serveSse(request, response, modules));
    this.#readers = fork(join(import.meta.dirname, "streaming", "readersProcess.js"), [], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
  }

  async open(count: number, isReading = true): Promise<void> {
    if (!this.#server.listening) await once(this.#server.listen(0, "127.0.0.1"), "listening");
    const address = this.#server.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    await this.#order({ kind: "open", port, count, isReading });
  }

  grow(): void {
    this.#last += 1;
    for (const listener of this.#listeners) listener({ first: 1, last: this.#last });
  }

  /** Makes blocks, each when all readers have the previous one; returns the seconds. */
  async run(blocks: number, readers: number): Promise<number> {
    await this.#order({ kind: "count" });
    const before = performance.now();
    for (let block = 0; block < blocks; block++) {
      this.grow();
      await setTimeout(0);
    }
    for (let seen = 0; seen < blocks * readers; seen += (await this.#order({ kind: "count" })).events)
      await setTimeout(5);
    return (performance.now() - before) / 1000;
  }

  count(): Promise<ReadersAnswer> {
    return this.#order({ kind: "count" });
  }

  async close(): Promise<void> {
    await this.#order({ kind: "close" });
    await this.#hub.close(0);
    this.#server.close();
    this.#readers.kill();
  }

  async #order(order: ReadersOrder): Promise<ReadersAnswer> {
    this.#readers.send(order);
    const [answer] = (await once(this.#readers, "message")) as [ReadersAnswer];
    return answer;
  }
}

async function withStage<T>(work: (stage: Stage) => Promise<T>): Promise<T> {
  const stage = new Stage();
  try {
    return await work(stage);
  } finally {
    await stage.close();
  }
}

/** Events per second to the given number of connections; the baseline is one millisecond of CPU time per event. */
async function measureEvents(connections: number): Promise<Measured> {
  return withStage(async (stage) => {
    await stage.open(connections);
    const blocks = Math.max(20, Math.ceil(4_000 / connections));
    await stage.run(5, connections);
    const cpu = process.cpuUsage();
    const seconds = await stage.run(blocks, connections);
    const { user, system } = process.cpuUsage(cpu);
    const events = blocks * connections;
    const microseconds = (user + system) / events;
    return { value: events / seconds, ratio: 1000 / microseconds };
  });
}

async function measureMemory(): Promise<Measured> {
  return withStage(async (stage) => {
    const connections = 1_000;
    await stage.open(10);
    const before = process.memoryUsage().rss;
    await stage.open(connections);
    await stage.run(3, connections + 10);
    const kilobytes = (process.memoryUsage().rss - before) / 1024 / connections;
    return { value: kilobytes, ratio: 50 / kilobytes };
  });
}

/**
 * The time from a block to the last of 100 readers at a block every 400 ms, with additional readers that never read.
 */
async function measureDelay(idle: number): Promise<Measured> {
  return withStage(async (stage) => {
    await stage.open(100);
    if (idle > 0) await stage.open(idle, false);
    const delays: number[] = [];
    for (let block = 0; block < 40; block++) {
      await stage.count();
      const at = Date.now();
      stage.grow();
      await setTimeout(400);
      delays.push((await stage.count()).lastAtMs - at);
    }
    delays.sort((a, b) => a - b);
    const p99 = delays.at(Math.floor(delays.length * 0.99)) ?? 0;
    return { value: p99, ratio: 300 / Math.max(1, p99) };
  });
}

const events = (connections: number): Benchmark => ({
  name: `events to ${connections} connections`,
  ...{ group, unit: "events/s", baseline: "1 ms of CPU an event", mark: 10 },
  measure: () => measureEvents(connections),
});

export const benchmarks: readonly Benchmark[] = [
  // First, because a later garbage collection would look like freed memory.
  {
    name: "memory of a connection",
    ...{ group, unit: "KB", baseline: "50 KB", mark: 1 },
    measure: measureMemory,
  },
  events(1),
  events(100),
  events(2_000),
  {
    name: "block to event, p99 of 100 readers at 400 ms blocks",
    ...{ group, unit: "ms", baseline: "300 ms", mark: 1 },
    measure: () => measureDelay(0),
  },
  {
    name: "the same beside 20 readers that never read",
    ...{ group, unit: "ms", baseline: "300 ms", mark: 1 },
    measure: () => measureDelay(20),
  },
];
