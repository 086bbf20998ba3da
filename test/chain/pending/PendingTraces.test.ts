import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeFacts } from "../../../kit/contracts/corpusFacts.ts";
import { writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { LiveChains } from "../../../src/chain/LiveChains.ts";
import { usualPending } from "../../../src/chain/pending/PendingOptions.ts";
import { PendingStore } from "../../../src/chain/pending/PendingStore.ts";
import { type PendingModules, PendingTraces } from "../../../src/chain/pending/PendingTraces.ts";
import type { SentMessage } from "../../../src/chain/SentMessage.ts";
import { sendMessage } from "../../../src/chain/send.ts";
import { serverSource } from "../../../src/chain/serverSource.ts";
import { LibError } from "../../../src/lib/errors.ts";
import { type Address, makeAddress } from "../../../src/model/Address.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { quietLog } from "../../kit/api/apiServer.ts";
import { type ChainKit, openChainKit, type TestChain } from "../../kit/localnet/localChain.ts";
import { deferred } from "../../kit/suite/deferred.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

const hashOf = (digit: string) => digit.repeat(64) as Hash;
const [one, two] = [makeAddress(0, hashOf("1")), makeAddress(0, hashOf("2"))];

function entry(digit: string): { readonly sent: SentMessage } {
  return { sent: { hash: hashOf(digit), normalizedHash: `${digit}0`.repeat(32) as Hash } };
}

describe("the store of pending traces", () => {
  const bounds = { expiryMs: 1000, maxTraces: 3, maxBytes: 100 };
  const [a, b, c, d] = [entry("a"), entry("b"), entry("c"), entry("d")] as const;

  it("finds by either hash of the message and by account", () => {
    const shelf = new PendingStore(bounds, new ManualClock());
    shelf.put(a, [one, two, one], 10);
    shelf.put(b, [two], 10);
    expect([shelf.find(a.sent.hash), shelf.find(a.sent.normalizedHash)]).toEqual([a, a]);
    expect([shelf.listOf(one), shelf.listOf(two), shelf.find(c.sent.hash)]).toEqual([[a], [a, b], undefined]);
  });

  it("drops traces that waited too long", async () => {
    const clock = new ManualClock();
    const shelf = new PendingStore(bounds, clock);
    shelf.put(a, [one], 10);
    await clock.advance(500);
    shelf.put(b, [one], 10);
    await clock.advance(500);
    expect([shelf.listOf(one), shelf.size, shelf.bytes]).toEqual([[b], 1, 10]);
    await clock.advance(500);
    expect([shelf.find(b.sent.hash), shelf.size, shelf.bytes]).toEqual([undefined, 0, 0]);
  });

  it("keeps the latest within its limits, and nothing that is too large alone", () => {
    const shelf = new PendingStore(bounds, new ManualClock());
    for (const each of [a, b, c, d]) shelf.put(each, [one], 10);
    expect(shelf.listOf(one)).toEqual([b, c, d]);
    shelf.put(a, [one], 85);
    expect([shelf.listOf(one), shelf.bytes]).toEqual([[d, a], 95]);
    shelf.put(b, [one], 101);
    expect([shelf.listOf(one), shelf.bytes]).toEqual([[d, a], 95]);
  });

  it("drops exactly the given trace, not a later one of the same message", () => {
    const shelf = new PendingStore(bounds, new ManualClock());
    const again = { ...a };
    shelf.put(a, [one], 10);
    shelf.put(again, [two], 20);
    shelf.drop(a);
    expect([shelf.find(a.sent.hash), shelf.listOf(one), shelf.listOf(two), shelf.bytes]).toEqual([
      again,
      [],
      [again],
      20,
    ]);
    shelf.drop(again);
    expect([shelf.size, shelf.bytes]).toEqual([0, 0]);
  });
});

describe("sent messages", () => {
  let kit: ChainKit;
  let chain: TestChain;

  beforeAll(async () => {
    kit = await openChainKit();
    chain = await kit.open();
  });

  afterAll(() => kit.close());

  interface Stage {
    readonly pending: PendingTraces;
    send(message: Cell): Promise<SentMessage>;
  }

  function openStage(options: Partial<typeof usualPending> = {}, parts: Partial<PendingModules> = {}): Stage {
    const { lite, ledger } = chain.net;
    const { clock } = chain;
    const source = serverSource(lite, () => ({ block: ledger.headId, genUtime: ledger.head?.info.genUtime ?? 0 }));
    const pending = new PendingTraces(
      { ...usualPending, ...options },
      {
        openChain: (access, signal) => chains.open({ access, signal }),
        gatherFacts: async () => makeFacts({}),
        clock,
        log: quietLog,
        ...parts,
      },
    );
    const onSent: PendingTraces["add"] = (message, sent, access) => pending.add(message, sent, access);
    const common = { source, executor: kit.executor, clock, zeroState: ledger.zero.id };
    const chains = new LiveChains({ ...common, onSent });
    const send = (root: Cell) => {
      const opened = chains.open({ access: "public", signal: new AbortController().signal });
      return sendMessage(opened, { root, bytes: writeBoc(root) });
    };
    return { pending, send };
  }

  const pay = (index: number, to: Address = chain.wallet(0).address) =>
    chain.sign(chain.wallet(index), { to, amount: 1_000n });
  const none = { traces: 0, bytes: 0, emulated: 0, again: 0, resumed: 0, refused: 0, failed: 0, unclassified: 0 };

  it("are run once with everything they cause, however they are found", async () => {
    const { pending, send } = openStage();
    const message = pay(1);
    const sent = await send(message);
    await send(message);
    await pending.idle();
    const pendingTrace = pending.find(sent.normalizedHash);
    expect([pending.find(sent.hash), pending.listOf(chain.wallet(0).address), pending.listOf(one)]).toEqual([
      pendingTrace,
      [pendingTrace],
      [],
    ]);
    expect(pendingTrace?.trace.transactions.map(({ account, emulated }) => [account, emulated])).toEqual([
      [chain.wallet(1).address, true],
      [chain.wallet(0).address, true],
    ]);
    expect(pendingTrace?.classification?.actions.map(({ type }) => type)).toEqual(["ton_transfer"]);
    expect(pending.counters()).toEqual({ ...none, traces: 1, bytes: expect.any(Number), emulated: 1 });
    await pending.close();
    expect(pending.counters()).toMatchObject({ traces: 0, bytes: 0 });
  });

  it("are returned within the limits", async () => {
    const { pending, send } = openStage({ maxTransactions: 1 });
    const sent = await send(pay(2));
    await pending.idle();
    const pendingTrace = pending.find(sent.hash);
    expect([pendingTrace?.transactions.length, pendingTrace?.left]).toEqual([1, 1]);
    await pending.close();
  });

  it("that their account does not accept are only counted", async () => {
    const { pending } = openStage();
    const wallet = chain.wallet(3);
    const message = chain.sign(wallet, { to: one, amount: 1n });
    await chain.submit(message);
    await chain.rounds(2);
    pending.add(message, { hash: message.hash(), normalizedHash: hashOf("5") }, "public");
    await pending.idle();
    expect(pending.counters()).toEqual({ ...none, refused: 1 });
    await pending.close();
  });

  it("are sent even if they cannot be run", async () => {
    const away = () => {
      throw new LibError("lib/aborted", "nobody is there");
    };
    const { pending, send } = openStage({}, { openChain: away });
    const message = pay(4);
    expect((await send(message)).hash).toBe(message.hash());
    await pending.idle();
    expect(pending.counters()).toEqual({ ...none, failed: 1 });
    await pending.close();
  });

  it("are returned without classification when facts cannot be gathered", async () => {
    const gatherFacts = async () => {
      throw new LibError("lib/aborted", "no index");
    };
    const { pending, send } = openStage({}, { gatherFacts });
    const sent = await send(pay(5));
    await pending.idle();
    expect(pending.find(sent.hash)?.classification).toBeUndefined();
    expect(pending.counters()).toMatchObject({ traces: 1, emulated: 1, unclassified: 1 });
    await pending.close();
  });

  it("are dropped when too many wait, and none is run after the end", async () => {
    const gate = deferred();
    const gatherFacts = async () => {
      await gate.promise;
      return makeFacts({});
    };
    const { pending, send } = openStage({ maxRunning: 1, maxWaiting: 1 }, { gatherFacts });
    const running = await send(pay(6));
    const waiting = await send(pay(7));
    const tooMany = await send(pay(8));
    gate.resolve();
    await pending.idle();
    expect([running, waiting, tooMany].map(({ hash }) => pending.find(hash) !== undefined)).toEqual([
      true,
      true,
      false,
    ]);
    expect(pending.counters()).toMatchObject({ traces: 2, failed: 1 });
    await pending.close();
    await send(pay(9));
    await pending.idle();
    expect(pending.counters()).toMatchObject({ traces: 0, emulated: 2 });
  });
});
