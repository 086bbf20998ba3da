import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { MadeRows } from "../../../kit/history/made/MadeRows.ts";
import { personAt } from "../../../kit/history/made/madeChain.ts";
import { answer } from "../../../kit/history/queryMix.ts";
import { endOf, formatCursor } from "../../../src/api/stream/cursor.ts";
import { StreamHub } from "../../../src/api/stream/StreamHub.ts";
import { EventLog } from "../../../src/history/events/EventLog.ts";
import { contractHistory, History } from "../../../src/history/queries/kit/History.ts";
import { dropOld } from "../../../src/history/retention/dropOld.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { beginsFact, findFact } from "../../../src/history/store/schema/indexFacts.ts";
import { type ElectionRows, noElections, validatorTables } from "../../../src/history/store/schema/validatorTables.ts";
import { commitBatches } from "../../../src/history/store/write/commit.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import { zeroHash } from "../../../src/model/Hash.ts";
import { quietLog } from "../../kit/api/apiServer.ts";
import { type Engine, enginesOfStatements, openFresh } from "../../kit/history/database.ts";
import { rowOf } from "../../kit/history/databaseRows.ts";
import { narrowPartitions, narrowWidth } from "../../kit/history/retention/narrowPartitions.ts";

/** A block of the synthetic chain has a million logical times and takes one second. */
const blocks = 60;
const timeOf = (seqno: number) => 1_700_000_000 + seqno;

function unused(): never {
  throw new Error("the place is found without the blocks");
}

const stakeIn = (mcSeqno: number) =>
  rowOf(validatorTables.events, mcSeqno, { mcSeqno, utime: timeOf(mcSeqno), type: "stake_accepted" });

function electionIn(mcSeqno: number): ElectionRows {
  const election = rowOf(validatorTables.elections, mcSeqno, { electionId: mcSeqno, mcSeqno });
  return { ...noElections, elections: [election] };
}

async function openChain(engine: Engine): Promise<Database> {
  const database = await openFresh(engine);
  await narrowPartitions(database);
  const rows = new MadeRows(blocks * 100);
  for (let seqno = 1; seqno <= blocks; seqno++) {
    const batch = { ...rows.next(seqno), validatorEvents: [stakeIn(seqno)], elections: electionIn(seqno) };
    await commitBatches(database, [batch], { firstSeqno: 1 });
  }
  return database;
}

describe.each(enginesOfStatements)("history in the %s engine that is kept for a while", (engine) => {
  let database: Database;
  beforeAll(async () => {
    database = await openChain(engine);
  });
  afterAll(() => database?.close());

  const firstOf = async (table: string, column: string) => {
    const [row] = await database.query(`select min(${column}) as first from ${table}`);
    return BigInt(String(row?.first));
  };
  const ask = async (path: string, query: Readonly<Record<string, string>>) => {
    const { text } = await answer(new History(contractHistory, { database }), { path, query });
    return JSON.parse(text) as { readonly [key: string]: unknown };
  };

  it("drops nothing while its oldest partition has blocks of the retention time", async () => {
    const before = await firstOf("transactions", "lt");
    expect(await dropOld(database, timeOf(10))).toBeUndefined();
    expect(await firstOf("transactions", "lt")).toBe(before);
  });

  it("drops whole partitions, and answers have the new start", async () => {
    const states = await database.query("select count(*) as count from latest_account_states");
    await database.write((session) =>
      session.run(`insert into jetton_wallet_changes (mc_seqno, address, balance, owner, jetton, last_transaction_lt)
        select seqno, '\\x80', 1, '\\x80', '\\x80', seqno from generate_series(1, ${blocks}) seqno;
        insert into account_states (account, hash, lt, balance, status)
        select '\\x80', '\\x80', seqno * 1000000, 0, 'nonexist' from generate_series(1, ${blocks}) seqno;
        insert into nominator_pool_events
        select '\\x7f', seqno, 0, '\\x80', 1, seqno, '\\x80', 'reward', 1, 1, 0, 0, 1, 0, 0, false, false
        from generate_series(1, ${blocks}) seqno;
        insert into pool_validator_events
        select '\\x7f', seqno, '\\x80', 1, seqno, '\\x7f', 'reward', 0, 1, null, null, 1
        from generate_series(1, ${blocks}) seqno`),
    );
    // Block 40 is in the third partition, which starts inside block 33.
    const first = await dropOld(database, timeOf(40));
    expect(first).toBe(34);
    const lt = 2n * narrowWidth;
    for (const [table, column] of [
      ["transactions", "lt"],
      ["messages", "lt"],
      ["account_states", "lt"],
      ["traces", "start_lt"],
      ["actions", "trace_end_lt"],
      ["jetton_transfers", "tx_lt"],
    ] as const)
      expect([table, (await firstOf(table, column)) >= lt]).toEqual([table, true]);
    expect(await database.query("select count(*) as count from latest_account_states")).toEqual(states);
    expect(await findFact(database, beginsFact)).toBe("34");
    for (const table of ["jetton_wallet_changes", "nominator_pool_events", "pool_validator_events", "validator_events"])
      expect([table, await firstOf(table, "mc_seqno")]).toEqual([table, 34n]);
    // Elections stay, as entities do.
    expect(await firstOf("validator_elections", "mc_seqno")).toBe(1n);
    expect(await ask("masterchainInfo", {})).toMatchObject({ first: { seqno: 34 }, last: { seqno: blocks } });
    const { transactions } = (await ask("transactions", { account: personAt(0), sort: "asc", limit: "1" })) as {
      readonly transactions: readonly { readonly lt: string }[];
    };
    expect(BigInt(transactions[0]?.lt ?? 0) >= lt).toBe(true);
  });

  it("is what streams can replay", async () => {
    const { kind } = database;
    const source = { kind, query: database.query.bind(database), write: database.write.bind(database) };
    const modules = { clock: systemClock, log: quietLog, random: seededRandom("events") };
    const events = new EventLog({ ...modules, database: { ...source, listen: async () => async () => {} } });
    await vi.waitFor(() => expect(events.extent).toEqual({ first: 34, last: blocks }), { timeout: 300_000 });
    const hub = new StreamHub({
      ...{ zeroState: zeroHash, clock: systemClock, log: quietLog },
      source: {
        ...{ extent: () => events.extent, onExtent: (listener) => events.onExtent(listener) },
        ...{ readBlock: unused, readChanges: unused, describe: unused, listPending: async () => [] },
      },
    });
    const begin = (mcSeqno: number) =>
      hub.begin({ after: formatCursor(endOf(mcSeqno), zeroHash), fromSeqno: undefined, replayExisting: false });
    await expect(begin(32)).rejects.toMatchObject({
      status: 410,
      message: "cursor is older than the index: its first block is 34",
    });
    expect(await begin(33)).toMatchObject({ replay: { from: 34, to: blocks } });
    await hub.close(0);
    await events.close();
  });

  it("drops nothing the second time", async () => {
    expect(await dropOld(database, timeOf(40))).toBeUndefined();
  });
});
