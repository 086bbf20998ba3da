import { systemClock } from "../../src/lib/clock.ts";
import { openLog } from "../../src/lib/log.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { AdnlServer } from "../../src/lite/adnl/AdnlServer.ts";
import { LiteError } from "../../src/lite/errors.ts";
import { TrustedChain } from "../../src/lite/queries/TrustedChain.ts";
import { LiteConnection } from "../../src/lite/server/LiteConnection.ts";
import { serveLite } from "../../src/lite/server/serveLite.ts";
import { getTime } from "../../src/lite/tl/liteQueries.ts";
import { encodeQuery } from "../../src/lite/tl/queryEnvelope.ts";
import type { ForkOrigin } from "../../src/localnet/fork/fetchBase.ts";
import { usualSeed } from "../../src/localnet/genesis/usualWallets.ts";
import { ChainView } from "../../src/localnet/ledger/ChainView.ts";
import { Faucet } from "../../src/localnet/network/faucet.ts";
import { Localnet } from "../../src/localnet/network/Localnet.ts";
import { type Address, makeAddress } from "../../src/model/Address.ts";
import type { Hash } from "../../src/model/Hash.ts";
import { openExecutor } from "../../src/tvm/run/openExecutor.ts";
import { median } from "../kit/benchmark.ts";
import { cpuSeconds } from "../kit/cpuSeconds.ts";
import { PresignedLoad } from "./PresignedLoad.ts";

/** The time of a block. */
export const forkBlockMs = 400;
export const touchedAccounts = 10_000;
const perGift = 200;
/** Transfers of a round, as of one second at a thousand per second in blocks of 400 ms. */
const perRound = 400;
const wallets = 2 * perRound;
const warmRounds = 4;
const measuredRounds = 12;
const mega = 1024 * 1024;

/** What a fork of a served network costs. */
export interface ForkCosts {
  readonly startSeconds: number;
  readonly queryMs: number;
  readonly firstCallMs: number;
  readonly memoryMegabytes: number;
  /** Transfers per second of processor time. */
  readonly transfersPerSecond: number;
  /** Processor time of a transfer without a fork over that of one on the fork, in turns. */
  readonly transferRatio: number;
}

const accounts: readonly Address[] = Array.from({ length: touchedAccounts }, (_, i) =>
  makeAddress(0, (i + 1).toString(16).padStart(4, "0").padEnd(64, "7") as Hash),
);

/** Forks a served network, touches its accounts, and gives the fork and an ordinary network the same transfers. */
export async function measureFork(): Promise<ForkCosts> {
  const executor = await openExecutor({}, { clock: systemClock });
  const log = openLog({ level: "error" });
  const modules = { clock: systemClock, executor, log };
  const net = await Localnet.open({ seed: "origin", pace: { kind: "manual" } }, modules);
  for (let i = 0; i < touchedAccounts; i += perGift) {
    for (const address of accounts.slice(i, i + perGift))
      net.controls.write(address, { kind: "balance", balance: 1_000_000_000n });
    await net.step();
  }
  const served = await serve(net);
  // Other seeds derive the keys of their wallets first, which no start without --seed does.
  const options = { seed: usualSeed, pace: { kind: "steady", blockMs: forkBlockMs } } as const;
  const { value: fork, seconds: startSeconds } = await cpuSeconds(() =>
    Localnet.open({ ...options, fork: { origin: served.origin } }, modules),
  );
  const { queryMs, firstCallMs } = await callFirst(fork, served.origin);
  const before = process.memoryUsage.rss();
  for (let i = 0; i < touchedAccounts; i += perGift) await fork.touch(accounts.slice(i, i + perGift));
  const memoryMegabytes = (process.memoryUsage.rss() - before) / mega;
  const plain = await Localnet.open(options, modules);
  const transfers = await compareTransfers(fork, plain);
  await fork.close();
  await plain.close();
  served.close();
  await net.close();
  await executor.close();
  return { startSeconds, queryMs, firstCallMs, memoryMegabytes, ...transfers };
}

/** Serves a network over a socket of this machine. */
async function serve(net: Localnet): Promise<{ readonly origin: ForkOrigin; close(): void }> {
  const modules = { clock: systemClock, random: systemRandom, handler: serveLite(net.lite, systemClock) };
  const server = await AdnlServer.open({ host: "127.0.0.1", port: 0, seeds: [systemRandom.bytes(32)] }, modules);
  const publicKey = server.publicKeys[0] ?? new Uint8Array();
  const connection = new LiteConnection({ host: "127.0.0.1", port: server.port, publicKey }, modules);
  const zeroState = net.ledger.zero.id;
  const chain = new TrustedChain({ start: zeroState, zeroState, proofs: "check" });
  const origin: ForkOrigin = {
    name: "the origin",
    server: connection,
    head: async (signal) => ({ ...(await chain.head(connection, { signal })), zeroState }),
  };
  const close = (): void => {
    const reason = new LiteError("lite/closed", "the benchmark is over");
    connection.destroy(reason);
    server.destroy(reason);
  };
  return { origin, close };
}

/** The time of one lite query, and that until an account that has not come can be read. */
async function callFirst(fork: Localnet, { server }: ForkOrigin) {
  const { signal } = new AbortController();
  const time = async (run: (at: number) => Promise<unknown>): Promise<number> => {
    const each: number[] = [];
    for (let i = 0; i < 20; i++) {
      const from = systemClock.monotonic();
      await run(i);
      each.push(systemClock.monotonic() - from);
    }
    return each.sort((a, b) => a - b)[10] ?? 0;
  };
  const queryMs = await time(() => server.ask(encodeQuery(getTime, {}), { signal }));
  const firstCallMs = await time((i) => fork.touch(accounts.slice(i, i + 1)));
  return { queryMs, firstCallMs };
}

/** Gives both networks rounds of the same transfers in turns, and compares what they take of the processor. */
async function compareTransfers(fork: Localnet, plain: Localnet) {
  const sides = [await prepareLoad(fork), await prepareLoad(plain)] as const;
  const used: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < warmRounds + measuredRounds; round++) {
    const [onFork, without] = [await runRound(sides[0]), await runRound(sides[1])];
    if (round < warmRounds) continue;
    used.push(onFork);
    ratios.push(without / onFork);
  }
  return { transfersPerSecond: perRound / median(used), transferRatio: median(ratios) };
}

interface LoadedNet {
  readonly net: Localnet;
  readonly load: PresignedLoad;
}

/** A network with funded wallets and signed messages, which makes rounds only on request from then on. */
async function prepareLoad(net: Localnet): Promise<LoadedNet> {
  const faucet = new Faucet({}, { net });
  const seconds = warmRounds + measuredRounds;
  const load = new PresignedLoad({ perSecond: perRound, wallets, seconds }, net);
  await load.prepare(faucet);
  faucet.close();
  net.setPace({ kind: "manual" });
  while (net.hasWork) await net.step();
  return { net, load };
}

/** Processor seconds of a round with all its transfers, from their submission on. */
async function runRound({ net, load }: LoadedNet): Promise<number> {
  const { seconds } = await cpuSeconds(async () => {
    await load.send(perRound);
    await net.step();
  });
  const count = countExternals(net);
  if (count !== perRound) throw new Error(`a round has ${count} of ${perRound} transfers`);
  return seconds;
}

/** The external messages in the newest blocks of the basechain. */
function countExternals({ ledger }: Localnet): number {
  let count = 0;
  for (const id of new ChainView(ledger, ledger.headId).topIds()) {
    const messages = ledger.block(ledger.getBlock(id)).extra.load().inMessages.load();
    for (const [, { kind }] of messages.entries()) if (kind === "external") count++;
  }
  return count;
}
