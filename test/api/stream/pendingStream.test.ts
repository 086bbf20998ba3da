import { afterAll, beforeAll, expect, it } from "vitest";
import { LoopWatch } from "../../../kit/attacks/LoopWatch.ts";
import { deploySelfCalling } from "../../../kit/attacks/selfCallingContract.ts";
import { listPredicted, mixedTrace } from "../../../src/api/stream/pendingStream.ts";
import { viewPartlyIndexed } from "../../../src/api/v3/pending/pendingMix.ts";
import { compareWithIndex } from "../../../src/api/v3/pending/pendingViews.ts";
import { crcForm, writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import type { PendingTrace } from "../../../src/chain/pending/PendingTrace.ts";
import type { Address } from "../../../src/model/Address.ts";
import { type DemoStage, openDemoStage } from "../../kit/api/demoStage.ts";
import { atThisSpeed } from "../../kit/attacks/atThisSpeed.ts";
import { eagerServer } from "../../kit/lite/eagerServer.ts";
import { jettonTransferBody } from "../../kit/localnet/jettonBody.ts";

const coin = 1_000_000_000n;

let stage: DemoStage;
// With several shards a trace spans several blocks.
beforeAll(async () => {
  stage = await openDemoStage({ engine: "embedded", shards: 4, wrap: eagerServer });
});
afterAll(() => stage?.close());

/** The index of an account's shard among four. */
const shardOf = (address: Address): number => Number.parseInt(address.slice(2, 3), 16) >> 2;

/**
 * A jetton owner and a receiver in another shard than its jetton wallet: notification and excesses come a block later.
 */
function findPair() {
  const { alice, bob, carol, dave } = stage.demo.people;
  const { walletOf } = stage.demo.jetton;
  const people = [alice, bob, carol, dave];
  const receiver = people.find(({ address }) => shardOf(walletOf(address)) !== shardOf(address));
  const sender = people.find((each) => each !== receiver);
  if (receiver === undefined || sender === undefined)
    throw new Error("all jetton wallets are in the shards of their owners");
  return { sender, receiver };
}

/**
 * What a stream sends of the one trace that the chain has begun: transactions that it has, and the finality of actions.
 */
async function readMixed() {
  const { pending } = stage.live;
  return stage.history.read({}, async (reading) => {
    const { begun } = await compareWithIndex(reading, pending, pending.list());
    const views = await viewPartlyIndexed(reading, pending, begun, "all");
    return begun.flatMap(({ pending: each }, at) => {
      const view = views[at];
      const trace = view && mixedTrace(each, view);
      const done = view?.transactions?.filter(({ context }) => !context.emulated).length;
      return trace === undefined ? [] : [{ done, finality: trace.finality, actions: trace.actionsFinality }];
    });
  });
}

/** What one client of a stream may ask for at once: as much work as forty such predictions. */
async function expectShortPieces([trace]: readonly PendingTrace[]): Promise<void> {
  if (trace === undefined) throw new Error("no prediction");
  const many = { listOf: () => Array.from({ length: 40 }, () => ({ ...trace })), find: () => undefined };
  const watch = new LoopWatch();
  const described = await listPredicted(many, [stage.demo.people.alice.address], []);
  const worstMs = watch.takeWorstMs();
  watch.stop();
  expect(described.map(({ transactions }) => transactions.length)).toEqual(Array(40).fill(6));
  expect(worstMs).toBeLessThan(atThisSpeed(50));
}

/** Sends a message by the server, which predicts it, and to the chain. */
async function send(message: Cell): Promise<void> {
  const boc = Buffer.from(writeBoc(message, crcForm)).toString("base64");
  await fetch(`${stage.server.origin}/api/v3/message`, { method: "POST", body: JSON.stringify({ boc }) });
  await stage.live.pending.idle();
  await stage.chain.submit(message);
}

it("sends actions as final when the chain lacks nothing but notifications and returned coins", async () => {
  const { sender, receiver } = findPair();
  const own = stage.demo.jetton.walletOf(sender.address);
  const body = jettonTransferBody({ to: receiver.address, amount: coin, comment: "soon" });
  await send(stage.chain.sign(sender, { to: own, amount: coin / 10n, bounce: true, body }));
  const seen = [];
  for (let round = 0; round < 4; round++) {
    await stage.chain.rounds(1);
    await stage.index();
    seen.push(...(await readMixed()));
  }
  expect(seen.map(({ done }) => done)).toContain(3);
  // The sender, its jetton wallet and that of the receiver decide what the transfer is.
  expect(seen).toEqual(
    seen.map(({ done = 0 }) => ({ done, finality: "pending", actions: done >= 3 ? "finalized" : "pending" })),
  );
});

it("drops a prediction when the chain has more messages of its trace than a prediction may have", async () => {
  const { pending } = stage.live;
  await send(stage.chain.sign(findPair().sender, { ...deploySelfCalling(250), amount: 1_000n * coin }));
  const predicted = pending.list().map(({ transactions, left }) => [transactions.length, left]);
  // The wallet, and as many transactions with 250 messages each as have 1,024.
  expect(predicted).toEqual([[6, 1 + 5 * 250 - 5]]);
  await expectShortPieces(pending.list());
  await stage.chain.rounds(4);
  await stage.index();
  expect(await readMixed()).toEqual([]);
  expect(pending.list()).toEqual([]);
});
