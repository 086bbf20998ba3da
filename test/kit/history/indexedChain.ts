import { databaseSink } from "../../../src/history/ingest/databaseSink.ts";
import { Indexer } from "../../../src/history/ingest/Indexer.ts";
import { AccountQueries } from "../../../src/history/ingest/source/AccountQueries.ts";
import { openSource } from "../../../src/history/ingest/source/BlockSource.ts";
import { contractHistory, History } from "../../../src/history/queries/kit/History.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import type { Row } from "../../../src/history/store/schema/Table.ts";
import * as tables from "../../../src/history/store/schema/tables.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import type { Ledger } from "../../../src/localnet/ledger/Ledger.ts";
import { LocalLiteServer } from "../../../src/localnet/network/LocalLiteServer.ts";
import { openExecutor } from "../../../src/tvm/run/openExecutor.ts";
import { importSplitChain } from "../localnet/splitChain.ts";
import { openFresh } from "./database.ts";
import { readTable } from "./databaseRows.ts";
import { ledgerHeads } from "./indexStage.ts";

export type TransactionRow = Row<typeof tables.transactions>;
export type MessageRow = Row<typeof tables.messages>;

/** All rows of a chain. */
export interface ChainRows {
  readonly blocks: readonly Row<typeof tables.blocks>[];
  readonly shardState: readonly Row<typeof tables.shardState>[];
  readonly transactions: readonly TransactionRow[];
  readonly messages: readonly MessageRow[];
  readonly latestAccountStates: readonly Row<typeof tables.latestAccountStates>[];
  readonly codes: readonly Row<typeof tables.codes>[];
  readonly traces: readonly Row<typeof tables.traces>[];
  readonly actions: readonly Row<typeof tables.actions>[];
}

/** A new database with the index of a chain with several shards. */
export async function openSplitHistory() {
  const database = await openFresh("postgres");
  const rows = await indexChain(database, importSplitChain());
  return { database, rows, history: new History(contractHistory, { database }) };
}

/** Indexes a whole chain into a database like a running indexer, and returns the rows. */
export async function indexChain(database: Database, ledger: Ledger): Promise<ChainRows> {
  const common = { clock: systemClock, random: seededRandom("index") };
  const server = new LocalLiteServer({ ledger });
  const executor = await openExecutor({}, common);
  const heads = ledgerHeads(ledger);
  const source = openSource({ server, heads, ...common });
  const sink = databaseSink(database);
  const modules = { ...common, server, executor, heads, source, sink, database, queries: new AccountQueries(common) };
  const indexer = new Indexer(modules, { from: "genesis", to: ledger.headId.seqno, network: "testnet" });
  await indexer.run(new AbortController().signal);
  await executor.close();
  await server.close();
  return readChainRows(database);
}

async function readChainRows(database: Pick<Database, "query">): Promise<ChainRows> {
  return {
    blocks: await readTable(database, tables.blocks),
    shardState: await readTable(database, tables.shardState),
    transactions: await readTable(database, tables.transactions),
    messages: await readTable(database, tables.messages),
    latestAccountStates: await readTable(database, tables.latestAccountStates),
    codes: await readTable(database, tables.codes),
    traces: await readTable(database, tables.traces),
    actions: await readTable(database, tables.actions),
  };
}
