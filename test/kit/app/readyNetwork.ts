import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onceARun } from "../../../kit/suite/onceARun.ts";

/** Where the index of a started service is. */
export type IndexEngine = "embedded" | "postgres";

/** Starts a new service in a folder, stops it when its demo set is made and indexed, and returns its database. */
export type MakeNetwork = (folder: string, engine: IndexEngine) => Promise<string | undefined>;

/** Flags of how a chain or its index begins: a network with one of them is made anew. */
const beginnings = ["--demo", "--fork", "--shards", "--scope", "--keep", "--from"];

export function hasOwnBeginning(flags: readonly string[]): boolean {
  return flags.some((flag) => beginnings.includes(flag));
}

/**
 * Fills an empty data folder with a stopped network whose demo set is made and indexed, and returns the URL of the
 * database with its index, which nobody may change, if it is in PostgreSQL. To make the demo set takes seconds of CPU
 * time, so it is made once a run and copied.
 */
export async function copyReadyNetwork(
  folder: string,
  engine: IndexEngine,
  make: MakeNetwork,
): Promise<string | undefined> {
  const ready = await onceARun(`ready-network-${engine}`, async (made) => {
    mkdirSync(join(made, "data"));
    const url = await make(join(made, "data"), engine);
    if (url !== undefined) writeFileSync(join(made, "database"), url);
  });
  cpSync(join(ready, "data"), folder, { recursive: true });
  const database = join(ready, "database");
  return existsSync(database) ? readFileSync(database, "utf8") : undefined;
}
