import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { announcePostgres, stopPostgres } from "./postgresServer.ts";

/** A place for the PostgreSQL that test files share: none is started unless one of them asks, and none is left. */
export function setup(): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "tongate-postgres-"));
  announcePostgres(folder);
  return async () => {
    await stopPostgres({ folder });
    rmSync(folder, { recursive: true, force: true });
  };
}
