import { mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  abandonPostgres,
  announcePostgres,
  findAnnounced,
  stopPostgres,
} from "../../../../kit/history/postgres/postgresServer.ts";
import { openRunFolder } from "./runFolder.ts";

/**
 * Sets up what all test files of a run share: a temporary folder, and in it a place for PostgreSQL, which starts on
 * first use. Both are removed at the end. Each project calls this; only the first call has an effect.
 */
export function setup(): (() => Promise<void>) | undefined {
  if (findAnnounced() !== undefined) return undefined;
  const run = openRunFolder();
  const folder = join(run.path, "postgres");
  mkdirSync(folder);
  announcePostgres(folder);
  // Cleans up also after Ctrl-C.
  process.once("exit", () => {
    abandonPostgres({ folder });
    run.remove();
  });
  return async () => {
    await stopPostgres({ folder });
    run.remove();
  };
}
