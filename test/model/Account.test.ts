import { describe, expect, it } from "vitest";
import { cellOf } from "../../kit/cell/anyCell.ts";
import { setEntry } from "../../src/cell/augmentedEdits.ts";
import { loadCell } from "../../src/cell/codec.ts";
import { Account, ShardAccount, ShardAccounts, StorageInfo } from "../../src/model/Account.ts";
import { coinsOnly } from "../../src/model/Currency.ts";
import { itHoldsForRandom } from "../kit/cell/checkCodec.ts";
import { anyAccount, anyShardAccount } from "../kit/model/blockValues.ts";
import { anyHash, sampleOf } from "../kit/model/modelValues.ts";
import { refusalCode } from "../kit/suite/refusal.ts";

describe("accounts", () => {
  itHoldsForRandom("Account", Account, anyAccount);
  itHoldsForRandom("ShardAccount", ShardAccount, anyShardAccount);

  it("that do not exist are a single bit", () => {
    expect(loadCell(Account, cellOf("0"))).toEqual({ kind: "none" });
  });

  it("of old states have no storage dictionary", () => {
    // used: no cells, no bits; the three bits of the old third counter; last paid; no due payment
    const info = loadCell(StorageInfo, cellOf(`000000000${"1".padStart(32, "0")}0`));
    expect(info).toEqual({
      used: { cells: 0, bits: 0 },
      extra: { kind: "none" },
      lastPaid: 1,
      duePayment: undefined,
    });
    expect(refusalCode(() => loadCell(StorageInfo, cellOf(`000000010${"0".repeat(33)}`)))).toBe("cell/tag");
  });

  it("of a shard are summed: balances added, the deepest split kept", () => {
    const empty = loadCell(ShardAccounts, cellOf("0".repeat(11)));
    const account = sampleOf(anyShardAccount);
    const [one, two] = [sampleOf(anyHash), sampleOf(anyHash)];
    const first = setEntry(empty, one, account, { splitDepth: 3, balance: coinsOnly(5n) });
    const both = setEntry(first, two, account, { splitDepth: 1, balance: coinsOnly(7n) });
    const { splitDepth, balance } = both.rootExtra();
    expect([splitDepth, balance.coins]).toEqual([3, 12n]);
    expect(empty.rootExtra()).toMatchObject({ splitDepth: 0, balance: { coins: 0n } });
  });
});
