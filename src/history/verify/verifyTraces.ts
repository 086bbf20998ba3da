import { neededFacts } from "../../contracts/neededFacts.ts";
import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import type { Trace, TraceTransaction } from "../../model/Trace.ts";
import type { DecodedBatch } from "../ingest/decode/DecodedBatch.ts";
import { normalizedOf } from "../ingest/decode/DecodedBatch.ts";
import { assembleTraces } from "../ingest/traces/assembleTraces.ts";
import { completeTraces } from "../ingest/traces/storedTraces.ts";
import { type OpenTrace, TraceMemory } from "../ingest/traces/TraceMemory.ts";
import { type ActionRows, makeActionRows } from "../meaning/actionRows.ts";
import { gatherFacts } from "../meaning/gatherFacts.ts";
import { KnownEntities, loadMarketplaceNames } from "../meaning/KnownEntities.ts";
import type { Database, SqlSession } from "../store/Database.ts";
import { isOneOfAccounts } from "../store/schema/accountKey.ts";
import { addressList } from "../store/schema/columns.ts";
import type { Row } from "../store/schema/Table.ts";
import type { TraceRow } from "../store/schema/tables.ts";
import * as tables from "../store/schema/tables.ts";
import type { ChainModules, ProvedChain } from "./ProvedChain.ts";
import { type Compared, compareRows, joinCompared, selectRows } from "./verifyRows.ts";

/** Traces over more masterchain blocks than this are left out. */
const maxBlocks = 64;
/** How often facts may name further accounts. */
const rounds = 3;

/** The rows of one trace in one snapshot. */
interface StoredTrace {
  readonly traces: readonly TraceRow[];
  readonly transactions: readonly { readonly hash: Hash; readonly mcSeqno: number }[];
  readonly openEdges: readonly Row<typeof tables.openEdges>[];
  readonly actions: ActionRows["actions"];
  readonly actionAccounts: ActionRows["actionAccounts"];
  readonly traceAccounts: ActionRows["traceAccounts"];
}

/** A trace assembled again. */
interface MadeTrace {
  readonly open: OpenTrace;
  readonly openEdges: readonly Row<typeof tables.openEdges>[];
}

/** The result for a chosen trace. */
export type TraceCompared = Compared & { readonly isLeftOut: boolean };

/** Assembles a trace again from all its blocks, classifies it again, and compares both. */
export async function compareTrace(
  database: Pick<Database, "read" | "query">,
  chain: ProvedChain,
  { traceId, mcSeqno }: { readonly traceId: Hash; readonly mcSeqno: number },
  { network }: Pick<ChainModules, "network">,
): Promise<TraceCompared> {
  const stored = await database.read((session) => readStored(session, traceId));
  const seqnos = [...new Set(stored.transactions.map((each) => each.mcSeqno))].sort((a, b) => a - b);
  if (seqnos.length > maxBlocks) return { rows: 0, differences: [], isLeftOut: true };
  const blocks: DecodedBatch[] = [];
  for (const seqno of seqnos) blocks.push(await chain.getBlock(seqno));
  const made = assembleAgain(traceId, blocks);
  const compared = [compareMembers(traceId, mcSeqno, stored, made)];
  if (made !== undefined) {
    const meaning = await classifyAgain(database, chain, network, made, (rows) =>
      compareMeaning(mcSeqno, stored, made, rows),
    );
    compared.push(meaning);
  }
  return { ...joinCompared(compared), isLeftOut: false };
}

async function readStored(session: SqlSession, traceId: Hash): Promise<StoredTrace> {
  const ofTrace = [`\\x${traceId}`];
  const isOwn = "t.trace_id = $1::bytea";
  const rows = await selectRows(session, tables.transactions, isOwn, ofTrace);
  const traces = await selectRows(session, tables.traces, isOwn, ofTrace);
  const actions = await selectRows(session, tables.actions, isOwn, ofTrace);
  // Tables that are keyed by account have no other index.
  const isOneOf = isOneOfAccounts("t.account", "$2::bytea[]");
  const endLt = traces[0]?.endLt ?? -1n;
  const ofAccounts = (accounts: readonly Address[]) => [...ofTrace, addressList(new Set(accounts)), endLt];
  return {
    traces,
    transactions: rows.map(({ hash, mcBlockSeqno }) => ({ hash, mcSeqno: mcBlockSeqno })),
    openEdges: await selectRows(session, tables.openEdges, isOwn, ofTrace),
    actions,
    actionAccounts: await selectRows(
      session,
      tables.actionAccounts,
      `${isOwn} and ${isOneOf} and t.trace_end_lt = $3::bigint`,
      ofAccounts(actions.flatMap(({ accounts }) => accounts)),
    ),
    traceAccounts: await selectRows(
      session,
      tables.traceAccounts,
      `${isOwn} and ${isOneOf} and t.end_lt = $3::bigint`,
      ofAccounts(rows.map(({ account }) => account)),
    ),
  };
}

/** The transactions that follow from the first one, assembled block by block as during indexing. */
function assembleAgain(traceId: Hash, blocks: readonly DecodedBatch[]): MadeTrace | undefined {
  const members = listMembers(
    traceId,
    blocks.flatMap(({ transactions }) => transactions.map(({ seen }) => seen)),
  );
  const memory = new TraceMemory();
  const edges = new Map<Hash, Hash>();
  let open: OpenTrace | undefined;
  for (const decoded of blocks) {
    const transactions = decoded.transactions.map(({ seen }) => seen).filter(({ hash }) => members.has(hash));
    const { mcSeqno } = decoded.batch;
    const step = assembleTraces(memory, { mcSeqno, transactions, normalized: normalizedOf(decoded) });
    memory.apply(step);
    for (const hash of step.closedEdges) edges.delete(hash);
    for (const edge of step.openEdges) edges.set(edge.msgHash, edge.traceId);
    open = step.touched.find(({ row }) => row.traceId === traceId) ?? open;
  }
  return open && { open, openEdges: [...edges].map(([msgHash, id]) => ({ msgHash, traceId: id })) };
}

function listMembers(first: Hash, all: readonly TraceTransaction[]): ReadonlySet<Hash> {
  const byHash = new Map(all.map((each) => [each.hash, each]));
  const receivers = new Map(all.flatMap((each) => (each.inMessage === undefined ? [] : [[each.inMessage.hash, each]])));
  const members = new Set<Hash>();
  const waiting = [byHash.get(first)];
  for (let next = waiting.pop(); waiting.length > 0 || next !== undefined; next = waiting.pop()) {
    if (next === undefined || members.has(next.hash)) continue;
    members.add(next.hash);
    for (const { hash, destination } of next.outMessages)
      if (destination !== undefined) waiting.push(receivers.get(hash));
  }
  return members;
}

/** Compares the transactions of the trace: a transaction of another trace must not name this one. */
function compareMembers(traceId: Hash, mcSeqno: number, stored: StoredTrace, made: MadeTrace | undefined): Compared {
  const members = new Set(made?.open.seen.map(({ hash }) => hash));
  const wrong = stored.transactions.filter(({ hash }) => !members.has(hash));
  const differences = wrong.map(
    ({ hash }) => ({ kind: "different", table: "transactions", mcSeqno, key: hash, columns: ["traceId"] }) as const,
  );
  const lost = made === undefined && wrong.length === 0;
  const unexpected = { kind: "unexpected", table: "traces", mcSeqno, key: traceId, columns: [] } as const;
  return { rows: 0, differences: lost ? [unexpected] : differences };
}

/** Compares the rows of a trace and of its actions. */
function compareMeaning(
  mcSeqno: number,
  stored: StoredTrace,
  { open, openEdges }: MadeTrace,
  meaning: MeaningRows,
): Compared {
  const { actions, actionAccounts, traceAccounts } = meaning;
  const row = { ...open.row, classificationState: meaning.state };
  return joinCompared([
    compareRows({ table: tables.traces, key: ["traceId"] }, mcSeqno, [row], stored.traces),
    compareRows({ table: tables.openEdges }, mcSeqno, openEdges, stored.openEdges),
    compareRows(
      { table: tables.traceAccounts, key: ["traceId", "account"] },
      mcSeqno,
      traceAccounts,
      stored.traceAccounts,
    ),
    compareRows({ table: tables.actions, key: ["traceId", "actionId"] }, mcSeqno, actions, stored.actions),
    compareRows(
      { table: tables.actionAccounts, key: ["actionId", "account"] },
      mcSeqno,
      actionAccounts,
      stored.actionAccounts,
    ),
  ]);
}

type MeaningRows = Omit<ActionRows, "state"> & { readonly state: TraceRow["classificationState"] };

const nothingYet: MeaningRows = { state: "unclassified", actions: [], actionAccounts: [], traceAccounts: [] };

/**
 * Classifies a trace with the facts of the tables and, if that differs, with the facts of the chain at the end of the
 * trace: backfill classifies with later facts.
 */
async function classifyAgain(
  database: Pick<Database, "query">,
  chain: ProvedChain,
  network: ChainModules["network"],
  { open }: MadeTrace,
  compare: (meaning: MeaningRows) => Compared,
): Promise<Compared> {
  if (open.row.state !== "complete") return compare(nothingYet);
  const [trace] = await completeTraces(database, [{ ...open, isWhole: true }]);
  if (trace === undefined) return compare(nothingYet);
  const names = await loadMarketplaceNames(database);
  const known = new KnownEntities(network, names);
  await gatherFacts(database, [trace], known);
  const byTables = compare(makeActionRows(trace, known.facts));
  if (byTables.differences.length === 0) return byTables;
  const then = new KnownEntities(network, names);
  await gatherThen(chain, trace, then);
  const byChain = compare(makeActionRows(trace, then.facts));
  return byChain.differences.length < byTables.differences.length ? byChain : byTables;
}

/** Learns facts about accounts from their states at the end of the trace. */
async function gatherThen(chain: ProvedChain, trace: Trace, known: KnownEntities): Promise<void> {
  const learned = new Set<Address>();
  for (let round = 0; round < rounds; round++) {
    const needed = neededFacts(trace, known.facts);
    const fresh = [...new Set([...needed.accounts, ...needed.data])].filter((address) => !learned.has(address));
    if (fresh.length === 0) return;
    for (const address of fresh) {
      learned.add(address);
      await learnAccount(chain, trace, address, known);
    }
  }
}

/** A deleted account is known by its state before it was deleted. */
async function learnAccount(chain: ProvedChain, trace: Trace, address: Address, known: KnownEntities): Promise<void> {
  const last = await chain.getAccount(address, trace.mcSeqnoEnd);
  const own = trace.transactions.filter(({ account }) => account === address).map(({ mcSeqno }) => mcSeqno - 1);
  const seqnos = last.code === undefined ? [...new Set(own)].sort((a, b) => a - b) : [];
  for (const seqno of seqnos.filter((each) => each > 0))
    known.add(await chain.detect([await chain.getAccount(address, seqno)], seqno), []);
  known.add(await chain.detect([last], trace.mcSeqnoEnd), [last]);
}

/** The traces of the transactions of a block. */
export async function chooseTraces(session: Pick<SqlSession, "query">, mcSeqno: number): Promise<readonly Hash[]> {
  const rows = await session.query(
    "select distinct trace_id from transactions where mc_block_seqno = $1 order by trace_id",
    [mcSeqno],
  );
  return rows.map((row) => tables.transactions.columns.traceId.read(row.trace_id ?? null));
}
