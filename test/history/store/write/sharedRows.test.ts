import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { jettonWallets } from "../../../../src/history/entities/jettonWallets.ts";
import type { Database, SqlSession } from "../../../../src/history/store/Database.ts";
import { openPostgres } from "../../../../src/history/store/engine/postgres/openPostgres.ts";
import { listSegments } from "../../../../src/history/store/schema/checkpoint.ts";
import * as tables from "../../../../src/history/store/schema/tables.ts";
import type { BatchRows } from "../../../../src/history/store/write/BatchRows.ts";
import { commitBatches } from "../../../../src/history/store/write/commit.ts";
import { type Address, makeAddress } from "../../../../src/model/Address.ts";
import type { Hash } from "../../../../src/model/Hash.ts";
import { freshUrl, quietModules } from "../../../kit/history/database.ts";
import { batchOf, rowOf } from "../../../kit/history/databaseRows.ts";

const addressAt = (at: number): Address => makeAddress(0, at.toString(16).padStart(64, "0") as Hash);
const guard = async (): Promise<void> => {};
const stateOf = (account: Address, lastTransLt: bigint) =>
  rowOf(tables.latestAccountStates, 1, { account, lastTransLt });

/** A block with rows from the last account to the first. */
function blockOf(mcSeqno: number, lt: bigint, { states, wallets }: { states: number; wallets: number }): BatchRows {
  const downFrom = (count: number) => Array.from({ length: count }, (_, at) => addressAt(count - at));
  const latestAccountStates = downFrom(states).map((account) => stateOf(account, lt));
  const owned = downFrom(wallets).map((address, at) =>
    rowOf(jettonWallets, at, { address, id: 1_000n, lastTransactionLt: lt }),
  );
  const traceAccounts = [rowOf(tables.traceAccounts, mcSeqno, {})];
  return batchOf(mcSeqno, { traceAccounts, latestAccountStates }, { jettonWallets: owned });
}

/** A database that notes where rows go, as statements and copies name it. */
function noting(database: Database, noted: string[]): Database {
  const write: Database["write"] = (work) =>
    database.write((session) => {
      const watched: SqlSession = {
        query: (...args) => session.query(...args),
        run: (sql) => {
          noted.push(...[...sql.matchAll(/insert into (\w+)/g)].map(([, name = ""]) => name));
          return session.run(sql);
        },
        copy: (...args) => session.copy(...args),
        copyBinary: (name, ...rest) => {
          if (!name.startsWith("stage_")) noted.push(name);
          return session.copyBinary(name, ...rest);
        },
      };
      return work(watched);
    });
  return { ...database, kind: database.kind, write } as Database;
}

describe("rows that several processes may write", () => {
  let database: Database;
  let other: Database;
  beforeAll(async () => {
    const url = await freshUrl("all");
    [database, other] = [await openPostgres(url, quietModules), await openPostgres(url, quietModules)];
  });
  afterAll(async () => {
    await database.close();
    await other.close();
  });

  it("are written after all others, in one order, however many there are", async () => {
    const [few, many]: [string[], string[]] = [[], []];
    await commitBatches(noting(database, few), [blockOf(5, 10n, { states: 3, wallets: 120 })], { firstSeqno: 5 });
    await commitBatches(noting(database, many), [blockOf(6, 20n, { states: 120, wallets: 3 })], { firstSeqno: 5 });
    const order = ["trace_accounts", "jetton_wallet_changes", "jetton_wallets", "latest_account_states"];
    const inOrder = (names: readonly string[]) => names.filter((name) => order.includes(name));
    expect([inOrder(few), inOrder(many)]).toEqual([order, order]);
  });

  it("are locked in the order of their keys", async () => {
    const locked: string[] = [];
    // The order in which rows are stored is the order in which they are written and locked.
    await commitBatches(database, [blockOf(7, 30n, { states: 5, wallets: 0 })], { firstSeqno: 5 });
    const rows = await database.query(
      "select account from latest_account_states where last_trans_lt = 30 order by ctid",
    );
    for (const { account } of rows) locked.push(tables.latestAccountStates.columns.account.read(account ?? null));
    expect(locked).toEqual([1, 2, 3, 4, 5].map(addressAt));
  });

  it("are neither locked nor waited for when the tables have newer ones", async () => {
    const account = addressAt(0xabc);
    await commitBatches(database, [batchOf(8, { latestAccountStates: [stateOf(account, 100n)] })], { firstSeqno: 5 });
    await other.write(async (session) => {
      await session.query("select account from latest_account_states where last_trans_lt = 100 for update");
      const older = batchOf(2, { latestAccountStates: [stateOf(account, 90n)] });
      await commitBatches(database, [older], { firstSeqno: 2 }, { guard });
    });
    expect(
      await database.query("select last_trans_lt from latest_account_states where last_trans_lt in (90, 100)"),
    ).toEqual([{ last_trans_lt: 100n }]);
  });

  it("do not include the checkpoint of the range before", async () => {
    await other.write(async (session) => {
      await session.query("select first_seqno from segments for update");
      await commitBatches(database, [batchOf(20)], { firstSeqno: 20 }, { guard });
    });
    expect(await listSegments(database)).toContainEqual({ firstSeqno: 20, nextSeqno: 21 });
  });
});
