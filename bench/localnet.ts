import { systemClock } from "../src/lib/clock.ts";
import { openLog } from "../src/lib/log.ts";
import { Faucet } from "../src/localnet/faucet.ts";
import { Localnet } from "../src/localnet/Localnet.ts";
import { Traffic } from "../src/localnet/traffic.ts";
import { forEachTransaction } from "../src/model/Block.ts";
import { openExecutor } from "../src/tvm/engine/openExecutor.ts";
import type { Figure } from "./kit.ts";

const group = "localnet";
const perSecond = 100;
const blockMs = 400;
const runMs = 15_000;
const emptyRounds = 100;
const mega = 1024 * 1024;

/** What one run of a busy network showed. */
interface Busy {
  readonly transfersPerSecond: number;
  readonly transactionsPerSecond: number;
  readonly blocksPerSecond: number;
  readonly bytesPerTransaction: number;
  readonly memoryMegabytes: number;
}

async function openNet(pace: { kind: "steady"; blockMs: number } | { kind: "manual" }) {
  // One worker: with the main thread that is what runs on one core when there is one.
  const executor = await openExecutor({ workers: 1 }, { clock: systemClock });
  const log = openLog({ level: "error" });
  const net = await Localnet.open({ seed: "bench", pace }, { clock: systemClock, executor, log });
  const close = async (): Promise<void> => {
    await net.close();
    await executor.close();
  };
  return { net, log, close };
}

async function measureBusy(): Promise<Busy> {
  const { net, log, close } = await openNet({ kind: "steady", blockMs });
  const faucet = new Faucet({}, { net });
  const traffic = new Traffic({ perSecond, wallets: perSecond * 2 }, { net, faucet, log });
  await traffic.start();
  await systemClock.sleep(blockMs * 4);
  const from = net.ledger.headId.seqno;
  const startedAt = systemClock.monotonic();
  await systemClock.sleep(runMs);
  const seconds = (systemClock.monotonic() - startedAt) / 1000;
  const counted = countFrom(net, from);
  traffic.stop();
  const memoryMegabytes = process.memoryUsage.rss() / mega;
  await close();
  return {
    transfersPerSecond: counted.externals / seconds,
    transactionsPerSecond: counted.transactions / seconds,
    blocksPerSecond: counted.rounds / seconds,
    bytesPerTransaction: counted.bytes / counted.transactions,
    memoryMegabytes,
  };
}

function countFrom({ ledger }: Localnet, from: number) {
  const counted = { externals: 0, transactions: 0, bytes: 0, rounds: ledger.headId.seqno - from };
  for (let seqno = from + 1; seqno <= ledger.headId.seqno; seqno++) {
    const master = ledger.getMaster(seqno);
    const shard = ledger.findFirst(0, 1n << 63n, (block) => block.masterSeqno >= seqno);
    for (const block of [master, ...(shard === undefined ? [] : [shard])]) {
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

async function measureEmpty(): Promise<{ readonly roundsPerSecond: number; readonly bytes: number }> {
  const { net, close } = await openNet({ kind: "manual" });
  for (let i = 0; i < 10; i++) await net.step();
  const startedAt = systemClock.monotonic();
  for (let i = 0; i < emptyRounds; i++) await net.step();
  const seconds = (systemClock.monotonic() - startedAt) / 1000;
  const shard = net.ledger.findFirst(0, 1n << 63n, (block) => block.masterSeqno >= net.ledger.headId.seqno);
  const bytes = (net.ledger.head?.bytes.length ?? 0) + (shard?.bytes.length ?? 0);
  await close();
  return { roundsPerSecond: emptyRounds / seconds, bytes };
}

/** One run serves all its figures. */
function once<T>(measure: () => Promise<T>): () => Promise<T> {
  let run: Promise<T> | undefined;
  return () => {
    run ??= measure();
    return run;
  };
}

const busy = once(measureBusy);
const empty = once(measureEmpty);

function held(name: string, unit: string, wanted: number, read: () => Promise<number>, mark?: number): Figure {
  const measure = async () => {
    const value = await read();
    return { value, ratio: value / wanted };
  };
  return { name, group, unit, baseline: `${wanted} wanted`, mark, measure };
}

const pace = `at ${perSecond} transfers a second, blocks of ${blockMs} ms`;

export const figures: readonly Figure[] = [
  held("empty rounds", "rounds/s", 1000 / blockMs, async () => (await empty()).roundsPerSecond, 1),
  held("empty round, both blocks", "bytes", 8_192, async () => (await empty()).bytes),
  held(`transfers included ${pace}`, "/s", perSecond, async () => (await busy()).transfersPerSecond, 0.99),
  held(`rounds held ${pace}`, "/s", 1000 / blockMs, async () => (await busy()).blocksPerSecond, 0.95),
  held(`transactions ${pace}`, "/s", perSecond * 2, async () => (await busy()).transactionsPerSecond, 0.99),
  held("bytes of blocks a transaction", "bytes", 1_000, async () => (await busy()).bytesPerTransaction),
  held("memory of the process", "MB", 512, async () => (await busy()).memoryMegabytes),
];
