import { expect, it } from "vitest";
import { emptyCell } from "../../../src/cell/Builder.ts";
import { storeCell } from "../../../src/cell/codec.ts";
import { makeLinked } from "../../../src/cell/linked.ts";
import { Account, type ShardAccount } from "../../../src/model/Account.ts";
import { makeAddress } from "../../../src/model/Address.ts";
import type { CurrencyCollection } from "../../../src/model/Currency.ts";
import { zeroHash } from "../../../src/model/Hash.ts";
import { Message } from "../../../src/model/Message.ts";
import { extraCurrencies } from "../../../src/model/Money.ts";
import { transactionExecutor } from "../../kit/tvm/transactionExecutor.ts";
import { makeActiveAccount, makeModesCode, readSmallConfig, testAddress, testNow } from "../../kit/tvm/tvmValues.ts";

const environment = { config: readSmallConfig(), now: testNow, lt: 2_000n, randomSeed: zeroHash };
const dest = makeAddress(0, "cd".repeat(32));
const takesAll = 128;
const takesMessage = 64;
const skipsFailure = 2;
const executor = transactionExecutor();

it("a tick has the rest of a message, nothing, after a message took everything", async () => {
  const code = makeModesCode(dest, takesAll, takesMessage + skipsFailure);
  const account = makeActiveAccount(makeAddress(-1, "ab".repeat(32)), code);
  const outcome = await executor.runTickTock({ ...environment, account, which: "tick" });
  if (outcome.kind !== "done") throw new Error(outcome.reason);
  const { description } = outcome.transaction;
  expect(description.kind === "tickTock" && description.action).toMatchObject({
    ...{ success: true, totalActions: 2, messagesCreated: 1, skippedActions: 1 },
  });
});

it("a tick without such a message has no outcome", async () => {
  const account = makeActiveAccount(makeAddress(-1, "ab".repeat(32)), makeModesCode(dest, takesMessage));
  const outcome = executor.runTickTock({ ...environment, account, which: "tick" });
  await expect(outcome).rejects.toMatchObject({ code: "tvm/undefined" });
});

it("a sum that no block can hold has no outcome", async () => {
  const max: CurrencyCollection = {
    coins: 1_000_000_000n,
    extra: extraCurrencies(undefined).set(7, 2n ** 248n - 1n),
  };
  const message = storeCell(Message, {
    info: {
      ...{ kind: "internal", ihrDisabled: true, bounce: true, bounced: false, src: dest, dest: testAddress },
      ...{ value: max, extraFlags: 0n, fwdFee: 0n, createdLt: 1_000n, createdAt: testNow },
    },
    ...{ init: undefined, body: emptyCell, initPlace: "inline", bodyPlace: "inline" },
  });
  const outcome = executor.runTransaction({ ...environment, account: withBalance(max), message });
  await expect(outcome).rejects.toMatchObject({ code: "tvm/undefined" });
});

function withBalance(balance: CurrencyCollection): ShardAccount {
  const shard = makeActiveAccount(testAddress, emptyCell);
  const account = shard.account.load();
  if (account.kind === "none") throw new Error("no account");
  return { ...shard, account: makeLinked(Account, { ...account, storage: { ...account.storage, balance } }) };
}
