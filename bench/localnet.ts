import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../src/lib/clock.ts";
import { openLog } from "../src/lib/log.ts";
import { ChainView } from "../src/localnet/ledger/ChainView.ts";
import type { LedgerBlock } from "../src/localnet/ledger/Ledger.ts";
import { Faucet } from "../src/localnet/network/faucet.ts";
import { Localnet } from "../src/localnet/network/Localnet.ts";
import type { LocalnetOptions } from "../src/localnet/network/LocalnetOptions.ts";
import { Traffic } from "../src/localnet/offer/traffic.ts";
import { forEachTransaction } from "../src/model/block/Block.ts";
import { openExecutor } from "../src/tvm/run/openExecutor.ts";
import type { Benchmark } from "./kit/benchmark.ts";
import { forkBlockMs, measureFork, touchedAccounts } from "./localnet/forkCosts.ts";
import { PresignedLoad } from "./localnet/PresignedLoad.ts";

const group = "localnet";
const perSecond = 100;
const blockMs = 400;
const dueRounds = 38;
/** Rounds that are not measured: in them every wallet of the load deploys itself, which costs more than a transfer. */
const deployRounds = 20;
/** Transfers a second that a network is held to, and those that it is offered then. */
const wantedRate = 1_000;
const fullRate = 1_250;
const warmRounds = 20;
const emptyRounds = 100;
const longRounds = 5_000;
const mega = 1024 * 1024;

/** The result of one run of a busy network. */
interface Busy {
  readonly rounds: number;
  readonly seconds: number;
  readonly externals: number;
  readonly transactions: number;
  readonly blocks: number;
  readonly bytes: number;
  /** Processor time of the whole process, clients included, over the time. */
  readonly cores: number;
  readonly memoryMegabytes: number;
}

async function openNet(options: Pick<LocalnetOptions, "pace" | "folder" | "shards">) {
  // One worker and the main thread share a single core if there is only one.
  const executor = await openExecutor({}, { clock: systemClock });
  const log = openLog({ level: "error" });
  const net = await Localnet.open({ seed: "bench", ...options }, { clock: systemClock, executor, log });
  const close = async (): Promise<void> => {
    await net.close();
    await executor.close();
  };
  return { net, log, close };
}

/**
 * The most transfers that a network takes. More are offered than it is held to, by clients that signed before; rounds
 * in which the engine still compiles are not measured.
 */
async function measureFull(): Promise<Busy> {
  const { net, close } = await openNet({ pace: { kind: "steady", blockMs }, shards: 1 });
  const faucet = new Faucet({}, { net });
  const seconds = ((warmRounds + dueRounds) * blockMs) / 1000;
  const load = new PresignedLoad({ perSecond: fullRate, wallets: fullRate * 2, seconds }, net);
  await load.prepare(faucet);
  load.start();
  await systemClock.sleep(blockMs * warmRounds);
  const counted = await count(net, dueRounds);
  load.stop();
  faucet.close();
  const memoryMegabytes = process.memoryUsage.rss() / mega;
  await close();
  return { ...counted, memoryMegabytes };
}

/** Counts what the network does in this many rounds' time. */
async function count(net: Localnet, rounds: number): Promise<Omit<Busy, "memoryMegabytes">> {
  const from = net.ledger.headId.seqno;
  const startedAt = systemClock.monotonic();
  const usedBefore = process.cpuUsage();
  await systemClock.sleep(blockMs * rounds);
  const seconds = (systemClock.monotonic() - startedAt) / 1000;
  const used = process.cpuUsage(usedBefore);
  return { ...countFrom(net, from), seconds, cores: (used.user + used.system) / 1e6 / seconds };
}

async function measureBusy(shards: 1 | 4, rate: number): Promise<Busy> {
  const { net, log, close } = await openNet({ pace: { kind: "steady", blockMs }, shards });
  const faucet = new Faucet({}, { net });
  const traffic = new Traffic({ perSecond: rate, wallets: rate * 2 }, { net, faucet, log });
  await traffic.start();
  await systemClock.sleep(blockMs * deployRounds);
  const counted = await count(net, dueRounds);
  traffic.stop();
  faucet.close();
  const memoryMegabytes = process.memoryUsage.rss() / mega;
  await close();
  return { ...counted, memoryMegabytes };
}

function countFrom({ ledger }: Localnet, from: number) {
  const counted = { externals: 0, transactions: 0, bytes: 0, blocks: 0, rounds: ledger.headId.seqno - from };
  for (let seqno = from + 1; seqno <= ledger.headId.seqno; seqno++) {
    for (const block of committedBy({ ledger }, seqno)) {
      counted.blocks++;
      counted.bytes += block.bytes.length;
      forEachTransaction(ledger.block(block), () => {
        counted.transactions++;
      });
      ledger
        .block(block)
        .extra.load()
        .inMessages.load()
        .forEach((message) => {
          if (message.kind === "external") counted.externals++;
        });
    }
  }
  return counted;
}

/** A masterchain block and the shard blocks that it is the first to commit to. */
function committedBy({ ledger }: Pick<Localnet, "ledger">, seqno: number): LedgerBlock[] {
  const master = ledger.getMaster(seqno);
  const tops = new ChainView(ledger, master.id).topIds().map((id) => ledger.getBlock(id));
  return [master, ...tops.filter(({ masterSeqno }) => masterSeqno === seqno)];
}

async function measureEmpty(): Promise<{ readonly roundsPerSecond: number; readonly bytes: number }> {
  const { net, close } = await openNet({ pace: { kind: "manual" } });
  for (let i = 0; i < 10; i++) await net.step();
  const startedAt = systemClock.monotonic();
  for (let i = 0; i < emptyRounds; i++) await net.step();
  const seconds = (systemClock.monotonic() - startedAt) / 1000;
  const bytes = committedBy(net, net.ledger.headId.seqno).reduce((sum, block) => sum + block.bytes.length, 0);
  await close();
  return { roundsPerSecond: emptyRounds / seconds, bytes };
}

/** The result of a chain of ten thousand blocks on disk. */
interface Long {
  /** Memory in use after a fifth of the rounds and after all of them. */
  readonly earlyMegabytes: number;
  readonly lateMegabytes: number;
  readonly reopenSeconds: number;
}

async function measureLong(): Promise<Long> {
  const folder = mkdtempSync(join(tmpdir(), "tongate-bench-"));
  const { net, close } = await openNet({ pace: { kind: "manual" }, folder });
  const megabytes: number[] = [];
  for (let round = 1; round <= longRounds; round++) {
    await net.step();
    if (round % (longRounds / 5) === 0) megabytes.push(process.memoryUsage.rss() / mega);
  }
  await close();
  const startedAt = systemClock.monotonic();
  const again = await openNet({ pace: { kind: "manual" }, folder });
  const reopenSeconds = (systemClock.monotonic() - startedAt) / 1000;
  await again.close();
  rmSync(folder, { recursive: true });
  return { earlyMegabytes: megabytes[0] ?? 0, lateMegabytes: megabytes.at(-1) ?? 0, reopenSeconds };
}

/** Lets several benchmarks share one run. */
function once<T>(measure: () => Promise<T>): () => Promise<T> {
  let run: Promise<T> | undefined;
  return () => {
    run ??= measure();
    return run;
  };
}

const busy = once(() => measureBusy(1, perSecond));
const busyShards = once(() => measureBusy(4, perSecond));
const fullSpeed = once(measureFull);
const empty = once(measureEmpty);
const long = once(measureLong);
const fork = once(measureFork);

function held(name: string, unit: string, wanted: number, read: () => Promise<number>, mark?: number): Benchmark {
  const measure = async () => {
    const value = await read();
    return { value, ratio: value / wanted };
  };
  return { name, group, unit, baseline: `${wanted} wanted`, mark, measure };
}

/** For values where less is better. */
function atMost(name: string, unit: string, max: number, read: () => Promise<number>, mark?: number): Benchmark {
  const measure = async () => {
    const value = await read();
    return { value, ratio: max / value };
  };
  return { name, group, unit, baseline: `${max} at most`, mark, measure };
}

function heldRounds(shards: string, read: () => Promise<Busy>): Benchmark {
  const name = `${blockMs} ms blocks with ${perSecond} transfers/s${shards}: held`;
  return held(name, `of ${dueRounds}`, dueRounds, async () => Math.min(dueRounds, (await read()).rounds), 0.97);
}

export const benchmarks: readonly Benchmark[] = [
  held("empty rounds", "rounds/s", 1000 / blockMs, async () => (await empty()).roundsPerSecond, 1),
  atMost("empty round, both blocks", "bytes", 8_192, async () => (await empty()).bytes),
  heldRounds("", busy),
  held("transfers included", "/s", perSecond, async () => (await busy()).externals / (await busy()).seconds, 0.97),
  held("transactions", "/s", perSecond * 2, async () => (await busy()).transactions / (await busy()).seconds, 0.97),
  held("blocks", "/s", 5, async () => (await busy()).blocks / (await busy()).seconds, 0.97),
  atMost("bytes a block", "bytes", 50_000, async () => (await busy()).bytes / (await busy()).blocks),
  atMost(
    "bytes of blocks a transaction",
    "bytes",
    1_500,
    async () => (await busy()).bytes / (await busy()).transactions,
  ),
  atMost("memory of the process", "MB", 512, async () => (await busy()).memoryMegabytes),
  atMost("processor of it", "cores", 0.5, async () => (await busy()).cores, 1),
  heldRounds(", 4 shards", busyShards),
  atMost("processor of it, 4 shards", "cores", 0.5, async () => (await busyShards()).cores, 1),
  held(
    "transfers when overrun",
    "/s",
    wantedRate,
    async () => {
      const { externals, seconds } = await fullSpeed();
      return externals / seconds;
    },
    1,
  ),
  held("transactions when overrun", "/s", wantedRate * 2, async () => {
    const { transactions, seconds } = await fullSpeed();
    return transactions / seconds;
  }),
  atMost("processor when overrun", "cores", 1, async () => (await fullSpeed()).cores),
  atMost("reopening 10,000 blocks", "s", 5, async () => (await long()).reopenSeconds, 1),
  atMost("memory after 5,000 rounds over after 1,000", "×", 1.2, async () => {
    const { earlyMegabytes, lateMegabytes } = await long();
    return lateMegabytes / earlyMegabytes;
  }),
  atMost("fork: start", "s CPU", 2, async () => (await fork()).startSeconds, 1),
  {
    ...{ name: "fork: first call of an account", group, unit: "ms", baseline: "3 queries and a block", mark: 1 },
    measure: async () => {
      const { firstCallMs, queryMs } = await fork();
      return { value: firstCallMs, ratio: (3 * queryMs + forkBlockMs) / firstCallMs };
    },
  },
  atMost(`fork: ${touchedAccounts} touched accounts`, "MB", 400, async () => (await fork()).memoryMegabytes, 1),
  {
    ...{ name: "fork: transfers", group, unit: "/s CPU", baseline: "without a fork", mark: 0.9 },
    measure: async () => {
      const { transfersPerSecond, transferRatio } = await fork();
      return { value: transfersPerSecond, ratio: transferRatio };
    },
  },
];
