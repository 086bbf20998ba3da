import type { Clock } from "../../lib/clock.ts";
import type { Database, SqlSession } from "../store/Database.ts";
import { hasState } from "../store/databaseErrors.ts";
import { copyOf, type Partition, sourcesOf, tableOf, takeSealLock } from "./Partition.ts";
import { listSealedParts, sealedGroupBytes } from "./sealedOrder.ts";

/*
 * A partition, or several that follow each other, are copied in the order of accounts into a new table, whose indexes
 * are made afterwards, and the new table takes their place. Readers see the old rows until then. A trigger notes
 * changes during the copy; then the copy is discarded. Requests have snapshots, and one that is older than the copy
 * would not see its rows: the rows are frozen before, which the database does only when every snapshot sees them. Each
 * step is one transaction, and the last one records the partition: after a kill the partition is copied again.
 */

export interface SealModules {
  readonly database: Pick<Database, "query" | "write">;
  readonly clock: Clock;
  /** Ends the work, also in the database. */
  readonly signal: AbortSignal;
}

export interface SealOptions {
  /** Names this attempt among those of other processes. */
  readonly attempt: string;
  /** How often snapshots and locks are waited for, and how long in between; 60 times a second by default. */
  readonly tries?: number;
  readonly waitMs?: number;
  /** The size of groups of rows that are apart; see `listSealedParts`. */
  readonly groupBytes?: number;
}

/** The longest time that readers wait while a lock is requested. */
const lockMs = 100;

/** The outcome of a step: done, to be retried, or prevented by another process. */
type Outcome = "done" | "busy" | "lost";

/** Seals one partition; returns whether it is sealed now. Another attempt, a change or an old snapshot prevent it. */
export async function sealPartition(
  modules: SealModules,
  partition: Partition,
  { attempt, tries = 60, waitMs = 1_000, groupBytes = sealedGroupBytes }: SealOptions,
): Promise<boolean> {
  const { database, clock, signal } = modules;
  const step = (work: () => Promise<Outcome>) => isDone(modules, { tries, waitMs }, work);
  const writeStep = (work: (session: SqlSession) => Promise<Outcome>) =>
    step(() => database.write(async (session) => ((await takeSealLock(session)) ? work(session) : "busy")));
  const isSealed =
    (await writeStep((session) => noteChanges(session, partition, attempt))) &&
    (await writeStep((session) => copyRows(session, partition, { attempt, signal, groupBytes }))) &&
    (await step(() => freezeRows(database, partition, signal))) &&
    (await writeStep((session) => swapTables(session, partition, { attempt, clock })));
  if (!isSealed) await database.write((session) => session.run(`drop table if exists "${copyOf(partition)}"`));
  return isSealed;
}

async function isDone(
  { clock, signal }: SealModules,
  { tries, waitMs }: { readonly tries: number; readonly waitMs: number },
  work: () => Promise<Outcome>,
): Promise<boolean> {
  for (let left = tries; left > 0; left--) {
    signal.throwIfAborted();
    const outcome = await orBusy(work);
    if (outcome !== "busy") return outcome === "done";
    await clock.sleep(waitMs, signal);
  }
  return false;
}

/** A lock that is not free in time is not a failure. */
async function orBusy(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    if (hasState(error, /^55P03$/)) return "busy";
    throw error;
  }
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(", ");

async function noteChanges(session: SqlSession, partition: Partition, attempt: string): Promise<Outcome> {
  const names = sourcesOf(partition);
  await session.run(`set local lock_timeout = ${lockMs}; lock table ${quoted(names)} in share row exclusive mode`);
  await session.query(
    `insert into seal_attempts (name, attempt, is_changed) select each, $2, false from unnest($1::text[]) as each
     on conflict (name) do update set attempt = excluded.attempt, is_changed = false`,
    [names, attempt],
  );
  const triggers = names.map(
    (name) => `create or replace trigger note_change after insert or update or delete on "${name}"
     for each row execute function note_change()`,
  );
  await session.run(triggers.join(";"));
  return "done";
}

/** Whether no other attempt has begun, and no row has changed since this one did. */
async function isUndisturbed(session: SqlSession, partition: Partition, attempt: string): Promise<boolean> {
  const names = sourcesOf(partition);
  const rows = await session.query(
    "select 1 as one from seal_attempts where name = any($1::text[]) and attempt = $2 and not is_changed",
    [names, attempt],
  );
  return rows.length === names.length;
}

async function copyRows(
  session: SqlSession,
  partition: Partition,
  {
    attempt,
    signal,
    groupBytes,
  }: Pick<SealOptions, "attempt"> & { readonly signal: AbortSignal; readonly groupBytes: number },
): Promise<Outcome> {
  if (!(await isUndisturbed(session, partition, attempt))) return "lost";
  const { column, place, from, to } = partition;
  const [copy, names] = [copyOf(partition), sourcesOf(partition)];
  const [name = ""] = names;
  await session.run(
    `set local max_parallel_maintenance_workers = 0; set local max_parallel_workers_per_gather = 0;
     drop table if exists "${copy}"; create table "${copy}" (like "${name}" including defaults including storage)`,
  );
  const rows = names.map((each) => `select * from "${each}"`).join(" union all ");
  for (const { where, order } of await listSealedParts(session, partition, groupBytes)) {
    const sorted = `select * from (${rows}) r where ${where} order by ${order}`;
    await session.query(`insert into "${copy}" ${sorted}`, [], { signal });
  }
  for (const sql of await listIndexes(session, partition.parent, copy)) await session.query(sql, [], { signal });
  const below = place === 0 ? "" : `"${column}" >= ${from} and `;
  // With this constraint, attaching the table does not read it again.
  await session.run(
    `alter table "${copy}" add constraint sealed_range check (${below}"${column}" < ${to}); analyze "${copy}"`,
  );
  return "done";
}

/**
 * The statements that give a table the indexes of partitions. Those of the partition itself may be without free space
 * already, which their definitions say.
 */
async function listIndexes(session: SqlSession, parent: string, copy: string): Promise<readonly string[]> {
  const rows = await session.query(
    `select pg_get_indexdef(i.indexrelid) as made, pg_get_constraintdef(k.oid) as key
     from pg_index i left join pg_constraint k on k.conindid = i.indexrelid and k.conrelid = i.indrelid
     where i.indrelid = to_regclass($1) order by i.indexrelid`,
    [`"${parent}"`],
  );
  return rows.map(({ made, key }) =>
    key === null ? denseIndex(String(made), copy) : `alter table "${copy}" add ${key} with (fillfactor = 100)`,
  );
}

/** The same index for another table, without free space, because no more rows come. */
function denseIndex(made: string, copy: string): string {
  const [what = "", where] = made.slice(made.indexOf(" USING ")).split(/ WHERE (.*)/s);
  const dense = what.startsWith(" USING btree") ? " with (fillfactor = 100)" : "";
  const kind = made.startsWith("CREATE UNIQUE") ? "unique index" : "index";
  return `create ${kind} on "${copy}"${what}${dense}${where === undefined ? "" : ` where ${where}`}`;
}

/** Whether every snapshot sees the rows: then the table has no transaction number as old as that of the copy. */
async function freezeRows(
  database: SealModules["database"],
  partition: Partition,
  signal: AbortSignal,
): Promise<Outcome> {
  const copy = `"${copyOf(partition)}"`;
  const [place] = await database.query("select quote_ident(current_schema()) as schema");
  // Any session freezes rows as well as ours, so that a pooler may give the statement to another one.
  await database.query(`vacuum (freeze) ${place?.schema}.${copy}`, [], { signal, isAlone: true });
  const [row] = await database.query(
    "select age(relfrozenxid) < age(xmin) as is_frozen from pg_class where oid = to_regclass($1)",
    [copy],
  );
  return row?.is_frozen === true ? "done" : "busy";
}

async function swapTables(
  session: SqlSession,
  partition: Partition,
  { attempt, clock }: { readonly attempt: string; readonly clock: Clock },
): Promise<Outcome> {
  const { parent, place } = partition;
  const [name, copy, names] = [tableOf(partition), copyOf(partition), sourcesOf(partition)];
  await session.run(
    `set local lock_timeout = ${lockMs};
     lock table only "${parent}", ${names.map((each) => `only "${each}"`).join(", ")} in access exclusive mode`,
  );
  if (!(await isUndisturbed(session, partition, attempt))) return "lost";
  const removed = names.map((each) => `alter table "${parent}" detach partition "${each}"; drop table "${each}"`);
  await session.run([...removed, `alter table "${copy}" rename to "${name}"`].join(";"));
  await session.query("select attach_partition($1, $2::bigint)", [parent, place]);
  await session.run(`alter table "${name}" drop constraint sealed_range`);
  for (const table of ["seal_attempts", "sealed_partitions"])
    await session.query(`delete from ${table} where name = any($1::text[])`, [names]);
  await session.query("insert into sealed_partitions (name, sealed_at) values ($1, $2::bigint)", [
    name,
    Math.floor(clock.now() / 1_000),
  ]);
  return "done";
}
