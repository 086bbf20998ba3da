import { expect, it } from "vitest";
import { locateResult, locateSource, type MessageKey } from "../../src/chain/locate.ts";
import { LibError } from "../../src/lib/libErrors.ts";
import { plainAddress } from "../../src/model/Address.ts";
import type { Message } from "../../src/model/Message.ts";
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

it("finds who took in every message between accounts, over a split of shards", async () => {
  let count = 0;
  for (const transaction of transactions) {
    const key = findKey(transaction.messages.in);
    if (key === undefined) continue;
    expect((await locateResult(chain, key)).transaction.cell.hash()).toBe(transaction.cell.hash());
    count++;
  }
  expect(count).toBeGreaterThan(20);
});

it("finds who took in every message however long it waited, by the account's own history", async () => {
  const keys = transactions.flatMap((transaction) => {
    const key = findKey(transaction.messages.in);
    return key === undefined ? [] : [{ key, hash: transaction.cell.hash() }];
  });
  for (const { key, hash } of keys) {
    const located = await locateResult(chain, key, { blocks: 0, stride: 1 });
    expect(located.transaction.cell.hash()).toBe(hash);
  }
  const [first] = keys;
  if (first === undefined) throw new Error("the chain has no message");
  const other = { ...first.key, createdLt: first.key.createdLt + 1n };
  const absent = locateResult(chain, other, { blocks: 0, stride: 1 });
  await expect(absent).rejects.toMatchObject({ code: "chain/not-found" });
});

it("gives up when the caller does", async () => {
  const [key] = transactions.flatMap(({ messages }) => findKey(messages.in) ?? []);
  if (key === undefined) throw new Error("the chain has no message");
  const reason = new LibError("lib/deadline", "time was up");
  const late = { ...chain, asking: { ...chain.asking, signal: AbortSignal.abort(reason) } };
  await expect(locateResult(late, key)).rejects.toBe(reason);
});

it("finds who sent every message between accounts", async () => {
  for (const transaction of transactions)
    for (const message of transaction.messages.out.values()) {
      const key = findKey(message);
      if (key === undefined) continue;
      expect((await locateSource(chain, key)).transaction.cell.hash()).toBe(transaction.cell.hash());
    }
});

it("says that there is no such message, and leaves the words about the future to the server", async () => {
  const [key] = transactions.flatMap(({ messages }) => findKey(messages.in) ?? []);
  if (key === undefined) throw new Error("the chain has no message");
  const other = { ...key, createdLt: key.createdLt + 1n };
  await expect(locateResult(chain, other)).rejects.toMatchObject({ code: "chain/not-found" });
  await expect(locateSource(chain, other)).rejects.toMatchObject({ code: "chain/not-found" });
  const future = { ...key, createdLt: 10n ** 15n };
  await expect(locateResult(chain, future)).rejects.toMatchObject({ code: "lite/server" });
});
