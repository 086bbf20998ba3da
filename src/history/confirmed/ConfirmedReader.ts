import { systemClock } from "../../lib/clock.ts";
import { isCoded } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import { runInTurns } from "../../lib/sharing/steps.ts";
import { TurnBudget } from "../../lib/TurnBudget.ts";
import type { WholeBlock } from "../../lite/queries/blocks.ts";
import type { LiteServer } from "../../lite/server/LiteServer.ts";
import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import type { Trace } from "../../model/Trace.ts";
import { jettonWallets } from "../entities/jettonWallets.ts";
import { type DecodedBatch, normalizedOf } from "../ingest/decode/DecodedBatch.ts";
import { decodeInSteps } from "../ingest/decode/decodeBatch.ts";
import type { AccountQueries } from "../ingest/source/AccountQueries.ts";
import { AccountReader, type ReadAccounts } from "../ingest/states/AccountReader.ts";
import { StateMemory } from "../ingest/states/StateMemory.ts";
import { storedStates } from "../ingest/states/storedStates.ts";
import { assembleTraces } from "../ingest/traces/assembleTraces.ts";
import { completeTraces, loadTraces } from "../ingest/traces/storedTraces.ts";
import { TraceMemory } from "../ingest/traces/TraceMemory.ts";
import { describeByAbis } from "../queries/fill/bodyMeaning.ts";
import type { FullTransaction } from "../queries/fill/FullTransaction.ts";
import { joinTransactions, makeMessage } from "../queries/fill/fillTransactions.ts";
import type { HistorySnapshot } from "../queries/kit/History.ts";
import { Params } from "../queries/kit/Statement.ts";
import { sessionOf } from "../queries/openTraces.ts";
import { fillTraces } from "../queries/traces.ts";
import type { Database } from "../store/Database.ts";
import { addresses, hashes } from "../store/schema/columns.ts";
import { type Row, selectList } from "../store/schema/Table.ts";
import { openEdges, type TraceRow } from "../store/schema/tables.ts";
import type { jettonWalletChanges } from "../store/schema/tokenTables.ts";
import { findWalletBalance } from "./walletBalance.ts";

export interface ConfirmedReaderModules {
  readonly server: LiteServer;
  readonly queries: AccountQueries;
  readonly database: Pick<Database, "query">;
  readonly log: Log;
}

/** A trace with transactions in confirmed blocks, and those that are committed already. */
export interface ConfirmedTrace {
  readonly row: TraceRow;
  readonly trace: Trace;
  /** By lt, then by account. */
  readonly transactions: readonly FullTransaction[];
  /** The hashes of those that are in confirmed blocks, with the root hashes of the blocks. */
  readonly confirmed: ReadonlyMap<Hash, Hash>;
}

/** The message that began a trace; a trace that none began has its own hash. */
export function beginningOf({ row }: Pick<ConfirmedTrace, "row">): Hash {
  return row.externalHashNorm ?? row.externalHash ?? row.traceId;
}

interface DecodedBlock {
  readonly decoded: DecodedBatch;
  readonly accounts: ReadAccounts;
}

const noAccounts: ReadAccounts = {
  accounts: [],
  rows: { accountStates: [], latestAccountStates: [], codes: [] },
};

/** Decodes confirmed blocks as the index decodes committed ones, and puts their transactions into traces. */
export class ConfirmedReader {
  readonly #modules: ConfirmedReaderModules;
  readonly #accounts: AccountReader;
  readonly #blocks = new Map<Hash, DecodedBlock>();

  constructor(modules: ConfirmedReaderModules) {
    this.#modules = modules;
    const { server, queries, database } = modules;
    const lookups = { ...storedStates(database), findLibrary: async () => undefined };
    this.#accounts = new AccountReader({ server, queries, memory: new StateMemory(), lookups });
  }

  /** Decodes a block; the blocks before it must be decoded. */
  async decode({ id, root, block, info }: WholeBlock, globalVersion: number, signal: AbortSignal): Promise<void> {
    // One shard block has the form of a batch of its own; the masterchain block that will commit it is not known.
    const batch = { mcSeqno: 0, master: { id, root, read: { block, info } }, shardBlocks: [], tops: [], globalVersion };
    const turns = new TurnBudget(systemClock);
    const decoded = await runInTurns(decodeInSteps(batch), () => turns.yieldIfDue());
    this.#blocks.set(id.rootHash, { decoded, accounts: await this.#readAccounts(decoded, signal) });
  }

  forget(rootHash: Hash): void {
    this.#blocks.delete(rootHash);
  }

  /** Without states, transactions are still worth showing: the server may not have them. */
  async #readAccounts(decoded: DecodedBatch, signal: AbortSignal): Promise<ReadAccounts> {
    try {
      return await this.#accounts.read(decoded, signal);
    } catch (error) {
      if (signal.aborted || !isCoded(error)) throw error;
      this.#modules.log.debug("the states of a confirmed block cannot be read", { error });
      return noAccounts;
    }
  }

  /** The traces of all confirmed blocks that have transactions in the given ones. */
  async readTraces(reading: HistorySnapshot, fresh: ReadonlySet<Hash>): Promise<readonly ConfirmedTrace[]> {
    const blocks = [...this.#blocks.values()].map(({ decoded }) => decoded);
    const transactions = blocks.flatMap((decoded) => decoded.transactions).sort(byTime);
    const received = transactions.flatMap(({ seen }) => seen.inMessage?.hash ?? []);
    const memory = await loadOpen(reading, received);
    const step = assembleTraces(memory, {
      mcSeqno: 0,
      transactions: transactions.map(({ seen }) => seen),
      normalized: new Map(blocks.flatMap((decoded) => [...normalizedOf(decoded)])),
    });
    const blockOf = new Map(
      blocks.flatMap((decoded) =>
        decoded.transactions.map(({ seen }) => [seen.hash, decoded.batch.master.id.rootHash]),
      ),
    );
    const isFresh = (hash: Hash) => fresh.has(blockOf.get(hash) ?? hash);
    const touched = step.touched.filter(({ seen }) => seen.some(({ hash }) => isFresh(hash)));
    const stored = touched.flatMap(({ row: { traceId } }) => memory.findTrace(traceId)?.row ?? []);
    const filled = new Map((await fillTraces(reading, stored, undefined)).map((full) => [full.row.traceId, full]));
    const wanted = new Set(touched.flatMap(({ seen }) => seen.map(({ hash }) => hash)));
    const joined = this.#join(transactions, step.traceIds).filter(({ row }) => wanted.has(row.hash));
    const turns = new TurnBudget(systemClock);
    const described = await runInTurns(describeByAbis(joined, reading.abis), () => turns.yieldIfDue());
    const own = new Map(described.map((full) => [full.row.hash, full]));
    const traces = await completeTraces(sessionOf(reading), touched);
    return touched.flatMap(({ row, seen }, at) => {
      const trace = traces[at];
      const before = filled.get(row.traceId);
      // What is too large to be shown is shown when it is committed.
      if (trace === undefined || (before !== undefined && before.transactions === undefined)) return [];
      const confirmed = seen.flatMap(({ hash }) => own.get(hash) ?? []);
      return [
        {
          ...{ row, trace },
          transactions: [...(before?.transactions ?? []), ...confirmed],
          confirmed: new Map(confirmed.map(({ row: { hash } }) => [hash, blockOf.get(hash) ?? hash])),
        },
      ];
    });
  }

  /** Transactions of these blocks, whole. */
  #join(transactions: DecodedBatch["transactions"], traceIds: ReadonlyMap<Hash, Hash>): readonly FullTransaction[] {
    const blocks = [...this.#blocks.values()];
    // The block of the sender has the sender, that of the receiver alone has not.
    const messages = blocks
      .flatMap(({ decoded }) => decoded.rows.messages)
      .sort((a, b) => Number(a.outTxHash !== undefined) - Number(b.outTxHash !== undefined));
    const rows = transactions.map(({ row }) => ({ ...row, traceId: traceIds.get(row.hash) ?? row.hash }));
    const states = blocks.flatMap(({ accounts }) => accounts.rows.accountStates);
    return joinTransactions(rows, messages.map(makeMessage), states);
  }

  /** Jetton wallets of the index that these blocks change, where their data can be read without a run. */
  async readJettons(
    reading: HistorySnapshot,
    fresh: ReadonlySet<Hash>,
  ): Promise<readonly Row<typeof jettonWalletChanges>[]> {
    const changed = [...this.#blocks]
      .filter(([hash]) => fresh.has(hash))
      .flatMap(([, block]) => block.accounts.accounts);
    const last = new Map(changed.map((after) => [after.address, after]));
    const wallets = await listWallets(reading, [...last.keys()]);
    return wallets.flatMap(({ address, owner, jetton }) => {
      const { code, data, lastTransLt } = last.get(address) ?? {};
      if (code === undefined || data === undefined || lastTransLt === undefined) return [];
      const balance = findWalletBalance({ address, owner, code, data });
      if (balance === undefined) return [];
      const around = { mcSeqno: 0, codeHash: code.hash(), dataHash: data.hash(), lastTransactionLt: lastTransLt };
      return [{ ...around, address, owner, jetton, balance }];
    });
  }
}

function byTime({ row: a }: DecodedBatch["transactions"][number], { row: b }: DecodedBatch["transactions"][number]) {
  if (a.lt !== b.lt) return a.lt < b.lt ? -1 : 1;
  return a.account < b.account ? -1 : a.account > b.account ? 1 : 0;
}

/** The traces of the index that wait for these messages. */
async function loadOpen(reading: HistorySnapshot, messages: readonly Hash[]): Promise<TraceMemory> {
  if (messages.length === 0) return new TraceMemory();
  const params = new Params();
  const statement = params.lookup(
    `select ${selectList(openEdges, "e")} from open_edges e where e.msg_hash = any(${params.of(hashes, messages)})`,
  );
  const edges = await reading.rows(openEdges, statement);
  const traces = await loadTraces(sessionOf(reading), [...new Set(edges.map(({ traceId }) => traceId))]);
  return new TraceMemory(
    edges.map(({ msgHash, traceId }) => [msgHash, traceId]),
    traces,
  );
}

async function listWallets(reading: HistorySnapshot, of: readonly Address[]) {
  if (of.length === 0) return [];
  const params = new Params();
  const statement = params.lookup(
    `select ${selectList(jettonWallets, "w")} from jetton_wallets w where w.address = any(${params.of(addresses, of)})`,
  );
  return reading.rows(jettonWallets, statement);
}
