import { HistoryError } from "../../../history/errors.ts";
import { checkChain } from "../../../history/ingest/steps/checkChain.ts";
import type { Scope } from "../../../history/scope/Scope.ts";
import { checkScope, claimScope } from "../../../history/scope/storedScope.ts";
import { refuseUnfinishedImport } from "../../../history/snapshot/importState.ts";
import type { Database } from "../../../history/store/Database.ts";
import { DeferredDatabase } from "../../../history/store/engine/DeferredDatabase.ts";
import { isMade, openEmbedded } from "../../../history/store/engine/embedded/openEmbedded.ts";
import { findSchema } from "../../../history/store/engine/postgres/findSchema.ts";
import { openPostgres, type PostgresOptions } from "../../../history/store/engine/postgres/openPostgres.ts";
import { withReplica } from "../../../history/store/engine/postgres/withReplica.ts";
import { isBehind, migrate } from "../../../history/store/migrate/migrate.ts";
import { rebuild } from "../../../history/store/migrate/rebuild.ts";
import { findIndexedHead } from "../../../history/store/schema/indexedHead.ts";
import { checkNetwork, claimNetwork } from "../../../history/store/schema/indexFacts.ts";
import { weighPartitions } from "../../../history/store/schema/partitionWeight.ts";
import type { Clock } from "../../../lib/clock.ts";
import { isCoded } from "../../../lib/errors.ts";
import type { Log } from "../../../lib/log.ts";
import { systemRandom } from "../../../lib/random.ts";
import { masterchain, wholeShard } from "../../../model/block/BlockId.ts";
import type { Hash } from "../../../model/Hash.ts";
import { AppError } from "../../errors.ts";
import { describeLocation, type IndexLocation } from "../../networks/indexLocation.ts";
import type { OpenNetwork } from "./OpenNetwork.ts";

export interface IndexDatabaseModules {
  readonly clock: Clock;
  readonly log: Log;
  /** Cancels the opening. */
  readonly signal?: AbortSignal | undefined;
}

/** What a service does with an index. */
export interface IndexUse {
  readonly kind: "write" | "read";
  /** The URL of a replica that answers requests. */
  readonly replica?: string | undefined;
  /** What a writer's index covers; a reader takes what it finds, unless it names a scope. */
  readonly scope?: Scope | undefined;
}

/** Whether the database does not exist yet, so that it cannot be refused. */
export function isNewLocation(location: IndexLocation): boolean {
  return location.kind === "embedded" && !isMade(location.folder);
}

export interface PlaceOptions {
  /** The sessions with a PostgreSQL. */
  readonly sessions?: PostgresOptions;
  /** What becomes of a built-in database that was open when the machine ended. */
  readonly afterCrash?: "refuse" | "renew";
}

/** Opens the tables of an index as they are; a network without its own schema is found by its zero state. */
export async function openLocation(
  location: IndexLocation,
  modules: IndexDatabaseModules,
  zeroState: Hash | undefined,
  { sessions = {}, afterCrash = "refuse" }: PlaceOptions = {},
): Promise<Database> {
  if (location.kind === "embedded")
    return openEmbedded(location.folder, modules, { signal: modules.signal, afterCrash });
  const { url, schema: name, isShared } = location;
  const schema = await findSchema(url, { name, isShared, zeroState }, modules);
  return openPostgres(url, modules, { ...sessions, schema });
}

export interface OpenOptions {
  /** Whether the tables are made again. */
  readonly reset?: OpenNetwork["indexReset"];
  /** The blocks of the chain, if all of them are here. */
  readonly findRootHash?: OpenNetwork["findRootHash"];
  /** The sessions with a PostgreSQL. */
  readonly sessions?: PostgresOptions;
}

/** Opens the tables of a network's index for a writer, which makes missing ones, or for readers. */
export async function openIndexDatabase(
  location: IndexLocation,
  { kind, replica, scope }: IndexUse,
  zeroState: Hash,
  modules: IndexDatabaseModules,
  { reset, findRootHash, sessions }: OpenOptions = {},
): Promise<Database> {
  // A local network has its whole chain, from which the index is made again.
  const afterCrash = kind === "write" && findRootHash !== undefined ? "renew" : "refuse";
  const database = await openLocation(location, modules, zeroState, { ...(sessions && { sessions }), afterCrash });
  try {
    if (kind === "write") {
      if (reset?.isOrdered() === true) {
        await rebuild(database, modules);
        reset.done();
      } else {
        await migrate(database, modules);
      }
      await claimNetwork(database, zeroState);
      await claimScope(database, scope);
      await weighPartitions(database);
      if (findRootHash !== undefined)
        await refuseAhead(database, findRootHash, describeLocation(location, database.schema));
    } else {
      await refuseMissingTables(database);
      await checkNetwork(database, zeroState);
      await checkScope(database, scope);
    }
    await refuseUnfinishedImport(database);
    return replica === undefined ? database : await addReplica(database, replica, modules);
  } catch (error) {
    await database.close();
    throw explain(error, location, database.schema);
  }
}

/**
 * An index has only blocks that were published: one that knows more than the chain proves that the chain has lost some.
 */
async function refuseAhead(
  database: Database,
  findRootHash: NonNullable<OpenNetwork["findRootHash"]>,
  where: string,
): Promise<void> {
  const head = await findIndexedHead(database);
  if (head === undefined) return;
  const rootHash = findRootHash(head.seqno);
  const block = { workchain: masterchain, shard: wholeShard, seqno: head.seqno };
  const isSame = rootHash !== undefined && (await isIndexed(database, { ...block, rootHash }));
  if (isSame) return;
  const problem = `the index in ${where} has masterchain block ${head.seqno}, which the chain does not have`;
  const choices = "restore a copy of the chain or a snapshot, or delete the index with tongate db rebuild";
  throw new AppError("app/data", `${problem}: the chain lost published blocks; ${choices}`);
}

async function isIndexed(database: Database, block: Parameters<typeof checkChain>[1]): Promise<boolean> {
  try {
    await checkChain(database, block);
    return true;
  } catch (error) {
    if (!isCoded(error, "history/foreign")) throw error;
    return false;
  }
}

/** A replica that cannot be reached now is used later. */
async function addReplica(database: Database, url: string, { clock, log }: IndexDatabaseModules): Promise<Database> {
  const { schema } = database;
  const open = () => openPostgres(url, { clock, log }, { schema });
  const replica = new DeferredDatabase({ kind: "postgres", open }, { clock, log, random: systemRandom });
  await replica.start(0);
  return withReplica(database, replica, { clock, log });
}

/** Refuses a database without the tables of this version: a reader waits until a writer has made them. */
export async function refuseMissingTables(database: Database): Promise<void> {
  if (!(await isBehind(database))) return;
  throw new HistoryError("history/database", "its tables are missing or of an older version; run tongate db migrate");
}

/** A problem that the operator can fix is a configuration error and ends the start. */
function explain(error: unknown, location: IndexLocation, schema: string | undefined): unknown {
  const where = describeLocation(location, schema);
  if (isCoded(error, "history/foreign")) return foreign(where, location, error);
  if (!isCoded(error, "history/scope")) return error;
  return new AppError("app/config", `the index in ${where}: ${error.message}`, { cause: error });
}

function foreign(where: string, location: IndexLocation, cause: Error): AppError {
  const way =
    location.kind === "postgres"
      ? "give another --database"
      : "delete that folder to index again, or give another --data";
  return new AppError("app/config", `the index in ${where}: ${cause.message}; ${way}`, { cause });
}
