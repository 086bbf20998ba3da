import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MadeRows } from "../../../kit/history/made/MadeRows.ts";
import { messageAt, personAt, transactionAt } from "../../../kit/history/made/madeChain.ts";
import { answer } from "../../../kit/history/queryMix.ts";
import { usePartitions } from "../../../kit/history/retention/usePartitions.ts";
import { supportedTypes } from "../../../src/contracts/visibility.ts";
import { actionsOfTracesSql } from "../../../src/history/queries/actionsOfTraces.ts";
import { actionsAtSql } from "../../../src/history/queries/fill/actionsAt.ts";
import { endsNearSql } from "../../../src/history/queries/fill/places.ts";
import { receiversNearSql } from "../../../src/history/queries/fill/receivers.ts";
import { contractHistory, History } from "../../../src/history/queries/kit/History.ts";
import type { Statement } from "../../../src/history/queries/kit/Statement.ts";
import { messagesAtSql } from "../../../src/history/queries/messages.ts";
import { listTraces, tracesBeforeSql, tracesNearSql } from "../../../src/history/queries/traces.ts";
import { everyTransaction } from "../../../src/history/queries/transactions.ts";
import { transactionsNearSql } from "../../../src/history/queries/transactionsByHash.ts";
import { transactionsByMessageSql } from "../../../src/history/queries/transactionsByMessage.ts";
import type { Database, SqlParam, SqlSession } from "../../../src/history/store/Database.ts";
import { commitBatches } from "../../../src/history/store/write/commit.ts";
import { makeAddress } from "../../../src/model/Address.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { openFresh } from "../../kit/history/database.ts";
import { everyTrace } from "../../kit/history/traceTrees.ts";

const partitions = 12;
const blocks = 40;

/** The scans of partitions in a plan: all, and those that were run, with how often. */
async function scansOf(session: Pick<SqlSession, "query">, sql: string, params: readonly SqlParam[]) {
  const rows = await session.query(`explain (analyze, timing off, format json) ${sql}`, params);
  const found = { planned: 0, run: 0 };
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) {
      value.forEach(visit);
      return;
    }
    const node: Readonly<Record<string, unknown>> = { ...value };
    if (/_p\d+$/.test(String(node["Relation Name"] ?? ""))) {
      found.planned++;
      found.run += Number(node["Actual Loops"]);
    }
    Object.values(node).forEach(visit);
  };
  const plans = rows[0]?.["QUERY PLAN"];
  visit(typeof plans === "string" ? JSON.parse(plans) : plans);
  return found;
}

describe("in an index of many partitions", () => {
  let database: Database;
  let history: History;
  /** The most partitions that a statement was planned for, of those that are planned for each request. */
  let planned = 0;
  let actionId = "";

  beforeAll(async () => {
    database = await openFresh("postgres");
    await usePartitions(database, 16_000_000n);
    const rows = new MadeRows(blocks * 100, { hotShare: 0.5 });
    for (let seqno = 1; seqno <= blocks; seqno++) await commitBatches(database, [rows.next(seqno)], { firstSeqno: 1 });
    const lts = `array(select i * 16777216::bigint from generate_series(0, ${partitions - 1}) i)`;
    await database.write((session) => session.query(`select make_partitions(${lts})`));
    await database.runAlone("vacuum analyze");
    const [action] = await database.query("select encode(action_id, 'hex') as id from actions limit 1");
    actionId = String(action?.id);
    const read: Database["read"] = (work, options) =>
      database.read((session) => {
        const query: typeof session.query = async (sql, params = [], own) => {
          if (own?.plan !== "kept") planned = Math.max(planned, (await scansOf(session, sql, params)).planned);
          return session.query(sql, params, own);
        };
        return work({ ...session, query });
      }, options);
    history = new History(contractHistory, { database: { read } });
  });
  afterAll(() => database?.close());

  const ask = async (path: string, query: Readonly<Record<string, string | readonly string[]>>) => {
    planned = 0;
    const { text } = await answer(history, { path, query });
    const [items] = Object.values(JSON.parse(text));
    return { planned, isFound: Array.isArray(items) && items.length > 0 };
  };

  const sent = messageAt(500);
  const transaction = transactionAt(500);

  it.each<[path: string, query: () => Readonly<Record<string, string>>]>([
    ["transactions", () => ({ hash: transaction })],
    ["transactionsByMessage", () => ({ msg_hash: sent })],
    ["transactionsByMessage", () => ({ msg_hash: sent, direction: "in" })],
    ["messages", () => ({ msg_hash: sent })],
    ["traces", () => ({ msg_hash: sent })],
    ["traces", () => ({ tx_hash: transaction })],
    ["actions", () => ({ msg_hash: sent })],
    ["actions", () => ({ tx_hash: transaction })],
    ["actions", () => ({ action_id: actionId })],
  ])("a list by hash is planned for the partitions that have its rows: %s %#", async (path, query) => {
    // A message may be in another partition than the transactions of its trace.
    expect(await ask(path, query())).toEqual({
      planned: expect.toSatisfy((count: number) => count <= 3),
      isFound: true,
    });
  });

  it.each<[path: string, query: Readonly<Record<string, string>>]>([
    ["transactions", { hash: "9".repeat(64) }],
    ["transactionsByMessage", { msg_hash: "9".repeat(64) }],
    ["messages", { msg_hash: "9".repeat(64) }],
    ["traces", { msg_hash: "9".repeat(64) }],
    ["actions", { msg_hash: "9".repeat(64) }],
  ])("a list by an unknown hash is not planned at all: %s", async (path, query) => {
    expect(await ask(path, query)).toEqual({ planned: 0, isFound: false });
  });

  it.each<[path: string, query: Readonly<Record<string, string>>]>([
    ["messages", { source: personAt(0) }],
    ["messages", { destination: personAt(0) }],
    ["traces", { account: personAt(0) }],
    ["actions", { account: personAt(0) }],
  ])("a list of an account is planned for the partitions of one table: %s %o", async (path, query) => {
    expect(await ask(path, query)).toEqual({ planned: partitions, isFound: true });
  });

  const many = Array.from({ length: 200 }, (_, at) => personAt(at));
  it.each<[path: string, query: Readonly<Record<string, string | readonly string[]>>]>([
    ["transactions", { account: many, sort: "asc" }],
    ["transactions", { account: many, start_utime: "1", limit: "1000" }],
    ["jetton/transfers", { owner_address: many, sort: "asc" }],
    ["jetton/transfers", { owner_address: many, start_utime: "1", sort: "asc", limit: "1000" }],
  ])("a list of many accounts is planned for the partitions that its page needs: %s %#", async (path, query) => {
    // Each account is looked for up to four times, among senders and among receivers; the page is in one partition.
    expect(await ask(path, query)).toEqual({
      planned: expect.toSatisfy((count: number) => count <= 9),
      isFound: true,
    });
  });
});

describe("a look-up that knows about when its rows were made", () => {
  const hour = 1n << 32n;
  const width = 4n * hour;
  const hash = "ab".repeat(32) as Hash;
  let database: Database;

  beforeAll(async () => {
    database = await openFresh("postgres");
    await usePartitions(database, width);
    await database.write(async (session) => {
      await session.query(
        `select make_partitions(array(select i * ${width}::bigint from generate_series(0, ${partitions - 1}) i))`,
      );
      // Every hundredth trace was under way for long.
      await session.run(`
        insert into traces
          select sha256(i::text::bytea), null, null, 1, 1, start_lt, 1, end_lt, 1, 'complete', 0, 1, 0, 'ok'
          from (select i, i * ${hour}::bigint / 10 as end_lt,
            i * ${hour}::bigint / 10 - (case when i % 100 = 0 then 9 * ${hour}::bigint else 5 end) as start_lt
            from generate_series(1, 400) i) s where start_lt > 0;
        insert into actions
          select trace_id, sha256(trace_id), 'ton_transfer', 'ton_transfer', start_lt, end_lt, 1, 1, end_lt, 1, 1, null, null,
            true, '{}', null, array[trace_id], '{}', '{}' from traces;
        insert into trace_accounts select '\\x80'::bytea || sha256('account'), end_lt, trace_id, end_utime from traces`);
    });
    await database.runAlone("vacuum analyze");
  });
  afterAll(() => database?.close());

  const end = 6n * width + 2n * hour;
  const at = { hashes: [hash], lts: [end] };
  it.each<[name: string, statement: Statement]>([
    ["traces", tracesNearSql(at)],
    ["actions of traces", actionsOfTracesSql([{ traceId: hash, endLt: end }], supportedTypes())],
    ["actions of a list", actionsAtSql([{ trace_id: `\\x${hash}`, action_id: `\\x${hash}`, partition_lt: end }])],
    ["messages", messagesAtSql(at)],
    ["transactions", transactionsNearSql(at)],
    ["receivers", receiversNearSql(at)],
    ["senders", endsNearSql({ hashes: [], lts: [] }, at, 5)],
  ])("opens one partition: %s", async (_name, { text, params }) => {
    const { run } = await database.write(async (session) => {
      // As with many rows: these few would be read and joined at once.
      for (const way of ["seqscan", "hashjoin", "mergejoin", "material"])
        await session.run(`set local enable_${way} = off`);
      return scansOf(session, text, params);
    });
    expect(run).toBe(1);
  });

  it("finds traces that were under way for long, too, in the order of the list", async () => {
    const statements: string[] = [];
    const counted = new History(contractHistory, { database });
    const watch = ({ text }: Statement) => void statements.push(text);
    const account = makeAddress(0, createHash("sha256").update("account").digest("hex"));
    const { items, next } = await counted.read({ watch }, (reading) =>
      listTraces(reading, { ...everyTrace, account }, { limit: 1000, offset: 0 }, "desc"),
    );
    const [{ lts } = { lts: [] }] = await database.query(
      "select array(select t.end_lt::text from traces t order by t.end_lt desc) as lts",
    );
    expect([items.map(({ endLt }) => String(endLt)), next]).toEqual([lts, undefined]);
    const far = items.filter(({ startLt, endLt }) => endLt - startLt > hour);
    expect(far.length).toBeGreaterThan(0);
    expect(statements.filter((text) => text === tracesBeforeSql(at).text)).toHaveLength(1);
  });
});

describe("a walk along transactions that looks at the messages they received", () => {
  const hour = 1n << 32n;
  const walked = { kind: "walked", max: 500 } as const;
  const opcode = 0x0f8a7ea5;
  let database: Database;

  beforeAll(async () => {
    database = await openFresh("postgres");
    await usePartitions(database, 4n * hour);
    const rows = new MadeRows(blocks * 100, { hotShare: 0.5, blockLts: Number(hour) });
    for (let seqno = 1; seqno <= blocks; seqno++) await commitBatches(database, [rows.next(seqno)], { firstSeqno: 1 });
    // Every hundredth message was under way for long.
    await database.runAlone(`update messages set lt = lt - ${9n * hour} where lt > ${20n * hour} and lt % 100 = 3`);
    await database.runAlone("vacuum analyze");
  });
  afterAll(() => database?.close());

  it("opens the partition of each transaction alone, and finds messages of any time", async () => {
    const side = { message: { hashes: [], opcode, direction: "in" as const }, transactions: everyTransaction };
    const { text, params } = transactionsByMessageSql(side, { limit: 1_000, offset: 0 }, "desc", walked);
    const found = await database.query(text, params);
    const expected = await database.query(
      `select t.hash from (select * from transactions order by lt desc limit ${walked.max}) t
       where t.in_msg_hash in (select hash from messages where opcode = ${opcode}) order by t.lt desc`,
    );
    expect(found.map(({ hash }) => hash)).toEqual(expected.map(({ hash }) => hash));
    expect(found.length).toBeGreaterThan(50);
    const { run } = await database.read((session) => scansOf(session, text, params));
    expect([run, run < 1.5 * walked.max + partitions]).toEqual([run, true]);
  });

  it("is no longer than needed from found messages either: each is looked for until it is received", async () => {
    const side = { message: { hashes: [], opcode, direction: "in" as const }, transactions: everyTransaction };
    const { text, params } = transactionsByMessageSql(side, { limit: 10_000, offset: 0 }, "desc");
    const found = await database.query(text, params);
    const expected = await database.query(
      `select t.hash from transactions t where t.in_msg_hash in (select hash from messages where opcode = ${opcode})
       order by t.lt desc`,
    );
    expect(found.map(({ hash }) => hash)).toEqual(expected.map(({ hash }) => hash));
    const [row] = await database.query(`select count(*) as count from messages where opcode = ${opcode}`);
    const count = Number(row?.count);
    const { run } = await database.write(async (session) => {
      // As with many rows: these few would be read and joined at once.
      for (const way of ["seqscan", "hashjoin", "mergejoin", "material"])
        await session.run(`set local enable_${way} = off`);
      return scansOf(session, text, params);
    });
    // One to find its receiver, and one to read this transaction.
    expect([count, found.length, run, run < 2.5 * count + 4 * partitions]).toEqual([count, found.length, run, true]);
  });
});
