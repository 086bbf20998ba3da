import { HistoryError } from "../../../history/errors.ts";
import { refuseUnfinishedImport } from "../../../history/snapshot/importState.ts";
import type { Database } from "../../../history/store/Database.ts";
import { isMade, openEmbedded } from "../../../history/store/embedded/openEmbedded.ts";
import { checkNetwork, claimNetwork } from "../../../history/store/facts.ts";
import { isBehind, migrate } from "../../../history/store/migrate.ts";
import { findSchema } from "../../../history/store/postgres/findSchema.ts";
import { openPostgres } from "../../../history/store/postgres/openPostgres.ts";
import { rebuild } from "../../../history/store/rebuild.ts";
import type { Clock } from "../../../lib/clock.ts";
import { isCoded } from "../../../lib/errors.ts";
import type { Log } from "../../../lib/log.ts";
import type { Hash } from "../../../model/Hash.ts";
import { AppError } from "../../errors.ts";
import { describePlace, type IndexPlace } from "../../networks/indexPlace.ts";
import type { OpenNetwork } from "../OpenNetwork.ts";

export interface IndexDatabaseModules {
  readonly clock: Clock;
  readonly log: Log;
  /** Cancels the opening. */
  readonly signal?: AbortSignal | undefined;
}

/** Whether the database does not exist yet, so that it cannot be refused. */
export function isNewPlace(place: IndexPlace): boolean {
  return place.kind === "embedded" && !isMade(place.folder);
}

/** Opens the tables of an index as they are; a network without its own schema is found by its zero state. */
export async function openPlace(
  place: IndexPlace,
  modules: IndexDatabaseModules,
  zeroState: Hash | undefined,
): Promise<Database> {
  if (place.kind === "embedded") return openEmbedded(place.folder, modules, { signal: modules.signal });
  const { url, schema: name, isShared } = place;
  const schema = await findSchema(url, { name, isShared, zeroState }, modules);
  return openPostgres(url, modules, { schema });
}

/** Opens the tables of a network's index for a writer, which makes missing ones, or for readers. */
export async function openIndexDatabase(
  place: IndexPlace,
  use: "write" | "read",
  zeroState: Hash,
  modules: IndexDatabaseModules,
  reset?: OpenNetwork["indexReset"],
): Promise<Database> {
  const database = await openPlace(place, modules, zeroState);
  try {
    if (use === "write") {
      if (reset?.isOrdered() === true) {
        await rebuild(database, modules);
        reset.done();
      } else {
        await migrate(database, modules);
      }
      await claimNetwork(database, zeroState);
    } else {
      await refuseMissingTables(database);
      await checkNetwork(database, zeroState);
    }
    await refuseUnfinishedImport(database);
    return database;
  } catch (error) {
    await database.close();
    throw isCoded(error, "history/foreign") ? foreign(describePlace(place, database.schema), place, error) : error;
  }
}

/** Refuses a database without the tables of this version: a reader waits until a writer has made them. */
export async function refuseMissingTables(database: Database): Promise<void> {
  if (!(await isBehind(database))) return;
  throw new HistoryError(
    "history/database",
    "its tables are not those of this version yet: an indexer makes them, or tongate db migrate",
  );
}

function foreign(where: string, place: IndexPlace, cause: Error): AppError {
  const way =
    place.kind === "postgres" ? "give another --database" : "delete that folder to index anew, or give another --data";
  return new AppError("app/config", `the index in ${where}: ${cause.message}; ${way}`, { cause });
}
