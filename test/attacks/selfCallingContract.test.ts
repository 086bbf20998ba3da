import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { LoopWatch } from "../../kit/attacks/LoopWatch.ts";
import { deploySelfCalling } from "../../kit/attacks/selfCallingContract.ts";
import { writeBoc } from "../../src/cell/boc.ts";
import { type Clock, systemClock } from "../../src/lib/clock.ts";
import { headView } from "../../src/localnet/ledger/ChainView.ts";
import { Localnet } from "../../src/localnet/network/Localnet.ts";
import type { RoundPace } from "../../src/localnet/rounds/RoundLoop.ts";
import { signTransfers, type Transfer } from "../../src/localnet/wallets/transfer.ts";
import { findSeqno } from "../../src/localnet/wallets/Wallet.ts";
import { getConfigParam } from "../../src/model/config/ConfigParams.ts";
import { type LiveExecutor, openExecutor } from "../../src/tvm/run/openExecutor.ts";
import { atThisSpeed } from "../kit/attacks/atThisSpeed.ts";
import { recordLog } from "../kit/localnet/localChain.ts";
import { testKeys, testSeed } from "../kit/localnet/testKeys.ts";
import { repeats } from "../kit/suite/everything.ts";

const wantedMessages = repeats({ usual: 6_000, all: 30_000 });
const longestPieceMs = 50;

let executor: LiveExecutor;
let net: Localnet;
beforeAll(async () => {
  executor = await openExecutor({}, { clock: systemClock });
});
afterEach(() => net.close());
afterAll(() => executor.close());

async function openNet(pace: RoundPace, clock: Clock): Promise<void> {
  const keys = await testKeys();
  net = await Localnet.open({ seed: testSeed, keys, pace }, { clock, executor, log: recordLog() });
}

function seqnoOf(index: number): number {
  const wallet = walletAt(index);
  return findSeqno(wallet.version, net.account(wallet.address)) ?? 0;
}

function walletAt(index: number) {
  const funded = net.keys.wallets[index];
  if (funded === undefined) throw new Error(`no wallet ${index}`);
  return funded.wallet;
}

async function send(index: number, transfer: Transfer): Promise<void> {
  const signed = signTransfers(walletAt(index), [transfer], { seqno: seqnoOf(index), now: net.clock.seconds });
  await net.submit(writeBoc(signed));
}

/** The newest block of the basechain, and how many messages wait after it. */
function newestBlock() {
  const view = headView(net.ledger);
  const [top] = view.topIds();
  if (top === undefined) throw new Error("no shard");
  const waiting = view.state(top).outMsgQueueInfo.load().extra?.outQueueSize ?? 0;
  return { waiting, bytes: net.ledger.getBlock(top).bytes.length, limits: getConfigParam(view.config, 23).bytes };
}

it("a contract that calls itself without end neither stops the chain nor holds the loop", async () => {
  await openNet({ kind: "manual" }, systemClock);
  await send(0, { ...deploySelfCalling(250), amount: 100_000_000_000_000n });
  // The engine compiles in the first rounds. Those, too, have room to queue what they cause.
  for (let i = 0; i < 3; i++) {
    await net.step();
    expect(newestBlock().bytes).toBeLessThan(newestBlock().limits.softLimit);
  }

  const watch = new LoopWatch();
  let worstPieceMs = 0;
  for (let block = newestBlock(); block.waiting < wantedMessages; block = newestBlock()) {
    watch.takeWorstMs();
    await net.step();
    worstPieceMs = Math.max(worstPieceMs, watch.takeWorstMs());
    expect(block.bytes).toBeLessThan(block.limits.hardLimit);
  }
  expect(worstPieceMs).toBeLessThan(atThisSpeed(longestPieceMs));

  // External messages have a part of each block that the queue does not fill.
  const before = seqnoOf(1);
  await send(1, { to: walletAt(2).address, amount: 1n });
  await net.step();
  expect(seqnoOf(1)).toBe(before + 1);
  watch.stop();
});

it("rounds of a contract that calls itself leave most of their pace to others", async () => {
  // The time of this clock is work: it moves on only when somebody looks at it, as every step of a round does.
  let looks = 0;
  const clock: Clock = { ...systemClock, monotonic: () => looks++, timer: () => () => {} };
  const blockMs = 1_500;
  await openNet({ kind: "steady", blockMs }, clock);
  await send(0, { ...deploySelfCalling(250), amount: 100_000_000_000_000n });
  const rounds: { readonly ms: number; readonly waiting: number }[] = [];
  for (let i = 0; i < 12; i++) {
    const before = looks;
    await net.step();
    rounds.push({ ms: looks - before, waiting: newestBlock().waiting });
  }
  const first = Math.max(...rounds.slice(0, 4).map(({ ms }) => ms));
  const last = rounds.slice(-6);
  expect(first).toBeGreaterThan(blockMs);
  expect(Math.max(...last.map(({ ms }) => ms))).toBeLessThan(blockMs * 0.6);
  // Every block takes a part of the queue all the same.
  for (const [i, { waiting }] of last.entries()) if (i > 0) expect(waiting).toBeGreaterThan(last[i - 1]?.waiting ?? 0);
});
