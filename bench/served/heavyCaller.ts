import { Agent, get } from "node:http";
import { setTimeout } from "node:timers/promises";
import { mainThreadCpuMs } from "../../kit/attacks/mainThreadCpu.ts";
import { personAt } from "../../kit/history/made/madeChain.ts";
import { openAccess } from "../../src/api/access/Gatekeeper.ts";
import { serveVersion } from "../../src/api/http/ServedVersion.ts";
import { contractLimits, Draining, openServer } from "../../src/api/http/server/server.ts";
import { Metrics } from "../../src/api/metrics.ts";
import { v3Api } from "../../src/api/v3/envelope.ts";
import { contractHistory, History } from "../../src/history/queries/kit/History.ts";
import type { Database } from "../../src/history/store/Database.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { openLog } from "../../src/lib/log.ts";
import { formatRawAddress } from "../../src/model/Address.ts";
import type { Benchmark } from "../kit/benchmark.ts";
import { once, withEmbedded } from "../kit/databases.ts";
import { loadMadeChain } from "../kit/loadMadeChain.ts";
import { Timings, timed } from "../kit/timings.ts";

const group = "heavyCaller";
const transactions = 20_000;
const rounds = 60;
/** Three a second. */
const heavyEveryMs = 333;
const heavyAlone = 6;
/** More at a time would be refused. */
const maxHeavy = 8;
const agent = new Agent({ keepAlive: true });

interface Outcome {
  readonly alone: Timings;
  readonly beside: Timings;
  /** CPU of the main thread for one heavy request, the median of several. */
  readonly heavyCpuMs: number;
}

/** Requests as a caller with this address; no two are equal, so that no cache answers. */
function ask(port: number, localAddress: string, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ host: "127.0.0.1", port, path: `/api/v3/${path}`, localAddress, agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path}: status ${response.statusCode}`));
      response.resume().once("end", resolve);
    }).once("error", reject);
  });
}

async function openV3(database: Database) {
  const [metrics, draining, log] = [new Metrics(), new Draining(), openLog({ level: "warn" })];
  const common = { clock: systemClock, log, metrics };
  // A slow machine is measured as well: nothing is refused for the time it takes.
  const patient = { ...contractHistory, timeoutMs: 60_000 };
  const services = { history: new History(patient, { database, clock: systemClock }) };
  let requests = 0;
  const served = serveVersion(
    v3Api,
    {
      ...{ ...contractLimits, deadlineMs: 60_000, maxWaiting: 1000, trustedProxies: [] },
      ...{ headBytes: 0, lastingBytes: 0 },
    },
    {
      ...{ ...common, services, head: () => 1, access: openAccess },
      ...{ nextId: () => `r${++requests}`, isDraining: () => draining.isOn },
    },
  );
  return openServer(
    { ...contractLimits, host: "127.0.0.1", port: 0, metrics: { kind: "off" }, requestMs: 60_000, drainMs: 100 },
    {
      ...{ ...common, versions: [served], checks: [], draining },
      facts: () => ({ title: "", facts: [], links: [], examples: [] }),
    },
  );
}

let asked = 0;
const heavy = (port: number) =>
  ask(port, "127.0.0.3", `traces?limit=${1000 - (asked++ % 20)}&include_actions=true&offset=${asked % 7}`);

async function askOthers(port: number): Promise<Timings> {
  const timings = new Timings();
  for (let round = 0; round < rounds; round++) {
    const account = encodeURIComponent(formatRawAddress(personAt(asked++ % 100)));
    timings.add(await timed(() => ask(port, "127.0.0.2", `transactions?limit=10&offset=${asked++ % 500}`)));
    timings.add(await timed(() => ask(port, "127.0.0.2", `accountStates?address=${account}&include_boc=false`)));
    await setTimeout(20);
  }
  return timings;
}

const measureOnce = once(
  (): Promise<Outcome> =>
    withEmbedded(async (database) => {
      await loadMadeChain(database, { transactions, say: () => undefined });
      const { port, destroy } = await openV3(database);
      await heavy(port);
      await askOthers(port);
      const cpuMs: number[] = [];
      for (let round = 0; round < heavyAlone; round++) {
        const before = mainThreadCpuMs();
        await heavy(port);
        cpuMs.push(mainThreadCpuMs() - before);
      }
      const alone = await askOthers(port);
      const running = new Set<Promise<void>>();
      const timer = setInterval(() => {
        if (running.size >= maxHeavy) return;
        const one = heavy(port).finally(() => running.delete(one));
        running.add(one);
      }, heavyEveryMs);
      const beside = await askOthers(port);
      clearInterval(timer);
      await Promise.all(running);
      await destroy();
      return { alone, beside, heavyCpuMs: cpuMs.toSorted((a, b) => a - b)[heavyAlone >> 1] ?? Number.NaN };
    }),
);

const row = (
  name: string,
  baseline: string,
  pick: (outcome: Outcome) => { value: number; ratio: number },
): Benchmark => ({
  ...{ name, group, unit: "ms", baseline, mark: undefined },
  measure: async () => pick(await measureOnce()),
});

const p95 = (name: string, percent: number) =>
  row(`others beside a caller of a thousand traces: ${name}`, "alone", ({ alone, beside }) => ({
    value: beside.percentile(percent),
    ratio: alone.percentile(percent) / beside.percentile(percent),
  }));

export const heavyCallerBenchmarks: readonly Benchmark[] = [
  p95("p50", 50),
  p95("p95", 95),
  row("a thousand traces with actions: CPU of the main thread", "none", ({ heavyCpuMs }) => ({
    value: heavyCpuMs,
    ratio: 1,
  })),
];
