import { describe, expect, it } from "vitest";
import { type Builder, beginCell } from "../../../src/cell/Builder.ts";
import { writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { sliceOf } from "../../../src/cell/Slice.ts";
import type { FullTransaction } from "../../../src/history/queries/fill/FullTransaction.ts";
import { mayChangeWallet, sumJettonChanges, walletChange } from "../../../src/history/queries/jettonChanges.ts";
import { makeAddress } from "../../../src/model/Address.ts";
import { sameDigits } from "../../kit/api/v3/v3Stage.ts";

const at = (digit: string) => makeAddress(0, sameDigits(digit));
const [alice, bob, gold, silver] = [at("1"), at("2"), at("a"), at("b")];
const wallets = new Map([
  [at("3"), { owner: alice, jetton: gold }],
  [at("4"), { owner: bob, jetton: gold }],
  [at("5"), { owner: alice, jetton: silver }],
]);

const about = (builder: Builder, amount: bigint) => builder.storeBigUint(7n, 64).storeCoins(amount).cell();
const reported = (opcode: number, amount: bigint) => about(beginCell().storeUint(opcode, 32), amount);
const bounced = (opcode: number, amount: bigint) =>
  about(beginCell().storeUint(0xffffffff, 32).storeUint(opcode, 32), amount);

const [transfer, internal, burn, notification] = [0x0f8a7ea5, 0x178d4519, 0x595f07bc, 0x7bdd97de];

/** A transaction of an account that received this body; no other field is used. */
function got(account: string, body: Cell | undefined, aborted = false): FullTransaction {
  const inMessage = body && { row: { opcode: sliceOf(body).loadUint(32) }, body: { boc: writeBoc(body) } };
  return { row: { account: at(account), aborted }, inMessage } as unknown as FullTransaction;
}

describe("the balance of a jetton wallet", () => {
  it.each([
    ["falls by a transfer", reported(transfer, 5n), -5n],
    ["rises by what it is sent, or minted", reported(internal, 5n), 5n],
    ["falls by a burn", reported(burn, 5n), -5n],
    ["rises by what comes back", bounced(internal, 5n), 5n],
    ["rises by a burn that the minter did not take", bounced(notification, 5n), 5n],
    ["stays with what else comes back", bounced(transfer, 5n), 0n],
    ["stays with everything else", reported(0xd53276db, 5n), 0n],
    ["stays with what cannot be read", beginCell().storeUint(transfer, 32).cell(), 0n],
    ["stays with nothing", undefined, 0n],
  ])("%s", (_rule, body, change) => {
    expect([walletChange(got("3", body)), walletChange(got("3", body, true))]).toEqual([change, 0n]);
    if (change !== 0n) expect(mayChangeWallet(got("3", body))).toBe(true);
  });

  it("is summed by owner and jetton, without zero sums and other accounts", () => {
    const transactions = [
      got("3", reported(transfer, 5n)),
      got("4", reported(internal, 5n)),
      got("4", reported(transfer, 2n)),
      got("3", reported(internal, 2n)),
      got("5", reported(transfer, 9n)),
      got("5", bounced(internal, 9n)),
      got("9", reported(internal, 1n)),
    ];
    expect(sumJettonChanges(transactions, wallets)).toEqual(
      new Map([
        [alice, new Map([[gold, -3n]])],
        [bob, new Map([[gold, 3n]])],
      ]),
    );
  });
});
