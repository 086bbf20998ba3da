import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { beginCell } from "../../../src/cell/Builder.ts";
import { writeBoc } from "../../../src/cell/boc.ts";
import { makeEntityRows, noEntities } from "../../../src/history/entities/entityRows.ts";
import { KnownEntities, loadMarketplaceNames } from "../../../src/history/meaning/KnownEntities.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import type { Address } from "../../../src/model/Address.ts";
import { commitBatch } from "../../kit/history/commitBatch.ts";
import { enginesOfTables, openFresh } from "../../kit/history/database.ts";
import { batchOf } from "../../kit/history/databaseRows.ts";
import { accountNamed, named } from "../../kit/history/traceBlocks.ts";

const [wallet, item, sale, owner, buyer, master] = ["wallet", "item", "sale", "owner", "buyer", "master"].map(
  accountNamed,
) as [Address, Address, Address, Address, Address, Address];
const data = beginCell().storeUint(3, 8).cell();

function walletRows(ofOwner: Address, lastTransLt: bigint) {
  const hashes = { codeHash: named("code"), dataHash: named("data") };
  const entity = { kind: "jettonWallet", balance: 1n, owner: ofOwner, jetton: master, isClaimed: undefined } as const;
  return makeEntityRows(1, [{ address: wallet, ...hashes, lastTransLt, entities: [entity] }]);
}

describe.each(enginesOfTables)("entities of accounts (%s)", (engine) => {
  let database: Database;

  beforeAll(async () => {
    database = await openFresh(engine);
    const rows = walletRows(owner, 5n);
    const entities = {
      ...rows,
      nftItems: makeEntityRows(1, [
        {
          ...{ address: item, codeHash: named("code"), dataHash: named("data"), lastTransLt: 5n },
          entities: [
            {
              ...{ kind: "nftItem", isInit: true, index: 3n, collection: master, owner: sale },
              content: { uri: "https://example.com/3.json" },
            },
          ],
        },
      ]).nftItems,
    };
    const latestAccountStates = [
      {
        ...{ account: wallet, hash: named("state"), balance: 1n, balanceExtra: undefined, status: "active" as const },
        ...{ timestamp: 1, lastTransHash: named("t"), lastTransLt: 5n, frozenHash: undefined },
        ...{ dataHash: data.hash(), codeHash: named("code"), dataBoc: writeBoc(data) },
      },
    ];
    await commitBatch(database, batchOf(1, { latestAccountStates }, entities), { firstSeqno: 1 });
    const name = "insert into marketplace_names (address, name) values ($1::bytea, 'market')";
    await database.write((session) => session.query(name, [`\\x80${master.slice(2)}`]));
  });
  afterAll(() => database.close());

  it("are absent before they are loaded, and those of the tables afterwards", async () => {
    const known = new KnownEntities("mainnet", await loadMarketplaceNames(database));
    expect(known.facts.findJettonWallet(wallet)).toBeUndefined();
    await known.load(database, [wallet, item, buyer]);
    expect(known.facts.findJettonWallet(wallet)).toMatchObject({ owner, jetton: master });
    expect(known.facts.findJettonWallet(buyer)).toBeUndefined();
    expect(known.facts.findNftItem(item)).toEqual({
      index: 3n,
      collection: master,
      owner: sale,
      contentUri: "https://example.com/3.json",
    });
    expect(known.facts.findCodeHash(wallet)).toBe(named("code"));
    expect(known.facts.findData(wallet)).toBeUndefined();
    await known.load(database, [], [wallet]);
    expect(known.facts.findData(wallet)?.hash()).toBe(data.hash());
    expect([known.facts.findMarketplaceName(master), known.facts.findMarketplaceName(wallet)]).toEqual([
      "market",
      undefined,
    ]);
  });

  it("are uncommitted ones if they are newer", async () => {
    const known = new KnownEntities("mainnet", new Map());
    known.add(walletRows(buyer, 6n), []);
    await known.load(database, [wallet]);
    expect(known.facts.findJettonWallet(wallet)?.owner).toBe(buyer);
    const older = new KnownEntities("mainnet", new Map());
    older.add(walletRows(buyer, 4n), []);
    await older.load(database, [wallet]);
    expect(older.facts.findJettonWallet(wallet)?.owner).toBe(owner);
    older.add(noEntities(), []);
  });

  it("cost no statement for loaded accounts", async () => {
    const asked: string[] = [];
    const counting = {
      query: (sql: string, params?: Parameters<Database["query"]>[1]) => {
        asked.push(sql);
        return database.query(sql, params);
      },
    };
    const known = new KnownEntities("mainnet", new Map());
    await known.load(counting, [buyer]);
    expect(asked).toHaveLength(1);
    await known.load(counting, [buyer, buyer]);
    expect(asked).toHaveLength(1);
  });
});
