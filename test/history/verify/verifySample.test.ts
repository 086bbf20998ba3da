import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dnsEntries } from "../../../src/history/entities/dnsEntries.ts";
import { jettonMasters } from "../../../src/history/entities/jettonMasters.ts";
import { jettonWallets } from "../../../src/history/entities/jettonWallets.ts";
import { multisigOrders } from "../../../src/history/entities/multisigOrders.ts";
import { multisigs } from "../../../src/history/entities/multisigs.ts";
import { nftCollections } from "../../../src/history/entities/nftCollections.ts";
import { nftItems } from "../../../src/history/entities/nftItems.ts";
import { nftSales } from "../../../src/history/entities/nftSales.ts";
import { nominatorPools } from "../../../src/history/entities/nominatorPools.ts";
import { vestingContracts } from "../../../src/history/entities/vestingContracts.ts";
import { vestingWhitelist } from "../../../src/history/entities/vestingWhitelist.ts";
import { AccountQueries } from "../../../src/history/ingest/source/AccountQueries.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { allTables } from "../../../src/history/store/migrate/allTables.ts";
import type { Columns, Table } from "../../../src/history/store/schema/Table.ts";
import * as tables from "../../../src/history/store/schema/tables.ts";
import * as tokenTables from "../../../src/history/store/schema/tokenTables.ts";
import { findStateAfter, statesAfter } from "../../../src/history/store/write/statesAfter.ts";
import type { Difference } from "../../../src/history/verify/verifyRows.ts";
import { type VerifyModules, verifySample } from "../../../src/history/verify/verifySample.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import { makeDemo } from "../../../src/localnet/demo/Demo.ts";
import { playDemo } from "../../../src/localnet/demo/playDemo.ts";
import { openFresh } from "../../kit/history/database.ts";
import { readTable } from "../../kit/history/databaseRows.ts";
import { ledgerHeads } from "../../kit/history/indexStage.ts";
import { openIndexer } from "../../kit/history/openIndexer.ts";
import { type ChainKit, openChainKit } from "../../kit/localnet/localChain.ts";

const never = new AbortController().signal;
const everything = { count: 1_000, accountsPerBlock: 1_000, tracesPerBlock: 1_000 };

let kit: ChainKit;
let database: Database;
let modules: VerifyModules;
let headSeqno: number;

beforeAll(async () => {
  kit = await openChainKit();
  const { net } = await kit.open();
  const demo = makeDemo(net.keys);
  await playDemo(net, demo);
  database = await openFresh("postgres");
  const { lite: server, ledger } = net;
  headSeqno = ledger.headId.seqno;
  const common = { clock: systemClock, random: seededRandom("verify") };
  const parts = { server, heads: ledgerHeads(ledger), database, executor: kit.executor, ...common };
  const network = { network: "testnet" } as const;
  const { indexer, source } = openIndexer(parts, { from: "genesis", to: headSeqno, ...network });
  await indexer.run(never);
  modules = { ...parts, ...network, source, queries: new AccountQueries(common) };
});

afterAll(async () => {
  await database?.close();
  await kit?.close();
});

/** A change to one row of a table, and the expected report. */
interface Mutation {
  readonly table: Table<Columns>;
  /** The columns that identify a row. */
  readonly key: readonly string[];
  readonly sql: string;
  readonly kind?: Difference["kind"];
  /** The changed columns, if any. */
  readonly columns?: readonly string[];
}

const any = (table: unknown) => table as Table<Columns>;
const byAddress = ["address"];
const change = (
  table: unknown,
  columns: readonly string[],
  to: string,
  key: readonly string[] = byAddress,
): Mutation => ({
  ...{ table: any(table), key, columns },
  sql: `update ${any(table).name} set ${to}`,
});

const takeAway = (table: unknown, key: readonly string[]): Mutation => ({
  ...{ table: any(table), key, kind: "missing" },
  sql: `delete from ${any(table).name}`,
});

/** None of these columns identifies an action, except prices, which are compared with the chain. */
const mutations: readonly Mutation[] = [
  change(tables.blocks, ["genUtime"], "gen_utime = gen_utime + 1", ["workchain", "shard", "seqno"]),
  change(tables.transactions, ["totalFees"], "total_fees = total_fees + 1", ["hash"]),
  change(tables.messages, ["bodyHash", "body"], "body_hash = hash, body = hash", ["hash"]),
  change(tables.accountStates, ["balance"], "balance = balance + 1", ["account", "hash", "lt"]),
  change(tables.latestAccountStates, ["timestamp"], "timestamp = timestamp + 1", ["account"]),
  change(tables.codes, ["methods"], "methods = array[1]", ["hash"]),
  change(tables.traces, ["edges", "pendingEdges"], "edges = edges + 1, pending_edges = pending_edges + 1", ["traceId"]),
  change(tables.traceAccounts, ["endUtime"], "end_utime = end_utime + 1", ["traceId", "account"]),
  change(tables.actions, ["details"], `details = details || '{"bent": 1}'`, ["traceId", "actionId"]),
  change(tables.actionAccounts, ["actionEndUtime"], "action_end_utime = action_end_utime + 1", ["actionId", "account"]),
  change(tokenTables.jettonTransfers, ["amount"], "amount = amount + 1", ["sourceWallet", "txLt"]),
  change(tokenTables.jettonBurns, ["amount"], "amount = amount + 1", ["jettonWallet", "txLt"]),
  change(tokenTables.nftTransfers, ["queryId"], "query_id = query_id + 1", ["nftItem", "txLt"]),
  change(jettonMasters, ["totalSupply"], "total_supply = total_supply + 1"),
  // The airdrop amount of a wallet is not part of the chain.
  change(jettonWallets, ["balance"], "balance = balance + 1, mintless_amount = 5"),
  change(nftCollections, ["nextItemIndex"], "next_item_index = next_item_index + 1"),
  change(nftItems, ["realOwner"], "real_owner = address"),
  change(nftSales, ["price"], "price = price + 1"),
  change(multisigs, ["threshold"], "threshold = threshold + 1"),
  change(multisigOrders, ["approvalsNum"], "approvals_num = approvals_num + 1"),
  change(vestingContracts, ["totalAmount"], "total_amount = total_amount + 1"),
  change(dnsEntries, ["domain"], "domain = domain || 'x'", ["nftItemAddress"]),
  change(nominatorPools, ["state"], "state = state + 1"),
  takeAway(tables.shardState, ["workchain", "shard", "seqno"]),
  takeAway(vestingWhitelist, ["vestingAddress", "walletAddress"]),
];

/** Superfluous rows by table; each refers to the first existing account or trace. */
const strays: Readonly<Record<string, string>> = {
  open_edges: "insert into open_edges select external_hash, trace_id from traces order by trace_id limit 1",
  mintless_jetton_masters: `insert into mintless_jetton_masters
    select address, false, null from jetton_masters order by address limit 1`,
  dex_pools: `insert into dex_pools select address, 'dedust', null, null, 1, 1, 'x', 0, code_hash, data_hash, last_transaction_lt
    from jetton_masters order by address limit 1`,
};

/** Adds a superfluous row. */
async function stray(name: string, sql: string): Promise<Omit<Difference, "mcSeqno">> {
  await database.write((session) => session.run(sql));
  const table = any(allTables.find((each) => each.name === name));
  const [row] = (await readTable(database, table)) as readonly Record<string, unknown>[];
  return { kind: "unexpected", table: name, key: String(row?.[Object.keys(table.columns)[0] ?? ""]), columns: [] };
}

/** Changes one row of a table, by its index. */
async function mutate({ table, key, sql, kind = "different", columns = [] }: Mutation, at: number) {
  const rows = (await readTable(database, table)) as readonly Record<string, unknown>[];
  const row = rows[at];
  if (row === undefined) throw new Error(`the chain has nothing for row ${at} of ${table.name}`);
  const own = table.listed.filter((column) => key.includes(column.key));
  const values = own.map(({ key: name, column }) => column.write(row[name] as never));
  const where = own.map(({ name, column }, index) => `${name} = $${index + 1}::${column.sql}`).join(" and ");
  await database.write((session) => session.query(`${sql} where ${where}`, values));
  return { kind, table: table.name, key: key.map((name) => String(row[name])).join(" "), columns };
}

/** Changes a state that stands with its transaction; it is reported as a state. */
async function mutateStateAfter(): Promise<Omit<Difference, "mcSeqno">> {
  const rows = await readTable(database, statesAfter);
  const [state] = rows.flatMap((row) => findStateAfter(row) ?? []);
  if (state === undefined) throw new Error("the chain has no state after a transaction");
  const { account, hash, lt } = state;
  await database.write((session) =>
    session.query(
      "update transactions set after_balance = after_balance + 1 where account = $1::bytea and lt = $2::bigint",
      [statesAfter.columns.account.write(account), String(lt)],
    ),
  );
  const { name: table } = tables.accountStates;
  return { kind: "different", table, key: `${account} ${hash} ${lt}`, columns: ["balance"] };
}

const byTable = (a: { readonly table: string }, b: { readonly table: string }) => (a.table < b.table ? -1 : 1);

describe("an index compared with its chain", () => {
  it("matches the chain in blocks, states, traces, actions, events and entities", async () => {
    const report = await verifySample(modules, everything, never);
    expect(report).toEqual({
      blocks: Array.from({ length: headSeqno }, (_, index) => index + 1),
      accounts: expect.any(Number),
      traces: (await readTable(database, tables.traces)).length,
      rows: expect.any(Number),
      leftOut: 0,
      differences: [],
    });
  });

  it("is compared in random samples", async () => {
    const choose = async (seed: string) =>
      (await verifySample({ ...modules, random: seededRandom(seed) }, { count: 2, tracesPerBlock: 1 }, never)).blocks;
    const chosen = [await choose("one"), await choose("one"), await choose("two")];
    expect(chosen.map(({ length }) => length)).toEqual([2, 2, 2]);
    expect(chosen[0]).toEqual(chosen[1]);
    expect(chosen[0]).not.toEqual(chosen[2]);
  });

  it("reports table, row and column of every changed, added or deleted row", async () => {
    const expected: Omit<Difference, "mcSeqno">[] = [];
    for (const each of mutations) expected.push(await mutate(each, 0));
    expected.push(await mutateStateAfter());
    for (const [name, sql] of Object.entries(strays)) expected.push(await stray(name, sql));
    const { differences } = await verifySample(modules, everything, never);
    const whole = expected.map((each) => ({ ...each, mcSeqno: expect.any(Number) }));
    expect([...differences].sort(byTable)).toEqual(whole.sort(byTable));
  });
});
