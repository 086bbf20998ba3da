import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { crcForm, writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import type { Demo } from "../../../src/localnet/demo/Demo.ts";
import { signTransfers } from "../../../src/localnet/wallets/transfer.ts";
import type { Wallet } from "../../../src/localnet/wallets/Wallet.ts";
import type { Address } from "../../../src/model/Address.ts";
import { type DemoStage, type Json, type JsonList, listOf, openDemoStage } from "../../kit/api/demoStage.ts";
import type { LiveStage } from "../../kit/api/liveStage.ts";
import { eagerServer } from "../../kit/lite/eagerServer.ts";
import { jettonTransferBody } from "../../kit/localnet/jettonBody.ts";
import type { TestChain } from "../../kit/localnet/localChain.ts";

const coin = 1_000_000_000n;

let stage: DemoStage;
let chain: TestChain;
let demo: Demo;
let live: LiveStage;

beforeAll(async () => {
  stage = await openDemoStage({ wrap: eagerServer });
  ({ chain, demo, live } = stage);
});

afterAll(() => stage?.close());

async function ask(name: string, args: Readonly<Record<string, string>>): Promise<Json> {
  const answer = await stage.ask(name, args);
  await live.pending.idle();
  return answer;
}

/** Sends a message through the API; the test decides when the chain gets it. */
async function send(message: Cell): Promise<string> {
  const boc = Buffer.from(writeBoc(message, crcForm)).toString("base64");
  const response = await fetch(`${stage.server.origin}/api/v3/message`, {
    method: "POST",
    body: JSON.stringify({ boc }),
  });
  await live.pending.idle();
  return String(Object(await response.json()).message_hash_norm);
}

/** A jetton transfer with the wallet's next seqno plus `ahead`. */
function transfer(from: Wallet, ahead: number, to: Address, amount: bigint): Cell {
  const body = jettonTransferBody({ to, amount, comment: `${ahead}` });
  const message = { to: demo.jetton.walletOf(from.address), amount: coin / 10n, bounce: true, body };
  const options = { seqno: chain.seqno(from) + ahead, now: chain.net.clock.seconds, validForSeconds: 3600 };
  return signTransfers(from, [message], options);
}

async function land(...messages: readonly Cell[]): Promise<void> {
  for (const message of messages) {
    await chain.submit(message);
    await chain.rounds(3);
  }
  await stage.index();
}

const reported = (actions: JsonList) => actions.map(({ type, details, success }) => ({ type, details, success }));

async function tracesOf(external: string): Promise<JsonList> {
  return listOf(await ask("pendingTraces", { ext_msg_hash: external }), "traces");
}

async function actionsOf(external: string, name = "pendingActions"): Promise<JsonList> {
  const key = name === "actions" ? "msg_hash" : "ext_msg_hash";
  return reported(listOf(await ask(name, { [key]: external }), "actions"));
}

/** The outcome of every transaction of a trace, in order. */
function fates(trace: Json | undefined): readonly (readonly unknown[])[] {
  const { transactions, transactions_order: order } = Object(trace);
  return (order as readonly string[]).map((hash) => {
    const { account, description, emulated, finality } = transactions[hash];
    const { aborted, compute_ph: compute } = description;
    return [account, aborted, compute.exit_code, emulated, finality];
  });
}

describe("two messages of one wallet within one block", () => {
  it("are both shown as predicted, and replaced by the index", async () => {
    const { alice, bob } = demo.people;
    const messages = [transfer(alice, 0, bob.address, coin), transfer(alice, 1, bob.address, 2n * coin)];
    const sent: string[] = [];
    for (const message of messages) sent.push(await send(message));
    const traces = (await Promise.all(sent.map(tracesOf))).flat();
    expect(traces.map(({ trace_id: id, external_hash: external }) => [id, external])).toEqual(
      sent.map((external) => [null, external]),
    );
    const predictedFates = traces.map(fates);
    expect(listOf(await ask("pendingTraces", { account: bob.address }), "traces")).toEqual([traces[1], traces[0]]);
    const predicted = await Promise.all(sent.map((external) => actionsOf(external)));
    expect(predicted.map((actions) => actions.map(({ type, success }) => [type, success]))).toEqual(
      Array(2).fill([["jetton_transfer", true]]),
    );
    await land(...messages);
    for (const [at, external] of sent.entries()) {
      expect(await tracesOf(external)).toEqual([]);
      expect(await actionsOf(external, "actions")).toEqual(predicted[at]);
      const [settled] = listOf(await ask("traces", { msg_hash: external }), "traces");
      expect(fates(settled).map((fate) => [...fate.slice(0, 3), true, "pending"])).toEqual(predictedFates[at]);
    }
    expect(live.pending.counters()).toMatchObject({ traces: 0, bytes: 0, refused: 0, failed: 0 });
  });

  it("are shown in order: the second one lacks what the first one spends", async () => {
    const { bob, carol } = demo.people;
    const [wallet] = listOf(
      await ask("jetton/wallets", { owner_address: bob.address, jetton_address: demo.jetton.minter }),
      "jetton_wallets",
    );
    const all = BigInt(String(wallet?.balance));
    const messages = [transfer(bob, 0, carol.address, all), transfer(bob, 1, carol.address, 1n)] as const;
    const [first, second] = [await send(messages[0]), await send(messages[1])];
    // A transfer that the jetton wallet rejects is not a jetton transfer.
    const meaning = (actions: JsonList) => actions.map(({ type, success }) => [type, success]);
    const meanings = async (external: string) => meaning(await actionsOf(external));
    const failed = [
      ["call_contract", true],
      ["call_contract", false],
    ];
    expect([await meanings(first), await meanings(second)]).toEqual([[["jetton_transfer", true]], failed]);
    await land(messages[0]);
    expect(await tracesOf(first)).toEqual([]);
    // The old prediction is based on an outdated state, so it is computed again on the chain's current states.
    expect(await meanings(second)).toEqual(failed);
    await land(messages[1]);
    // The bounce is a separate action without the first transaction.
    expect([await tracesOf(second), meaning(await actionsOf(second, "actions"))]).toEqual([[], failed.slice(1)]);
  });
});

describe("a message after one that the chain never accepts", () => {
  it("is dropped with it, and neither appears again", async () => {
    const { alice, carol } = demo.people;
    const first = await send(transfer(alice, 0, carol.address, coin));
    await chain.clock.advance(300_000);
    const second = await send(transfer(alice, 1, carol.address, coin));
    expect([(await tracesOf(first)).length, (await tracesOf(second)).length]).toEqual([1, 1]);
    await chain.clock.advance(300_000);
    await live.pending.idle();
    expect([await tracesOf(first), await tracesOf(second)]).toEqual([[], []]);
    expect(await ask("pendingTransactions", { account: alice.address })).toEqual({
      code: 404,
      error: "emulated traces not found",
    });
  });
});
