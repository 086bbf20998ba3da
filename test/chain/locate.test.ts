import { expect, it } from "vitest";
import { locateResult, locateSource, type MessageKey } from "../../src/chain/locate.ts";
import { LibError } from "../../src/lib/errors.ts";
import type { LiteServer } from "../../src/lite/server/LiteServer.ts";
import { getTransactions } from "../../src/lite/tl/liteQueries.ts";
import { decodeQuery } from "../../src/lite/tl/queryEnvelope.ts";
import { LocalLiteServer } from "../../src/localnet/network/LocalLiteServer.ts";
import { makeAddress, plainAddress } from "../../src/model/Address.ts";
import { masterchain } from "../../src/model/block/BlockId.ts";
import type { Message } from "../../src/model/Message.ts";
import type { Transaction } from "../../src/model/Transaction.ts";
import { openChain } from "../kit/chain/openChain.ts";
import { listTransactions } from "../kit/localnet/ledgerTransactions.ts";
import { importSplitChain } from "../kit/localnet/splitChain.ts";

const ledger = importSplitChain();
const chain = openChain(ledger);
const transactions = listTransactions(ledger);

function findKey(message: Message | undefined): MessageKey | undefined {
  if (message?.info.kind !== "internal") return undefined;
  const { src, dest, createdLt } = message.info;
  return { source: plainAddress(src), destination: plainAddress(dest), createdLt };
}

it("finds the receiver of every message between accounts, across a shard split", async () => {
  let count = 0;
  for (const transaction of transactions) {
    const key = findKey(transaction.messages.in);
    if (key === undefined) continue;
    expect((await locateResult(chain, key)).transaction.cell.hash()).toBe(transaction.cell.hash());
    count++;
  }
  expect(count).toBeGreaterThan(20);
});

/** Whether the account was deleted later, so that its history starts later. */
function isForgotten({ account, lt }: Transaction): boolean {
  return transactions.some((other) => other.account === account && other.lt >= lt && other.endStatus === "nonexist");
}

it("finds the receiver of every message however long it waited, through the account's history", async () => {
  const keys = transactions.flatMap((transaction) => {
    const key = findKey(transaction.messages.in);
    return key === undefined || isForgotten(transaction) ? [] : [{ key, hash: transaction.cell.hash() }];
  });
  expect(keys.length).toBeGreaterThan(20);
  for (const { key, hash } of keys) {
    const located = await locateResult(chain, key, { blocks: 0, stride: 1, pages: 1000 });
    expect(located.transaction.cell.hash()).toBe(hash);
  }
  const [first] = keys;
  if (first === undefined) throw new Error("the chain has no message");
  const other = { ...first.key, createdLt: first.key.createdLt + 1n };
  const absent = locateResult(chain, other, { blocks: 0, stride: 1, pages: 1000 });
  await expect(absent).rejects.toMatchObject({ code: "chain/not-found" });
});

it("stops when the caller aborts", async () => {
  const [key] = transactions.flatMap(({ messages }) => findKey(messages.in) ?? []);
  if (key === undefined) throw new Error("the chain has no message");
  const reason = new LibError("lib/deadline", "time was up");
  const late = { ...chain, asking: { ...chain.asking, signal: AbortSignal.abort(reason) } };
  await expect(locateResult(late, key)).rejects.toBe(reason);
});

/** A server that records its queries. */
function notingServer(): LiteServer & { readonly asked: Uint8Array[] } {
  const server = new LocalLiteServer({ ledger });
  const asked: Uint8Array[] = [];
  return {
    asked,
    ask: (query, options) => {
      asked.push(query);
      return server.ask(query, options);
    },
    close: () => server.close(),
    destroy: (reason) => server.destroy(reason),
  };
}

/** An account with a late first transaction, and the key of a message to it from long before. */
function findLatecomer(): { readonly key: MessageKey; readonly firstLt: bigint } {
  const first = new Map<string, { readonly key: MessageKey; readonly firstLt: bigint }>();
  for (const { messages, lt } of transactions) {
    const key = findKey(messages.in);
    if (key !== undefined && lt < (first.get(key.destination)?.firstLt ?? lt + 1n))
      first.set(key.destination, { key, firstLt: lt });
  }
  const latest = [...first.values()].sort((a, b) => Number(b.firstLt - a.firstLt))[0];
  if (latest === undefined) throw new Error("the chain has no message");
  return latest;
}

it("searches few blocks for a time before the account's first transaction", async () => {
  const { key } = findLatecomer();
  const server = notingServer();
  for (const createdLt of [0n, 1n, 1_000_000n]) {
    server.asked.length = 0;
    const located = locateResult(openChain(ledger, server), { ...key, createdLt });
    await expect(located).rejects.toMatchObject({ code: "chain/not-found" });
    expect(server.asked.length).toBeLessThanOrEqual(32);
  }
});

it("reads no more pages of a history than allowed", async () => {
  const elector = makeAddress(masterchain, "3".repeat(64));
  const server = notingServer();
  const key = { source: elector, destination: elector, createdLt: 1_000_001n };
  const located = locateResult(openChain(ledger, server), key, { blocks: 1, stride: 64, pages: 2 });
  await expect(located).rejects.toMatchObject({ code: "chain/not-found" });
  expect(server.asked.filter((query) => decodeQuery(query).query === getTransactions)).toHaveLength(2);
});

it("finds no message in a block that is newer than the head of the request", async () => {
  const { key } = findLatecomer();
  const old = ledger.getMaster(3);
  const before = { ...chain, head: { block: old.id, genUtime: old.info.genUtime } };
  expect(old.info.endLt).toBeLessThan(key.createdLt);
  await expect(locateResult(before, key)).rejects.toMatchObject({ code: "chain/not-found" });
  await expect(locateSource(before, key)).rejects.toMatchObject({ code: "chain/not-found" });
});

it("finds the sender of every message between accounts", async () => {
  for (const transaction of transactions) {
    for (const message of transaction.messages.out.values()) {
      const key = findKey(message);
      if (key === undefined) continue;
      expect((await locateSource(chain, key)).transaction.cell.hash()).toBe(transaction.cell.hash());
    }
  }
});

it("reports a missing message, and returns the server's text about the future", async () => {
  const [key] = transactions.flatMap(({ messages }) => findKey(messages.in) ?? []);
  if (key === undefined) throw new Error("the chain has no message");
  const other = { ...key, createdLt: key.createdLt + 1n };
  await expect(locateResult(chain, other)).rejects.toMatchObject({ code: "chain/not-found" });
  await expect(locateSource(chain, other)).rejects.toMatchObject({ code: "chain/not-found" });
  const future = { ...key, createdLt: 10n ** 15n };
  await expect(locateResult(chain, future)).rejects.toMatchObject({ code: "lite/server" });
});
