import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { abandonPostgres, announcePostgres, findAnnounced, stopPostgres } from "../history/postgres/postgresServer.ts";
import { openRunFolder } from "./runFolder.ts";

/**
 * What all test files of a run share: a folder for all that is written meanwhile, and in it a place for a PostgreSQL,
 * which is started when the first of them asks. Neither is left. Each project calls this; the first call counts.
 */
export function setup(): (() => Promise<void>) | undefined {
  if (findAnnounced() !== undefined) return undefined;
  const run = openRunFolder();
  const folder = join(run.path, "postgres");
  mkdirSync(folder);
  announcePostgres(folder);
  // Who stops a run with Ctrl-C leaves nothing behind either.
  process.once("exit", () => {
    abandonPostgres({ folder });
    run.remove();
  });
  return async () => {
    await stopPostgres({ folder });
    run.remove();
  };
}
