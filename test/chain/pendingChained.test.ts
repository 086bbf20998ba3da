import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { Cell } from "../../src/cell/Cell.ts";
import type { PendingTrace } from "../../src/chain/pending/PendingTrace.ts";
import { signTransfers, type Transfer } from "../../src/localnet/wallets/transfer.ts";
import type { Address } from "../../src/model/Address.ts";
import { openPendingStage, type PendingStage } from "../kit/chain/pendingStage.ts";
import { openChainKit, type TestChain } from "../kit/localnet/localChain.ts";

const coin = 1_000_000_000n;

const kit = await openChainKit();
let chain: TestChain;
let stage: PendingStage;

afterAll(() => kit.close());

beforeEach(async () => {
  chain = await kit.open();
  stage = openPendingStage(chain, kit.executor);
  return () => stage.pending.close();
});

/** A wallet whose messages have a seqno, and another one. */
const [payer, friend] = [() => chain.wallet(1), () => chain.wallet(2)];

/** A message with the wallet's next seqno plus `ahead`. */
function sign(ahead: number, transfer: Transfer, validForSeconds = 3600): Cell {
  const wallet = payer();
  const options = { seqno: chain.seqno(wallet) + ahead, now: chain.net.clock.seconds, validForSeconds };
  return signTransfers(wallet, [transfer], options);
}

const pay = (amount: bigint, to: Address = friend().address): Transfer => ({ to, amount });

/** Account, failure and resulting balance of each transaction. */
function reported(trace: PendingTrace | undefined) {
  return trace?.transactions.map(({ seen, after }) => [seen.account, seen.aborted, after.balance.coins]);
}

const coinsAfter = (trace: PendingTrace | undefined, account: Address) =>
  trace?.transactions.findLast(({ seen }) => seen.account === account)?.after.balance.coins;

describe("a message sent before the previous one is on the chain", () => {
  it("is run on the result of the previous one, on every account", async () => {
    const [first, second] = [await stage.note(sign(0, pay(coin))), await stage.note(sign(1, pay(2n * coin)))];
    const [a, b] = [first, second].map(({ hash }) => stage.pending.find(hash));
    const { address } = friend();
    expect([a, b].map((trace) => reported(trace)?.map(([account, aborted]) => [account, aborted]))).toEqual(
      Array(2).fill([
        [payer().address, false],
        [address, false],
      ]),
    );
    const before = chain.balance(address);
    const gained = (trace: PendingTrace | undefined) => Number((coinsAfter(trace, address) ?? 0n) - before) / 1e9;
    expect([gained(a), gained(b)].map(Math.round)).toEqual([1, 3]);
    expect(b?.transactions[0]?.before.hash).toBe(a?.transactions[0]?.after.hash);
    expect(b?.transactions[1]?.before.hash).toBe(a?.transactions[1]?.after.hash);
    expect([a?.standsOn, b?.standsOn]).toEqual([[], [first.normalizedHash]]);
    expect(a?.afterLt).toBe(b?.afterLt);
    expect(stage.pending.counters()).toMatchObject({ traces: 2, emulated: 2, again: 0, refused: 0 });
  });

  it("is run on the effect of another wallet's message on a shared account", async () => {
    const shared = chain.wallet(4).address;
    const first = await stage.note(sign(0, pay(coin, shared)));
    const second = await stage.note(chain.sign(chain.wallet(3), pay(coin, shared)));
    const trace = stage.pending.find(second.hash);
    expect(trace?.standsOn).toEqual([first.normalizedHash]);
    const before = stage.pending.find(first.hash)?.transactions.findLast(({ seen }) => seen.account === shared);
    expect(trace?.transactions.find(({ seen }) => seen.account === shared)?.before.hash).toBe(before?.after.hash);
  });

  it("is run again on the chain when the other is confirmed, and both are dropped in the end", async () => {
    const messages = [sign(0, pay(coin)), sign(1, pay(2n * coin))] as const;
    const [first, second] = [await stage.note(messages[0]), await stage.note(messages[1])];
    const predicted = stage.pending.find(second.hash);
    await chain.submit(messages[0]);
    await chain.rounds(2);
    const { pending } = stage;
    pending.drop(pending.find(first.hash) as PendingTrace, chain.net.ledger.headId.seqno);
    await pending.idle();
    const again = pending.find(second.hash);
    expect(again).not.toBe(predicted);
    expect([again?.standsOn, again?.transactions.map(({ seen }) => seen.aborted)]).toEqual([[], [false, false]]);
    expect(again?.afterLt).toBe(chain.net.account(payer().address).lastTransactionLt);
    await chain.submit(messages[1]);
    await chain.rounds(2);
    expect(coinsAfter(again, friend().address)).toBe(chain.balance(friend().address));
    pending.drop(again as PendingTrace, chain.net.ledger.headId.seqno);
    expect(pending.counters()).toMatchObject({ traces: 0, bytes: 0, emulated: 3, again: 1, refused: 0, failed: 0 });
  });

  it("is unchanged while its server has not seen the block that confirmed the other", async () => {
    const [first, second] = [await stage.note(sign(0, pay(coin))), await stage.note(sign(1, pay(coin)))];
    const { pending } = stage;
    const predicted = pending.find(second.hash);
    pending.drop(pending.find(first.hash) as PendingTrace, chain.net.ledger.headId.seqno + 1);
    await pending.idle();
    expect(pending.find(second.hash)).toBe(predicted);
  });

  it("stays when it is on the chain itself, until the index has it", async () => {
    const messages = [sign(0, pay(coin)), sign(1, pay(coin))] as const;
    const [first, second] = [await stage.note(messages[0]), await stage.note(messages[1])];
    for (const message of messages) {
      await chain.submit(message);
      await chain.rounds(1);
    }
    const { pending } = stage;
    const predicted = pending.find(second.hash);
    pending.drop(pending.find(first.hash) as PendingTrace, chain.net.ledger.headId.seqno);
    await pending.idle();
    expect(pending.find(second.hash)).toBe(predicted);
    expect(pending.counters()).toMatchObject({ traces: 1, refused: 0 });
  });

  it("is dropped with the other when that has waited too long: its account would not accept it", async () => {
    const first = await stage.note(sign(0, pay(coin)));
    await chain.clock.advance(300_000);
    const second = await stage.note(sign(1, pay(coin)));
    const { pending } = stage;
    expect(reported(pending.find(second.hash))).toHaveLength(2);
    await chain.clock.advance(299_000);
    expect(pending.find(first.hash)).toBeDefined();
    await chain.clock.advance(1_000);
    await pending.idle();
    expect([pending.find(first.hash), pending.find(second.hash)]).toEqual([undefined, undefined]);
    expect(pending.counters()).toMatchObject({ traces: 0, refused: 1 });
  });

  it("is not run on the effect of an expired message", async () => {
    const first = await stage.note(sign(0, pay(coin), 60));
    await chain.clock.advance(60_000);
    const second = await stage.note(sign(1, pay(coin)));
    const { pending } = stage;
    expect([pending.find(first.hash), pending.find(second.hash)]).toEqual([undefined, undefined]);
    const third = await stage.note(sign(0, pay(coin)));
    expect(pending.find(third.hash)?.standsOn).toEqual([]);
  });

  it("is run on the current chain when it has advanced, after a new run of the other", async () => {
    const first = await stage.note(sign(0, pay(coin)));
    await chain.send(chain.wallet(5), { to: payer().address, amount: 7n * coin });
    await chain.rounds(2);
    const second = await stage.note(sign(1, pay(coin)));
    const { pending } = stage;
    const [a, b] = [pending.find(first.hash), pending.find(second.hash)];
    expect(b?.standsOn).toEqual([first.normalizedHash]);
    expect([a?.afterLt, b?.afterLt]).toEqual(Array(2).fill(chain.net.account(payer().address).lastTransactionLt));
    expect(b?.transactions[0]?.before.hash).toBe(a?.transactions[0]?.after.hash);
    expect(pending.counters()).toMatchObject({ traces: 2, refused: 0 });
  });

  it("is run on the chain alone when the other is committed, before that is known", async () => {
    const message = sign(0, pay(coin));
    const first = await stage.note(message);
    await chain.submit(message);
    await chain.rounds(2);
    const second = await stage.note(sign(0, pay(2n * coin)));
    const { pending } = stage;
    expect(pending.find(second.hash)).toMatchObject({ standsOn: [] });
    expect(pending.find(second.hash)?.transactions.map(({ seen }) => seen.aborted)).toEqual([false, false]);
    expect(pending.find(first.hash)).toBeDefined();
  });

  it("keeps its prediction when it cannot be run again", async () => {
    let isAway = false;
    const away = openPendingStage(chain, {
      ...kit.executor,
      runTransaction: (...args) =>
        isAway ? Promise.reject(new Error("no machine")) : kit.executor.runTransaction(...args),
      runGetMethod: (...args) => kit.executor.runGetMethod(...args),
    } as typeof kit.executor);
    const [first, second] = [await away.note(sign(0, pay(coin))), await away.note(sign(1, pay(coin)))];
    const predicted = away.pending.find(second.hash);
    isAway = true;
    away.pending.drop(away.pending.find(first.hash) as PendingTrace);
    await away.pending.idle();
    expect(away.pending.find(second.hash)).toBe(predicted);
    expect(away.pending.counters()).toMatchObject({ traces: 1, failed: 1 });
    await away.pending.close();
  });
});
