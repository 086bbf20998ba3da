import { describe, expect, it } from "vitest";
import { rebuild } from "../../../src/cell/augmentedEdits.ts";
import { loadCell } from "../../../src/cell/codec.ts";
import { makeDictionary } from "../../../src/cell/dictionary.ts";
import { bigUintKey } from "../../../src/cell/keys.ts";
import { Linked } from "../../../src/cell/linked.ts";
import { listDispatchAccounts, listDispatchMessages } from "../../../src/localnet/answers/dispatchQueues.ts";
import { Block } from "../../../src/model/block/Block.ts";
import { EnqueuedMsg, OutMsgQueueInfo } from "../../../src/model/block/OutMsgQueue.ts";
import { ShardStateUnsplit } from "../../../src/model/block/ShardState.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { MessageEnvelope } from "../../../src/model/MessageEnvelope.ts";
import { importSplitChain } from "../../kit/localnet/splitChain.ts";
import { fixtureBlocks } from "../../kit/model/fixtureChain.ts";

/** Envelopes of real messages that name the account that started their chain. */
function readEnvelopes(): Linked<MessageEnvelope>[] {
  return fixtureBlocks("traffic").flatMap((root) => {
    const linkeds: Linked<MessageEnvelope>[] = [];
    loadCell(Block, root)
      .extra.load()
      .inMessages.load()
      .forEach((entry) => {
        if (entry.kind !== "immediate" && entry.kind !== "final") return;
        const { cell } = entry.inEnvelope;
        const envelope = loadCell(MessageEnvelope, cell);
        if (envelope.kind === "v2" && envelope.metadata !== undefined) linkeds.push(new Linked(cell, MessageEnvelope));
      });
    return linkeds;
  });
}

const envelopes = readEnvelopes();
const accounts = ["01", "40", "fe"].map((byte) => byte.repeat(32) as Hash);

/** A queue with `counts` messages per account, at the logical times 100, 200, … */
function queueWith(counts: readonly number[]): OutMsgQueueInfo {
  const ledger = importSplitChain();
  const state = loadCell(ShardStateUnsplit, ledger.state(ledger.headId));
  const info = loadCell(OutMsgQueueInfo, state.outMsgQueueInfo.cell);
  if (info.extra === undefined) throw new Error("a state without a dispatch queue");
  const entries = counts.map((count, i) => {
    const waiting = envelopes.slice(0, count).map((envelope, j): [bigint, EnqueuedMsg] => {
      const lt = BigInt(j + 1) * 100n;
      return [lt, { enqueuedLt: lt, envelope }];
    });
    const messages = makeDictionary(bigUintKey(64), EnqueuedMsg, waiting);
    return [accounts[i] ?? accounts[0], { messages, count }, 100n] as [
      Hash,
      { messages: typeof messages; count: number },
      bigint,
    ];
  });
  return { ...info, extra: { ...info.extra, dispatchQueue: rebuild(info.extra.dispatchQueue, entries) } };
}

function ids(found: readonly { readonly account: Hash; readonly lt: bigint }[]): string[] {
  return found.map(({ account, lt }) => `${account.slice(0, 2)}:${lt}`);
}

describe("the accounts of a dispatch queue", () => {
  const info = queueWith([2, 3, 1]);

  it("are listed with their sizes and times", () => {
    const { accountDispatchQueues: queues, complete } = listDispatchAccounts(info, undefined, 64);
    expect(complete).toBe(true);
    expect(queues.map(({ size, minLt, maxLt }) => [size, minLt, maxLt])).toEqual([
      [2n, 100n, 200n],
      [3n, 100n, 300n],
      [1n, 100n, 100n],
    ]);
  });

  it("are listed after one of them, up to the requested number", () => {
    const names = (list: ReturnType<typeof listDispatchAccounts>) => [
      list.accountDispatchQueues.map(({ addr }) => addr[0]),
      list.complete,
    ];
    expect(names(listDispatchAccounts(info, undefined, 2))).toEqual([[0x01, 0x40], false]);
    expect(names(listDispatchAccounts(info, accounts[1], 2))).toEqual([[0xfe], true]);
    expect(names(listDispatchAccounts(info, accounts[2], 2))).toEqual([[], true]);
    expect(names(listDispatchAccounts(queueWith([]), undefined, 2))).toEqual([[], true]);
  });
});

describe("the messages of a dispatch queue", () => {
  const info = queueWith([2, 3, 1]);
  const from = (account: Hash | undefined, afterLt: bigint, max: number, oneAccount = false) => {
    const { found, complete } = listDispatchMessages(info, {
      account: account ?? accounts[0] ?? fail(),
      afterLt,
      oneAccount,
      max,
    });
    return [ids(found), complete];
  };

  it("are listed by account, then by logical time", () => {
    expect(from(undefined, 0n, 64)).toEqual([["01:100", "01:200", "40:100", "40:200", "40:300", "fe:100"], true]);
    expect(from("00".repeat(32) as Hash, 0n, 3)).toEqual([["01:100", "01:200", "40:100"], false]);
  });

  it("are listed after a logical time of the first account", () => {
    expect(from(accounts[1], 100n, 64)).toEqual([["40:200", "40:300", "fe:100"], true]);
    expect(from(accounts[1], 300n, 64)).toEqual([["fe:100"], true]);
  });

  it("are listed for one account alone", () => {
    expect(from(accounts[1], 0n, 64, true)).toEqual([["40:100", "40:200", "40:300"], true]);
    expect(from("41".repeat(32) as Hash, 0n, 64, true)).toEqual([[], true]);
  });

  it("have the initiator of their trace", () => {
    const [first] = listDispatchMessages(info, {
      account: accounts[0] ?? fail(),
      afterLt: 0n,
      oneAccount: false,
      max: 1,
    }).found;
    expect(first?.metadata).toMatchObject({ mode: 0, initiator: { workchain: expect.any(Number) } });
    expect(first?.message.hash()).toBe(envelopes[0]?.load().message.cell.hash());
  });
});

function fail(): never {
  throw new Error("no such account");
}
