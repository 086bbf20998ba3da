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
import { ChainView } from "../../src/localnet/ledger/ChainView.ts";
import { Faucet } from "../../src/localnet/network/faucet.ts";
import { Localnet } from "../../src/localnet/network/Localnet.ts";
import { type Address, makeAddress } from "../../src/model/Address.ts";
import type { Hash } from "../../src/model/Hash.ts";
import { openExecutor } from "../../src/tvm/run/openExecutor.ts";
import { PresignedLoad } from "./PresignedLoad.ts";

/** The time of a block. */
export const forkBlockMs = 400;
export const touchedAccounts = 10_000;
const perGift = 200;
const offered = 1_250;
const loadSeconds = 12;
const mega = 1024 * 1024;

/** What a fork of a served network costs. */
export interface ForkCosts {
  readonly startSeconds: number;
  readonly queryMs: number;
  readonly firstCallMs: number;
  readonly memoryMegabytes: number;
  readonly perSecond: number;
  /** That of a network that continues no other. */
  readonly plainPerSecond: number;
}

const accounts: readonly Address[] = Array.from({ length: touchedAccounts }, (_, i) =>
  makeAddress(0, (i + 1).toString(16).padStart(4, "0").padEnd(64, "7") as Hash),
);

/** Forks a served network, touches its accounts, and offers the fork and an ordinary network the same load. */
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
  const beganAt = process.cpuUsage();
  const fork = await Localnet.open(
    { seed: "bench", pace: { kind: "steady", blockMs: forkBlockMs }, fork: { origin: served.origin } },
    modules,
  );
  const used = process.cpuUsage(beganAt);
  const startSeconds = (used.user + used.system) / 1e6;
  const { queryMs, firstCallMs } = await callFirst(fork, served.origin);
  const before = process.memoryUsage.rss();
  for (let i = 0; i < touchedAccounts; i += perGift) await fork.touch(accounts.slice(i, i + perGift));
  const memoryMegabytes = (process.memoryUsage.rss() - before) / mega;
  const perSecond = await countTransfers(fork);
  await fork.close();
  // The same load without a fork, on the same machine at the same time.
  const plain = await Localnet.open({ seed: "bench", pace: { kind: "steady", blockMs: forkBlockMs } }, modules);
  const plainPerSecond = await countTransfers(plain);
  await plain.close();
  served.close();
  await net.close();
  await executor.close();
  return { startSeconds, queryMs, firstCallMs, memoryMegabytes, perSecond, plainPerSecond };
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

/** Transfers per second of a network that is offered more than it takes. */
async function countTransfers(net: Localnet): Promise<number> {
  const faucet = new Faucet({}, { net });
  const load = new PresignedLoad({ perSecond: offered, wallets: 2 * offered, seconds: 2 * loadSeconds }, net);
  await load.prepare(faucet);
  load.start();
  await systemClock.sleep(loadSeconds * 1000);
  const from = net.ledger.headId.seqno;
  const at = systemClock.monotonic();
  await systemClock.sleep(loadSeconds * 1000);
  const perSecond = countExternals(net, from) / ((systemClock.monotonic() - at) / 1000);
  load.stop();
  faucet.close();
  return perSecond;
}

/** The external messages in the blocks of the basechain after a masterchain block. */
function countExternals({ ledger }: Localnet, from: number): number {
  let count = 0;
  for (let seqno = from + 1; seqno <= ledger.headId.seqno; seqno++) {
    for (const id of new ChainView(ledger, ledger.getMaster(seqno).id).topIds()) {
      const messages = ledger.block(ledger.getBlock(id)).extra.load().inMessages.load();
      for (const [, { kind }] of messages.entries()) if (kind === "external") count++;
    }
  }
  return count;
}
