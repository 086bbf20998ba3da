import { systemClock } from "../../../lib/clock.ts";
import { TurnBudget } from "../../../lib/TurnBudget.ts";
import type { Address } from "../../../model/Address.ts";
import type { Hash } from "../../../model/Hash.ts";
import { HistoryError } from "../../errors.ts";
import { type Database, runLater, type SqlSession } from "../Database.ts";
import { blocksChannel, notify } from "../schema/channels.ts";
import { extendSegment, type Segment, takeSegment } from "../schema/checkpoint.ts";
import { address as addressColumn, hash as hashColumn } from "../schema/columns.ts";
import { beginsFact, readFacts } from "../schema/indexFacts.ts";
import { insertText } from "../schema/insertText.ts";
import type { Columns, Row, Table } from "../schema/Table.ts";
import { latestAccountStates, openEdges } from "../schema/tables.ts";
import type { BatchRows } from "./BatchRows.ts";
import { copyRows } from "./copyRows.ts";
import { makePartitions } from "./partitions.ts";
import { leaveOutRepeated } from "./repeatedExternals.ts";
import { floorFact, lowestFloor, richLimits, updateRichAccounts } from "./richAccounts.ts";
import { type RowWrite, rowWrites } from "./rowWrites.ts";
import { skipOutdatedRows, type TableRows } from "./skipOutdatedRows.ts";
import { absorbStates } from "./statesAfter.ts";
import { resolveUndecided } from "./undecidedRows.ts";

/**
 * Statements of a commit, or of a join of segments, find a few rows by their keys. Without statistics, as in a new
 * partition, PostgreSQL takes the keys for a large share of the table and reads all of it. Holds until the end of the
 * transaction.
 */
export const useIndexes = "set local enable_seqscan = off";

/**
 * All statements of a commit look up rows by keys, so that one plan is good for all values. The built-in engine takes
 * longer to plan most of them than to run them. Holds until the end of the transaction.
 */
const keepPlans = "set local plan_cache_mode = force_generic_plan";

/** The result of a commit, and the extent of the segment. */
export type Committed =
  | { readonly kind: "committed"; readonly segment: Segment }
  /** Everything was committed before: nothing changed. */
  | { readonly kind: "already"; readonly segment: Segment };

export interface CommitOptions {
  /** Tables with at least this many rows use COPY; smaller ones share one statement. See `leastCopied`. */
  readonly copyFrom?: number;
  /** What happens to blocks that are already in the segment ("leaveOut"). */
  readonly repeated?: "leaveOut" | "refuse";
  /** Runs first in the transaction and may refuse the commit. */
  readonly guard?: (session: SqlSession) => Promise<void>;
  /** Where history began when the rows were made: the commit is refused when it begins elsewhere now. */
  readonly made?: IndexExtent;
}

/** What was known of the index when rows were made. */
export interface IndexExtent {
  /** The fact that names the first block that is kept. */
  readonly begins: string | undefined;
}

/**
 * Writes all rows of consecutive masterchain blocks and the checkpoint in one transaction. `segment` names the first
 * block of the segment that they continue; its row is created with its first block. Blocks that are already in it are
 * left out, so that committing twice changes nothing; a block that is not the next one is refused.
 */
export function commitBatches(
  database: Database,
  batches: readonly BatchRows[],
  { firstSeqno }: Pick<Segment, "firstSeqno">,
  { copyFrom, repeated = "leaveOut", guard, made }: CommitOptions = {},
): Promise<Committed> {
  return database.write(async (session) => {
    await guard?.(session);
    await runLater(session, database.kind === "embedded" ? `${useIndexes}; ${keepPlans}` : useIndexes);
    const segment = await takeSegment(session, firstSeqno);
    // Read behind the lock of the segment; whoever removes history holds that as well.
    const facts = await readFacts(session, [beginsFact, floorFact]);
    if (made !== undefined) checkBeginning(facts, made);
    const fresh = repeated === "refuse" ? batches : batches.filter(({ mcSeqno }) => mcSeqno >= segment.nextSeqno);
    if (fresh.length === 0) return { kind: "already", segment };
    const nextSeqno = checkOrder(fresh, segment.nextSeqno);
    const decided = await resolveUndecided(session, fresh);
    // Elsewhere another process may raise it before the rows are written.
    const floor = database.kind === "embedded" ? (facts.get(floorFact) ?? lowestFloor) : undefined;
    await writeDecided(session, decided, { copyFrom, isAlone: guard === undefined, floor });
    await writeEdges(session, fresh);
    const extended = await extendSegment(session, segment, nextSeqno);
    // The built-in engine has no other process to notify.
    if (database.kind === "postgres") await notify(session, blocksChannel, String(nextSeqno - 1));
    return { kind: "committed", segment: extended };
  });
}

export interface WriteOptions {
  readonly copyFrom?: number | undefined;
  /**
   * Whether the rows are newer than all others, as at the head of the chain; otherwise the tables may have newer ones.
   */
  readonly isAlone?: boolean;
  /** The floor of the rich accounts, where nobody else can raise it. */
  readonly floor?: string | undefined;
}

/**
 * Writes the rows of blocks, whose traces are decided, with what follows from them; runs in the caller's transaction.
 */
export async function writeDecided(
  session: SqlSession,
  batches: readonly BatchRows[],
  options: WriteOptions = {},
): Promise<void> {
  await makePartitions(session, batches);
  const written = await writeRows(session, await leaveOutRepeated(session, batches.map(absorbStates)), options);
  await updateOwners(session, batches);
  const isWritten = ({ account }: BatchRows["latestAccountStates"][number]) => written.has(account);
  const changed = batches.map((batch) => ({
    ...batch,
    latestAccountStates: batch.latestAccountStates.filter(isWritten),
  }));
  await updateRichAccounts(session, changed, richLimits, options.floor);
}

/** Rows that continue traces whose beginning was removed in the meantime must be made again. */
function checkBeginning(facts: ReadonlyMap<string, string>, { begins }: IndexExtent): void {
  const now = facts.get(beginsFact);
  if (now !== begins) throw new HistoryError("history/removed", `blocks before ${now} were removed in the meantime`);
}

/** Returns the block after the last one. */
function checkOrder(batches: readonly BatchRows[], first: number): number {
  let next = first;
  for (const { mcSeqno } of batches) {
    if (mcSeqno !== next)
      throw new HistoryError("history/row", `cannot commit block ${mcSeqno}: the next block is ${next}`);
    next += 1;
  }
  return next;
}

/**
 * From how many rows on COPY costs less. A row of an INSERT costs the database up to four times as much (35 and 8 µs
 * for a transaction); rows that may exist already need a temporary table for COPY, which costs 1.2 ms.
 */
const leastCopied = { direct: 20, staged: 100 };

/**
 * Rows that other commits may write too come last and in the order of tables and keys, whatever their number: two
 * commits that write the same rows wait for each other for a short time only, and never both. Returns the accounts
 * whose latest states are written and locked.
 */
async function writeRows(
  session: SqlSession,
  batches: readonly BatchRows[],
  { copyFrom, isAlone = true }: WriteOptions,
): Promise<ReadonlySet<Address>> {
  const fillings = rowWrites.flatMap((write): TableRows[] => {
    const rows = listRows(batches, write);
    return rows.length === 0 ? [] : [{ ...write, rows: write.table.conflict.merge?.(rows) ?? rows }];
  });
  const own = fillings.filter(({ table }) => table.conflict.onConflict === undefined);
  const isFew = ({ rows }: TableRows): boolean => rows.length < (copyFrom ?? leastCopied.direct);
  const few = own.filter(isFew);
  if (few.length > 0) await runLater(session, few.map(insertFew).join(";\n"));
  for (const { table, rows } of own.filter((each) => !isFew(each))) await copyInto(session, table.name, table, rows);
  await lockOwners(session, batches);
  const shared = fillings.filter(({ table }) => table.conflict.onConflict !== undefined);
  const left = isAlone ? shared : await leaveOutAll(session, shared);
  await writeShared(session, left, copyFrom ?? leastCopied.staged);
  const states = left.find(({ table }) => table.name === latestAccountStates.name)?.rows ?? [];
  return new Set((states as readonly Row<typeof latestAccountStates>[]).map(({ account }) => account));
}

/** A loop, because `flatMap` adds each row by itself. */
function listRows(batches: readonly BatchRows[], { rowsOf }: RowWrite): readonly object[] {
  const rows: object[] = [];
  for (const batch of batches) for (const row of rowsOf(batch)) rows.push(row);
  return rows;
}

async function leaveOutAll(session: SqlSession, fillings: readonly TableRows[]): Promise<readonly TableRows[]> {
  const left: TableRows[] = [];
  for (const filling of fillings) left.push(await skipOutdatedRows(session, filling));
  return left.filter(({ rows }) => rows.length > 0);
}

function insertFew({ table, rows }: TableRows): string {
  const { onConflict = "" } = table.conflict;
  return `insert into ${table.name} as t (${listNames(table)}) values ${insertText(table, rows)} ${onConflict}`;
}

/** Writes tables in their order; those with few rows that follow each other share a statement. */
async function writeShared(session: SqlSession, fillings: readonly TableRows[], copyFrom: number): Promise<void> {
  let few: string[] = [];
  const writeFew = async (): Promise<void> => {
    if (few.length > 0) await runLater(session, few.join(";\n"));
    few = [];
  };
  for (const filling of fillings) {
    const rows = filling.table.conflict.sort?.(filling.rows) ?? filling.rows;
    if (rows.length < copyFrom) {
      few.push(insertFew({ ...filling, rows }));
    } else {
      await writeFew();
      await copyStaged(session, { ...filling, rows });
    }
  }
  await writeFew();
}

/**
 * Rows that may exist are copied into a temporary table first; it lives until the commit, because poolers share
 * sessions.
 */
async function copyStaged(session: SqlSession, { table, rows }: TableRows): Promise<void> {
  const { onConflict = "" } = table.conflict;
  const stage = `stage_${table.name}`;
  const names = listNames(table);
  await session.run(`create temporary table ${stage} (like ${table.name}) on commit drop`);
  await copyInto(session, stage, table, rows);
  await session.run(`insert into ${table.name} as t (${names}) select ${names} from ${stage} ${onConflict}`);
}

/** Bytes of one COPY, which exist several times in memory. */
const maxCopied = 1 << 19;
/** How long making them holds the event loop at a time. */
const copyTurnMs = 3;

async function copyInto(
  session: SqlSession,
  name: string,
  table: Table<Columns>,
  rows: readonly object[],
): Promise<void> {
  const turns = new TurnBudget(systemClock, copyTurnMs);
  for (const bytes of copyRows(table, rows, maxCopied))
    await (bytes === undefined ? turns.yieldIfDue() : session.copyBinary(name, table.names, bytes));
}

function listNames(table: Table<Columns>): string {
  return table.names.map((name) => `"${name}"`).join(", ");
}

/** A message that is sent and received within these blocks leaves no open edge. */
async function writeEdges(session: SqlSession, batches: readonly BatchRows[]): Promise<void> {
  const opened = new Map<Hash, BatchRows["openEdges"][number]>();
  const closed: Hash[] = [];
  for (const batch of batches) {
    for (const edge of batch.openEdges) opened.set(edge.msgHash, edge);
    for (const msgHash of batch.closedEdges) if (!opened.delete(msgHash)) closed.push(msgHash);
  }
  if (closed.length > 0)
    await session.query("delete from open_edges where msg_hash = any($1::bytea[])", [closed.map(hashColumn.write)]);
  await copyInto(session, openEdges.name, openEdges, [...opened.values()]);
}

const ownersLock = 7_086_423;

/** Items and sales whose owners may change each other. */
function listOwners(batches: readonly BatchRows[]) {
  const items = batches.flatMap(({ entities }) => entities.nftItems.map(({ address }) => address));
  const sales = batches.flatMap(({ entities }) => entities.nftSales.map(({ address }) => address));
  return { items, sales };
}

/**
 * Of two commits at the same time, one with an item and one with its sale, the second must see the first; it waits
 * before it locks rows of either.
 */
async function lockOwners(session: SqlSession, batches: readonly BatchRows[]): Promise<void> {
  const { items, sales } = listOwners(batches);
  if (items.length === 0 && sales.length === 0) return;
  await session.query(`select pg_advisory_xact_lock(${ownersLock}, hashtext(current_schema()))`);
}

/** The seller is the real owner of an item that a sale holds; updated when either of the two changes. */
async function updateOwners(session: SqlSession, batches: readonly BatchRows[]): Promise<void> {
  const { items, sales } = listOwners(batches);
  if (items.length > 0) await session.query(updateOwnersBy("address"), [listed(items)]);
  if (sales.length > 0) await session.query(updateOwnersBy("owner_address"), [listed(sales)]);
}

const realOwner = `coalesce((
  select s.nft_owner_address from nft_sales s where s.address = i.owner_address and s.nft_address = i.address
), i.owner_address)`;

function updateOwnersBy(column: "address" | "owner_address"): string {
  return `update nft_items i set real_owner = ${realOwner}
    where i.${column} = any($1::bytea[]) and i.real_owner is distinct from ${realOwner}`;
}

function listed(addresses: readonly Address[]): (string | null)[] {
  return addresses.map(addressColumn.write);
}
