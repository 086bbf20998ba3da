import { join } from "node:path";
import { HistoryError } from "../../history/errors.ts";
import type { Database } from "../../history/store/Database.ts";
import { isMade, openEmbedded } from "../../history/store/embedded/openEmbedded.ts";
import { checkNetwork, claimNetwork } from "../../history/store/facts.ts";
import { findOpen, migrate } from "../../history/store/migrate.ts";
import { openPostgres } from "../../history/store/postgres/openPostgres.ts";
import type { Clock } from "../../lib/clock.ts";
import { isCoded } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import type { Hash } from "../../model/Hash.ts";
import type { Config } from "../config.ts";
import { AppError } from "../errors.ts";
import type { NetworkPlan } from "../networks/NetworkPlan.ts";
import { localName } from "../networks/planNetworks.ts";

/** Where the tables of an index are. */
export type IndexPlace =
  | { readonly kind: "postgres"; readonly url: string }
  | { readonly kind: "embedded"; readonly folder: string };

export interface IndexDatabaseModules {
  readonly clock: Clock;
  readonly log: Log;
}

/** Where the index of a network is; that of the local network goes with its chain. */
export function indexPlace(
  { data, database }: Pick<Config, "data" | "database">,
  { name }: Pick<NetworkPlan, "name">,
): IndexPlace {
  if (database !== undefined) return { kind: "postgres", url: database };
  return { kind: "embedded", folder: name === localName ? join(data, name, "index") : join(data, "index", name) };
}

/** One database holds one network. */
export function refuseSharedDatabase({ database }: Pick<Config, "database">, plans: readonly NetworkPlan[]): void {
  if (database === undefined || plans.length < 2) return;
  const names = plans.map(({ name }) => name).join(", ");
  throw new AppError("app/config", `--database is one network's, and ${names} are ${plans.length}; run each by itself`);
}

/** The place of an index for people, without its password. */
export function describePlace(place: IndexPlace): string {
  if (place.kind === "embedded") return place.folder;
  const { hostname, port, pathname } = new URL(place.url);
  return `PostgreSQL at ${hostname}${port === "" ? "" : `:${port}`}${pathname}`;
}

/** Whether the database has yet to be made, and so can hold nothing that would be refused. */
export function isNewPlace(place: IndexPlace): boolean {
  return place.kind === "embedded" && !isMade(place.folder);
}

/** Opens the tables of an index as they are. */
export function openPlace(place: IndexPlace, modules: IndexDatabaseModules): Promise<Database> {
  return place.kind === "postgres" ? openPostgres(place.url, modules) : openEmbedded(place.folder, modules);
}

/** Opens the tables of a network's index for a writer, who makes what is missing, or for readers. */
export async function openIndexDatabase(
  place: IndexPlace,
  use: "write" | "read",
  zeroState: Hash,
  modules: IndexDatabaseModules,
): Promise<Database> {
  const database = await openPlace(place, modules);
  try {
    if (use === "write") {
      await migrate(database, modules);
      await claimNetwork(database, zeroState);
    } else {
      await refuseMissing(database);
      await checkNetwork(database, zeroState);
    }
    return database;
  } catch (error) {
    await database.close();
    throw isCoded(error, "history/foreign") ? foreign(place, error) : error;
  }
}

/** Whoever only reads waits until a writer has made the tables. */
async function refuseMissing(database: Database): Promise<void> {
  if ((await findOpen(database)).length === 0) return;
  throw new HistoryError(
    "history/database",
    "its tables are not those of this version yet: an indexer makes them, or tongate db migrate",
  );
}

function foreign(place: IndexPlace, cause: Error): AppError {
  const way =
    place.kind === "postgres" ? "give another --database" : "delete that folder to index anew, or give another --data";
  return new AppError("app/config", `the index in ${describePlace(place)}: ${cause.message}; ${way}`, { cause });
}
