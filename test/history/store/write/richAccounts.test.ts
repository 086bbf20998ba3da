import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listRichest } from "../../../../src/history/queries/accounts.ts";
import { contractHistory, History } from "../../../../src/history/queries/kit/History.ts";
import type { Database } from "../../../../src/history/store/Database.ts";
import type { BatchRows } from "../../../../src/history/store/write/BatchRows.ts";
import { updateRichAccounts } from "../../../../src/history/store/write/richAccounts.ts";
import { commitBatch } from "../../../kit/history/commitBatch.ts";
import { enginesOfTables, openFresh } from "../../../kit/history/database.ts";
import { batchOf } from "../../../kit/history/databaseRows.ts";
import { accountNamed, named } from "../../../kit/history/traceBlocks.ts";

type LatestState = BatchRows["latestAccountStates"][number];

function stateOf(name: string, balance: bigint, lastTransLt: bigint): LatestState {
  return {
    ...{ account: accountNamed(name), hash: named(`${name} ${balance}`), balance, balanceExtra: undefined },
    ...{ status: "active", timestamp: 1, lastTransHash: named("t"), lastTransLt, frozenHash: undefined },
    ...{ dataHash: undefined, codeHash: named("code"), dataBoc: undefined },
  };
}

describe.each(enginesOfTables)("the richest accounts in the %s engine", (engine) => {
  let database: Database;
  let history: History;
  beforeAll(async () => {
    database = await openFresh(engine);
    history = new History(contractHistory, { database });
  });
  afterAll(() => database.close());

  const commit = (mcSeqno: number, states: readonly LatestState[]) =>
    commitBatch(database, batchOf(mcSeqno, { latestAccountStates: states }), { firstSeqno: 1 });
  const list = async (limit: number) => {
    const { items } = await history.read({}, (reading) => listRichest(reading, { limit, offset: 0 }));
    return items.map(({ account, balance }) => [account, balance]);
  };

  it("follow the latest states, and not older ones that are committed later", async () => {
    await commit(1, [stateOf("a", 50n, 10n), stateOf("b", 40n, 10n), stateOf("c", 30n, 10n), stateOf("d", 0n, 10n)]);
    await commit(2, [stateOf("a", 5n, 20n), stateOf("b", 900n, 3n)]);
    expect(await list(10)).toEqual([
      [accountNamed("b"), 40n],
      [accountNamed("c"), 30n],
      [accountNamed("a"), 5n],
      [accountNamed("d"), 0n],
    ]);
  });

  it("are limited; a page beyond the limit is rejected, and others can enter again", async () => {
    const limits = { max: 3, kept: 2 };
    const none = [batchOf(256, { latestAccountStates: [stateOf("a", 5n, 20n)] })];
    await database.write((session) => updateRichAccounts(session, none, limits));
    expect(await list(2)).toEqual([
      [accountNamed("b"), 40n],
      [accountNamed("c"), 30n],
    ]);
    await expect(list(3)).rejects.toMatchObject({
      code: "history/request",
      message: "only accounts with a balance of at least 6 nanotons are listed",
    });
    await commit(3, [stateOf("d", 35n, 30n), stateOf("b", 1n, 30n)]);
    expect(await list(2)).toEqual([
      [accountNamed("d"), 35n],
      [accountNamed("c"), 30n],
    ]);
  });
});

it("a latest state is updated without touching an index", async () => {
  const database = await openFresh("postgres");
  // An analysis at the same time would keep old versions of rows in their pages.
  await database.write((session) => session.run("alter table latest_account_states set (autovacuum_enabled = off)"));
  const names = Array.from({ length: 1000 }, (_, at) => `account ${at}`);
  // After the first block, each block changes one account in twenty.
  const rounds = 41;
  for (let round = 1; round <= rounds; round++) {
    const changed = names.filter((_, at) => round === 1 || at % 20 === round % 20);
    const states = changed.map((name, at) => stateOf(name, BigInt(round * 1000 + at), BigInt(round)));
    await commitBatch(database, batchOf(round, { latestAccountStates: states }), { firstSeqno: 1 });
  }
  await database.write((session) => session.query("select pg_stat_force_next_flush()"));
  const [row] = await database.query(
    `select n_tup_upd as updated, n_tup_hot_upd as hot, n_tup_newpage_upd as moved
     from pg_stat_user_tables where relname = 'latest_account_states'`,
  );
  await database.close();
  const { updated, hot, moved } = Object(row);
  expect(Number(updated)).toBe(((rounds - 1) * names.length) / 20);
  // An update that changes what an index has is neither; a row moves only when its page is full.
  expect(Number(hot) + Number(moved)).toBe(Number(updated));
  expect(Number(hot)).toBeGreaterThan(Number(moved));
});
