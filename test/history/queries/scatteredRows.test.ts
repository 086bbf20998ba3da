import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pagesOf } from "../../../kit/history/countPages.ts";
import { usePartitions } from "../../../kit/history/retention/usePartitions.ts";
import {
  everyTransaction,
  type TransactionFilter,
  transactionsSql,
} from "../../../src/history/queries/transactions.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { openFresh } from "../../kit/history/database.ts";
import "../../kit/suite/longRun.ts";

/** Sixteen partitions whose rows are in no order of time, like those of sealed ones; a block has a hundred. */
const count = 160_000;
const hashOf = (kind: string) => `sha256(('${kind}' || i)::bytea)`;
const rows = `insert into transactions
  select '\\x80'::bytea || ${hashOf("account")}, i * 1600::bigint, ${hashOf("tx")}, 0, -9223372036854775808, i / 100, i / 100,
    ${hashOf("tx")}, ${hashOf("before")}, 0, 1700000000 + i / 10, 'active', 'active', 1, null, ${hashOf("a")}, ${hashOf("b")},
    false, repeat('x', 300)::bytea, null, null
  from (select i from generate_series(1, ${count}) i order by md5(i::text)) s`;

let database: Database;
beforeAll(async () => {
  database = await openFresh("postgres");
  await usePartitions(database, 16_000_000n);
  await database.write(async (session) => {
    await session.query("select make_partitions(array(select i * 16777216::bigint from generate_series(0, 15) i))");
    await session.run(rows);
  });
  await database.runAlone("vacuum analyze transactions");
});
afterAll(() => database?.close());

describe("a page of few transactions among many that are in no order of time", () => {
  it.each<[string, Partial<TransactionFilter>]>([
    ["of a masterchain block", { mcSeqno: 800 }],
    ["of a block", { workchain: 0, shard: 1n << 63n, seqno: 800 }],
  ])("touches few pages: %s", async (_note, filter) => {
    const { text, params } = transactionsSql({ ...everyTransaction, ...filter }, { limit: 20, offset: 0 }, "asc");
    const pages = await database.write(async (session) => {
      await session.run("set local random_page_cost = 1.1; set local max_parallel_workers_per_gather = 0");
      return pagesOf(session, text, params);
    });
    expect(pages).toBeLessThan(1_000);
  });
});
