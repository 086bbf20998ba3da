import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../../src/history/store/Database.ts";
import { openEmbedded } from "../../src/history/store/engine/embedded/openEmbedded.ts";
import { listMigrations, migrate } from "../../src/history/store/migrate/migrate.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { openLog } from "../../src/lib/log.ts";
import { keepEngines } from "./keptEngines.ts";

const modules = { clock: systemClock, log: openLog({ level: "silent" }) };
const templateCache = join(import.meta.dirname, "../..", "node_modules", ".cache", "tongate-database");

/**
 * An embedded database in a temporary folder that is removed on close. Creating its files takes seconds, so they are
 * created once for each version of the engine and the migrations, and copied.
 */
export async function openFromTemplate(tables: "none" | "all"): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), "tongate-database-"));
  await copyTemplate(tables, folder);
  return withFolder(await openEmbedded(folder, modules), folder);
}

/** Copies the files of such a database into a folder. */
export async function copyTemplate(tables: "none" | "all", folder: string): Promise<void> {
  cpSync(await getTemplate(tables), folder, { recursive: true });
}

/** The folder of such a database, which nobody may change. */
export async function getTemplate(tables: "none" | "all"): Promise<string> {
  await keepEngines();
  const template = join(templateCache, templateName(tables));
  if (existsSync(template)) return template;
  mkdirSync(templateCache, { recursive: true });
  const fresh = mkdtempSync(join(templateCache, "fresh-"));
  const database = await openEmbedded(fresh, modules);
  if (tables === "all") {
    await migrate(database, modules);
    await database.runAlone("checkpoint");
  }
  await database.close();
  try {
    renameSync(fresh, template);
  } catch {
    // Another test file created the same template in the meantime.
    rmSync(fresh, { recursive: true });
  }
  return template;
}

/** Another version of the engine or of the migrations gives another name. */
function templateName(tables: "none" | "all"): string {
  const hash = createHash("sha256");
  const resolved = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  hash.update(readFileSync(join(resolved, "..", "..", "package.json")));
  if (tables === "all") for (const { name, sql } of listMigrations()) hash.update(name).update(sql);
  return `${tables}-${hash.digest("hex").slice(0, 16)}`;
}

function withFolder(database: Database, folder: string): Database {
  return {
    kind: database.kind,
    query: (...args) => database.query(...args),
    read: (...args) => database.read(...args),
    write: (work) => database.write(work),
    runAlone: (sql) => database.runAlone(sql),
    lockWriter: (signal) => database.lockWriter(signal),
    close: async () => {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
