import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { jettonMasters } from "../../../../src/history/entities/jettonMasters.ts";
import { jettonWallets } from "../../../../src/history/entities/jettonWallets.ts";
import { nftItems } from "../../../../src/history/entities/nftItems.ts";
import { nftSales } from "../../../../src/history/entities/nftSales.ts";
import { databaseSink } from "../../../../src/history/ingest/databaseSink.ts";
import type { Database, SqlSession } from "../../../../src/history/store/Database.ts";
import { listSegments } from "../../../../src/history/store/schema/checkpoint.ts";
import type { Columns, Row, Table } from "../../../../src/history/store/schema/Table.ts";
import * as tables from "../../../../src/history/store/schema/tables.ts";
import type { BatchRows } from "../../../../src/history/store/write/BatchRows.ts";
import * as store from "../../../../src/history/store/write/commit.ts";
import { makeAddress } from "../../../../src/model/Address.ts";
import type { Hash } from "../../../../src/model/Hash.ts";
import { type Engine, enginesOfTables, openFresh } from "../../../kit/history/database.ts";
import {
  anyBatch,
  batchOf,
  emptyAll,
  filledTables,
  readAll,
  readTable,
  rowOf,
  sortRows,
} from "../../../kit/history/databaseRows.ts";
import { repeats, someOf } from "../../../kit/suite/everything.ts";

const hashOf = (digit: string): Hash => digit.repeat(64) as Hash;
const addressOf = (digit: string) => makeAddress(0, hashOf(digit));
const segment = { firstSeqno: 5 };

/** The rows after a commit: none of the random items is on sale. */
function expected({ table, rows }: { table: Table<Columns>; rows: readonly object[] }): readonly object[] {
  const items = rows as readonly Row<typeof nftItems>[];
  const settled = table.name === "nft_items" ? items.map((row) => ({ ...row, realOwner: row.ownerAddress })) : rows;
  return sortRows(table, settled);
}

/** A database that fails at the nth statement of a write, counted from one. */
function failingAt(database: Database, nth: number): Database {
  const write: Database["write"] = (work) =>
    database.write((session) => {
      let count = 0;
      const step = <T>(run: () => Promise<T>): Promise<T> => {
        count += 1;
        return count === nth ? Promise.reject(new Error("the power went")) : run();
      };
      const faulty: SqlSession = {
        query: (...args) => step(() => session.query(...args)),
        run: (...args) => step(() => session.run(...args)),
        copy: (...args) => step(() => session.copy(...args)),
        copyBinary: (...args) => step(() => session.copyBinary(...args)),
      };
      return work(faulty);
    });
  return { ...database, kind: database.kind, write } as Database;
}

/** A database that notes the tables that are copied into. */
function notingCopies(database: Database, copied: string[]): Database {
  const write: Database["write"] = (work) =>
    database.write((session) =>
      work({
        query: (...args) => session.query(...args),
        run: (...args) => session.run(...args),
        copy: (...args) => session.copy(...args),
        copyBinary: (...args) => {
          copied.push(args[0]);
          return session.copyBinary(...args);
        },
      }),
    );
  return { ...database, kind: database.kind, write } as Database;
}

const ways: readonly { readonly way: string; readonly options: store.CommitOptions }[] = [
  { way: "copied", options: { copyFrom: 1 } },
  { way: "few", options: {} },
  { way: "guarded", options: { guard: async () => {} } },
];

describe.each(enginesOfTables)("into the %s engine", (engine) => {
  let database: Database;
  beforeAll(async () => {
    database = await openFresh(engine);
  });
  afterEach(() => emptyAll(database));
  afterAll(() => database.close());

  it("copies 20 rows that are written once, and 100 rows that may exist", async () => {
    const keyOf = (seed: number) => seed.toString(16).padStart(64, "0") as Hash;
    const accounts = Array.from({ length: 20 }, (_, at) => rowOf(tables.traceAccounts, at, { traceId: keyOf(at) }));
    const codes = Array.from({ length: 100 }, (_, at) => rowOf(tables.codes, at, { hash: keyOf(at) }));
    const commit = async (mcSeqno: number, rows: Partial<BatchRows>) => {
      const copied: string[] = [];
      await store.commitBatches(notingCopies(database, copied), [batchOf(mcSeqno, rows)], segment);
      return copied;
    };
    expect(await commit(5, { traceAccounts: accounts.slice(1), codes: codes.slice(1) })).toEqual([]);
    await emptyAll(database);
    expect(await commit(5, { traceAccounts: accounts, codes })).toEqual(["trace_accounts", "stage_codes"]);
    expect(await readTable(database, tables.codes)).toEqual(sortRows(tables.codes, codes));
    expect(await readTable(database, tables.traceAccounts)).toEqual(sortRows(tables.traceAccounts, accounts));
  });

  // Which way the rows of a block go is a choice of statements, which the engines run alike.
  const tried = someOf(ways, ({ way }) => engine !== "embedded" || way === "few");
  describe.each(tried)("commits of $way rows", ({ options }) => checkCommits(() => database, engine, options));
});

/** The rules of commits; the database is empty before each test. */
function checkCommits(databaseOf: () => Database, engine: Engine, options: store.CommitOptions): void {
  const commitBatches = (to: Database, batches: readonly BatchRows[], begun: { firstSeqno: number }) =>
    store.commitBatches(to, batches, begun, options);
  const commitBatch = (to: Database, batch: BatchRows, begun: { firstSeqno: number }) =>
    commitBatches(to, [batch], begun);
  let database: Database;
  beforeAll(() => {
    database = databaseOf();
  });

  it("round-trip any row of any table", async () => {
    await fc.assert(
      fc.asyncProperty(anyBatch(5), async (batch) => {
        await emptyAll(database);
        expect(await commitBatch(database, batch, segment)).toEqual({
          kind: "committed",
          segment: { firstSeqno: 5, nextSeqno: 6 },
        });
        for (const filled of filledTables(batch)) {
          expect([filled.table.name, await readTable(database, filled.table)]).toEqual([
            filled.table.name,
            expected(filled),
          ]);
        }
      }),
      { numRuns: 5 },
    );
  });

  it("are idempotent", async () => {
    const [batch] = fc.sample(anyBatch(5), { numRuns: 1, seed: 1 }) as [BatchRows];
    await commitBatch(database, batch, segment);
    const before = await readAll(database);
    expect(await commitBatch(database, batch, segment)).toEqual({
      kind: "already",
      segment: { firstSeqno: 5, nextSeqno: 6 },
    });
    expect(await readAll(database)).toEqual(before);
  });

  it("reject existing blocks from a writer that expects none", async () => {
    await commitBatches(database, [batchOf(5), batchOf(6)], segment);
    const before = await readAll(database);
    for (const batches of [[batchOf(6)], [batchOf(6), batchOf(7)]]) {
      await expect(databaseSink(database).commit(batches, { ...segment, nextSeqno: 8 })).rejects.toMatchObject({
        code: "history/row",
      });
    }
    expect(await readAll(database)).toEqual(before);
  });

  it("reject a block that is not the next", async () => {
    await commitBatch(database, batchOf(5), segment);
    await expect(commitBatch(database, batchOf(7), segment)).rejects.toMatchObject({ code: "history/row" });
    await expect(commitBatches(database, [batchOf(6), batchOf(8)], segment)).rejects.toMatchObject({
      code: "history/row",
    });
    await expect(commitBatch(database, batchOf(9), { firstSeqno: 8 })).rejects.toMatchObject({ code: "history/row" });
    expect(await listSegments(database)).toEqual([{ firstSeqno: 5, nextSeqno: 6 }]);
  });

  it("leave nothing behind if any of their statements fails", async () => {
    const [batch] = fc.sample(anyBatch(5), { numRuns: 1, seed: 3 }) as [BatchRows];
    const empty = await readAll(database);
    // The rule lies in the transaction: some statements show it, and copies are many statements of the same kinds.
    const step = repeats({ usual: engine === "embedded" ? 8 : 5, all: options.copyFrom === 1 ? 4 : 1 });
    let nth = 1;
    for (; ; nth += step) {
      const outcome = await commitBatch(failingAt(database, nth), batch, segment).catch((error: Error) => error);
      if (!(outcome instanceof Error)) break;
      expect(outcome.message).toBe("the power went");
      expect(await readAll(database)).toEqual(empty);
    }
    expect(nth).toBeGreaterThan(options.copyFrom === 1 ? filledTables(batch).length : 4);
    expect(await listSegments(database)).toEqual([{ firstSeqno: 5, nextSeqno: 6 }]);
  });

  it("of several blocks at once equal those one by one", async () => {
    const pick = (seqno: number, seed: number) => fc.sample(anyBatch(seqno), { numRuns: 1, seed })[0] as BatchRows;
    const [first, second] = [pick(5, 5), pick(6, 6)];
    const edge = { msgHash: hashOf("a"), traceId: hashOf("b") };
    const wallet = rowOf(jettonWallets, 9, { id: 7n, lastTransactionLt: 10n });
    const trace = rowOf(tables.traces, 9, { state: "pending" });
    const message = rowOf(tables.messages, 9, { outTxHash: undefined, outIndex: undefined });
    const batches = [
      {
        ...first,
        openEdges: [edge],
        traces: [trace],
        messages: [message],
        entities: { ...first.entities, jettonWallets: [wallet] },
      },
      {
        ...second,
        closedEdges: [edge.msgHash],
        traces: [{ ...trace, state: "complete" as const }],
        messages: [{ ...message, outTxHash: hashOf("c"), outIndex: 3 }],
        entities: { ...second.entities, jettonWallets: [{ ...wallet, id: 9n, balance: 3n, lastTransactionLt: 20n }] },
      },
    ];
    for (const batch of batches) await commitBatch(database, batch, segment);
    const oneByOne = await readAll(database);
    await emptyAll(database);
    await commitBatches(database, batches, segment);
    expect(await readAll(database)).toEqual(oneByOne);
    expect(oneByOne.jetton_wallets).toContainEqual({ ...wallet, balance: 3n, lastTransactionLt: 20n });
    expect(oneByOne.traces).toContainEqual({ ...trace, state: "complete" });
    expect(oneByOne.messages).toContainEqual({ ...message, outTxHash: hashOf("c"), outIndex: 3 });
    expect(oneByOne.open_edges).not.toContainEqual(edge);
  });

  it("skip existing blocks and write the others", async () => {
    const code = (digit: string) => ({ hash: hashOf(digit), boc: Uint8Array.of(1), methods: undefined });
    await commitBatch(database, batchOf(5, { codes: [code("1")] }), segment);
    const batches = [batchOf(5, { codes: [code("2")] }), batchOf(6, { codes: [code("3")] })];
    await commitBatches(database, batches, segment);
    expect(await readTable(database, tables.codes)).toEqual([code("1"), code("3")]);
  });

  it("keep the newer state of an account, whichever comes first", async () => {
    const newer = rowOf(tables.latestAccountStates, 1, { account: addressOf("1"), lastTransLt: 20n });
    const older = rowOf(tables.latestAccountStates, 2, { account: addressOf("1"), lastTransLt: 10n });
    await commitBatch(database, batchOf(5, { latestAccountStates: [newer] }), segment);
    await commitBatch(database, batchOf(6, { latestAccountStates: [older] }), segment);
    expect(await readTable(database, tables.latestAccountStates)).toEqual([newer]);
    const newest = { ...older, lastTransLt: 21n };
    await commitBatch(database, batchOf(7, { latestAccountStates: [older, newest] }), segment);
    expect(await readTable(database, tables.latestAccountStates)).toEqual([newest]);
  });

  it("keep the newer row of an entity and its smallest id", async () => {
    const first = rowOf(jettonMasters, 1, { address: addressOf("1"), id: 5n, lastTransactionLt: 20n });
    const older = rowOf(jettonMasters, 2, { address: addressOf("1"), id: 3n, lastTransactionLt: 10n });
    const newer = rowOf(jettonMasters, 3, { address: addressOf("1"), id: 9n, lastTransactionLt: 30n });
    await commitBatch(database, batchOf(5, {}, { jettonMasters: [first] }), segment);
    await commitBatch(database, batchOf(6, {}, { jettonMasters: [older] }), segment);
    expect(await readTable(database, jettonMasters)).toEqual([{ ...first, id: 3n }]);
    await commitBatch(database, batchOf(7, {}, { jettonMasters: [newer] }), segment);
    expect(await readTable(database, jettonMasters)).toEqual([{ ...newer, id: 3n }]);
  });

  it("add the sender of a message that was received before, and never remove it", async () => {
    const received = rowOf(tables.messages, 1, { outTxHash: undefined, outIndex: undefined });
    const sent = { ...received, outTxHash: hashOf("1"), outIndex: 2 };
    await commitBatch(database, batchOf(5, { messages: [received] }), segment);
    expect(await readTable(database, tables.messages)).toEqual([received]);
    await commitBatch(database, batchOf(6, { messages: [sent] }), segment);
    expect(await readTable(database, tables.messages)).toEqual([sent]);
    await commitBatch(database, batchOf(7, { messages: [received] }), segment);
    await commitBatch(database, batchOf(8, { messages: [received, { ...sent, outTxHash: hashOf("2") }] }), segment);
    expect(await readTable(database, tables.messages)).toEqual([sent]);
  });

  it("set the seller as the real owner while an item is on sale", async () => {
    const item = rowOf(nftItems, 1, {
      address: addressOf("1"),
      ownerAddress: addressOf("2"),
      realOwner: undefined,
      lastTransactionLt: 10n,
    });
    const sale = rowOf(nftSales, 1, {
      address: addressOf("2"),
      nftAddress: addressOf("1"),
      nftOwnerAddress: addressOf("3"),
      lastTransactionLt: 10n,
    });
    const realOwners = async () => (await readTable(database, nftItems)).map(({ realOwner }) => realOwner);
    await commitBatch(database, batchOf(5, {}, { nftItems: [item] }), segment);
    expect(await realOwners()).toEqual([addressOf("2")]);
    await commitBatch(database, batchOf(6, {}, { nftSales: [sale] }), segment);
    expect(await realOwners()).toEqual([addressOf("3")]);
    const sold = { ...sale, nftOwnerAddress: addressOf("4"), lastTransactionLt: 11n };
    await commitBatch(database, batchOf(7, {}, { nftSales: [sold] }), segment);
    expect(await realOwners()).toEqual([addressOf("4")]);
    const bought = { ...item, ownerAddress: addressOf("5"), lastTransactionLt: 12n };
    await commitBatch(database, batchOf(8, {}, { nftItems: [bought] }), segment);
    expect(await realOwners()).toEqual([addressOf("5")]);
    await commitBatch(database, batchOf(9, {}, { nftItems: [{ ...item, lastTransactionLt: 11n }] }), segment);
    expect(await realOwners()).toEqual([addressOf("5")]);
  });

  it("do not change the airdrop amount of a wallet, which is not on the chain", async () => {
    const nothing = { mintlessAmount: undefined, mintlessStartFrom: undefined, mintlessExpireAt: undefined };
    const wallet = rowOf(jettonWallets, 1, { ...nothing, mintlessIsClaimed: false, lastTransactionLt: 10n });
    await commitBatch(database, batchOf(5, {}, { jettonWallets: [wallet] }), segment);
    await database.runAlone("update jetton_wallets set mintless_amount = 7, mintless_start_from = 8");
    const later = { ...wallet, balance: 3n, mintlessIsClaimed: true, lastTransactionLt: 11n };
    await commitBatch(database, batchOf(6, {}, { jettonWallets: [later] }), segment);
    expect(await readTable(database, jettonWallets)).toEqual([{ ...later, mintlessAmount: 7n, mintlessStartFrom: 8 }]);
  });

  it("add the methods of a code when its library is found, and never remove them", async () => {
    const code = rowOf(tables.codes, 1, { methods: undefined });
    const read = { ...code, methods: [1, 2] };
    await commitBatches(database, [batchOf(5, { codes: [code] }), batchOf(6, { codes: [code] })], segment);
    expect(await readTable(database, tables.codes)).toEqual([code]);
    await commitBatches(database, [batchOf(7, { codes: [code] }), batchOf(8, { codes: [read] })], segment);
    expect(await readTable(database, tables.codes)).toEqual([read]);
    await commitBatch(database, batchOf(9, { codes: [code] }), segment);
    expect(await readTable(database, tables.codes)).toEqual([read]);
  });

  it("keep undelivered messages until they are received", async () => {
    const edge = (digit: string) => ({ msgHash: hashOf(digit), traceId: hashOf("f") });
    await commitBatch(database, batchOf(5, { openEdges: [edge("1"), edge("2"), edge("3")] }), segment);
    await commitBatch(database, batchOf(6, { closedEdges: [hashOf("2")], openEdges: [edge("4")] }), segment);
    expect(await readTable(database, tables.openEdges)).toEqual([edge("1"), edge("3"), edge("4")]);
  });

  it("remove NUL characters and repair half characters, which the database cannot store", async () => {
    const action = rowOf(tables.actions, 1, {
      type: "a\0b",
      ancestorTypes: ["\0", "c\0"],
      details: { "k\0": "\0x\\u0000\\\0", y: ["\ud800z\udc00", "😀"] },
    });
    await commitBatch(database, batchOf(5, { actions: [action] }), segment);
    expect(await readTable(database, tables.actions)).toEqual([
      {
        ...action,
        type: "ab",
        ancestorTypes: ["", "c"],
        details: { k: "x\\u0000\\", y: ["\ufffdz\ufffd", "😀"] },
      },
    ]);
  });
}
