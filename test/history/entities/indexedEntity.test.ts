import { describe, expect, it } from "vitest";
import { indexedEntities } from "../../../src/history/entities/indexedEntities.ts";
import { indexedEntity } from "../../../src/history/entities/indexedEntity.ts";
import { address, amount, int8 } from "../../../src/history/store/schema/columns.ts";
import { keepNewest } from "../../../src/history/store/schema/conflictRule.ts";
import { table } from "../../../src/history/store/schema/Table.ts";
import { accountNamed, named } from "../../kit/history/traceBlocks.ts";

const supplies = table("supplies", { master: address, supply: amount, lastTransactionLt: int8 });
const entity = indexedEntity({
  table: supplies,
  account: "master",
  key: ["master"],
  conflict: keepNewest("lastTransactionLt"),
  rows: {
    jettonMaster: ({ totalSupply }, place) => [
      { master: place.address, supply: totalSupply, lastTransactionLt: place.lastTransactionLt },
    ],
  },
  facts: { findNftItem: ({ supply }) => ({ ...nothing, index: supply }) },
});
const nothing = { collection: undefined, owner: undefined, contentUri: undefined };

const master = accountNamed("master");
const place = { address: master, id: 1n, codeHash: named("code"), dataHash: named("data"), lastTransactionLt: 7n };
const rest = { mintable: true, admin: undefined, content: {}, walletCodeHash: named("wallet") };
const row = { master, supply: 5n, lastTransactionLt: 7n };

describe("an indexed entity", () => {
  it("makes rows of its declared kinds only", () => {
    expect(entity.makeRows({ kind: "jettonMaster", totalSupply: 5n, ...rest }, place)).toEqual([row]);
    const collection = { kind: "nftCollection", nextItemIndex: 1n, owner: undefined, content: {} } as const;
    expect(entity.makeRows(collection, place)).toEqual([]);
  });

  it("reads its declared facts from a row", () => {
    expect(entity.factNames).toEqual(["findNftItem"]);
    expect(entity.readFact("findNftItem", row)).toEqual({ ...nothing, index: 5n });
    expect(entity.readFact("findJettonWallet", row)).toBeUndefined();
  });

  it("has the conflict rule of its own table", () => {
    expect(entity.table.conflict.onConflict).toBe(
      'on conflict ("master") do update set "supply" = excluded."supply", ' +
        '"last_transaction_lt" = excluded."last_transaction_lt" ' +
        'where t."last_transaction_lt" < excluded."last_transaction_lt"',
    );
    expect(entity.table.conflict.merge?.([row, { ...row, supply: 4n, lastTransactionLt: 6n }])).toEqual([row]);
  });

  it("names only columns of its table", () => {
    for (const { table: of, account, notVerified } of Object.values(indexedEntities))
      for (const name of [account, ...of.key, ...notVerified]) expect(Object.keys(of.columns)).toContain(name);
  });
});
