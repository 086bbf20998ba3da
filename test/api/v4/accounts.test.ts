import { Value } from "typebox/value";
import { expect, it } from "vitest";
import { accountAnswer, accountLiteAnswer } from "../../../src/api/v4/shapes/accounts.ts";
import { beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import type { AccountContent, AccountNow } from "../../../src/chain/accounts.ts";
import { parseAddress } from "../../../src/model/Address.ts";
import { noCurrency } from "../../../src/model/Currency.ts";
import { hashToBase64, zeroHash } from "../../../src/model/Hash.ts";

const block = { workchain: -1, shard: 1n << 63n, seqno: 7, rootHash: zeroHash, fileHash: zeroHash };
const code = beginCell().storeUint(5, 8).cell();

/** An account with extra currencies and a debt. */
function accountWith(content: AccountContent): AccountNow {
  return {
    ...{ address: parseAddress(`0:${"1".repeat(64)}`).address, block, shardBlock: block, syncAt: 1, content },
    balance: { coins: 5n, extra: noCurrency.extra.set(100, 7n).set(2 ** 31, 10n ** 30n) },
    lastTransaction: { lt: 9n, hash: zeroHash },
    storage: { used: { cells: 2, bits: 3 }, extra: { kind: "none" }, lastPaid: 4, duePayment: 6n },
    entry: undefined,
  };
}

const zero = hashToBase64(zeroHash);
const rest = {
  balance: { coins: "5", currencies: { "100": "7", "2147483648": String(10n ** 30n) } },
  last: { lt: "9", hash: zero },
  storageStat: { lastPaid: 4, duePayment: "6", used: { bits: 3, cells: 2 } },
};

it.each([
  [
    { kind: "frozen", stateHash: zeroHash },
    { type: "frozen", stateHash: zero },
    { type: "frozen", stateHash: zero },
  ],
  [
    { kind: "active", code, data: undefined },
    { type: "active", code: expect.stringMatching(/^te6cc/), data: null },
    { type: "active", codeHash: hashToBase64(code.hash()), dataHash: hashToBase64(emptyCell.hash()) },
  ],
  [{ kind: "uninit" }, { type: "uninit" }, { type: "uninit" }],
] as const)("an account with currencies and a debt is shown as v4 has it: %j", (content, full, lite) => {
  const account = accountWith(content);
  const [shown, short] = [accountAnswer.encode(account), accountLiteAnswer.encode(account)];
  expect(shown).toMatchObject({
    account: { state: full, ...rest },
    block: { seqno: 7, shard: "-9223372036854775808" },
  });
  expect(short).toEqual({ account: { state: lite, ...rest } });
  expect([Value.Errors(accountAnswer.schema, shown), Value.Errors(accountLiteAnswer.schema, short)]).toEqual([[], []]);
});
