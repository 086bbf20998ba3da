import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { loadConfig } from "../../src/app/config.ts";
import { openLocal } from "../../src/app/local/serveLocal.ts";
import { defaultCoin, type LocalPlan } from "../../src/app/NetworkPlan.ts";
import { localName } from "../../src/app/networks/planNetworks.ts";
import type { OpenNetwork } from "../../src/app/service/parts/OpenNetwork.ts";
import { serveNetworks } from "../../src/app/service/serveNetworks.ts";
import { makeAddress } from "../../src/model/Address.ts";
import type { Hash } from "../../src/model/Hash.ts";
import type { Measured } from "../kit/benchmark.ts";
import { Readers } from "./Readers.ts";

const blockMs = 400;
const connections = 100;
const blocks = 100;
const transfersPerBlock = 10;

/**
 * The time from a block of a local network, when the network has published it, to its event at the last of 100 readers:
 * the whole service with its index in one process, at a block every 400 ms, each with transfers.
 */
export async function measureServed(idle: number): Promise<Measured> {
  const data = mkdtempSync(join(tmpdir(), "tongate-bench-stream-"));
  const flags = ["--port", "0", "--data", data, "--log-level", "error", "--demo", "off", "--block-ms", `${blockMs}`];
  const { config } = loadConfig([...flags, "--limits", "off", "--explorer", "off"], {
    environment: {},
    findFile: () => undefined,
  });
  const plan: LocalPlan = {
    kind: "local",
    name: localName,
    coin: defaultCoin,
    listen: { host: config.host, port: 0, hostNames: [] },
  };
  let network: OpenNetwork | undefined;
  const open = async (_plan: unknown, modules: Parameters<typeof openLocal>[1]) => {
    network = await openLocal(plan, modules);
    return network;
  };
  const silent = { write: () => {}, writeError: () => {} };
  const service = await serveNetworks(config, [plan], open, silent);
  const readers = new Readers();
  try {
    if (network === undefined) throw new Error("there is no network");
    const origin = service.origins[0] ?? "";
    await untilHealthy(origin);
    const place = { port: Number(new URL(origin).port), path: "/api/streaming/v2/sse" };
    await readers.open({ ...place, count: connections, isReading: true });
    if (idle > 0) await readers.open({ ...place, count: idle, isReading: false });
    const delays = await followBlocks(network, readers);
    delays.sort((a, b) => a - b);
    const p99 = delays[Math.floor(delays.length * 0.99)] ?? Number.POSITIVE_INFINITY;
    return { value: p99, ratio: 300 / Math.max(1, p99) };
  } finally {
    await readers.close();
    await service.close();
    rmSync(data, { recursive: true, force: true });
  }
}

async function untilHealthy(origin: string): Promise<void> {
  while ((await fetch(`${origin}/api/streaming/healthz`)).status !== 200) await setTimeout(100);
}

async function followBlocks(network: OpenNetwork, readers: Readers): Promise<number[]> {
  const stop = new AbortController();
  const delays: number[] = [];
  for await (const _head of network.heads(stop.signal)) {
    const publishedAt = Date.now();
    for (let at = 0; at < transfersPerBlock; at++) void network.local?.faucet.post(someone(at), 1_000_000n);
    // An event that is not there before the next block is late beyond every bound.
    await setTimeout(blockMs - 50);
    const { events, lastAtMs } = await readers.count();
    delays.push(events >= connections ? lastAtMs - publishedAt : blockMs);
    // The first blocks load code and fill caches.
    if (delays.length === blocks + 10) break;
  }
  stop.abort();
  return delays.slice(10);
}

function someone(at: number) {
  return makeAddress(0, `${at}`.padStart(64, "5") as Hash);
}
