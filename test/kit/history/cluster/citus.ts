import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Database } from "../../../../src/history/store/Database.ts";
import { openPostgres } from "../../../../src/history/store/engine/postgres/openPostgres.ts";
import { migrate } from "../../../../src/history/store/migrate/migrate.ts";
import { systemClock } from "../../../../src/lib/clock.ts";
import { openLog } from "../../../../src/lib/log.ts";

const variable = "TONGATE_TEST_CITUS";
const modules = { clock: systemClock, log: openLog({ level: "silent" }) };

/** The URL of a database on the coordinator of a Citus cluster, if the tests are given one. */
export function findCitus(): string | undefined {
  return process.env[variable] || undefined;
}

/** A fresh schema of the cluster, with all tables or none, as a database; it is removed when it is closed. */
export async function openCitus(contents: "none" | "all"): Promise<Database> {
  const url = findCitus();
  if (url === undefined) throw new Error(`${variable} is not set`);
  const schema = `t_${randomUUID().replaceAll("-", "")}`;
  const database = await openPostgres(url, modules, { schema });
  if (contents === "all") await migrate(database, modules);
  const close = async (): Promise<void> => {
    await database.close();
    const other = await openPostgres(url, modules, { readers: 1 });
    await other.runAlone(`drop schema if exists "${schema}" cascade`).finally(() => other.close());
  };
  return new Proxy(database, {
    get: (target, name) => {
      if (name === "close") return close;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** Declares tests that need a cluster; without one a single test in their place says so. */
export function describeCitus(name: string, declare: (url: string) => void): void {
  const url = findCitus();
  describe(name, () => {
    if (url !== undefined) {
      declare(url);
      return;
    }
    it("is left out while no cluster is given", () => {
      process.stdout.write(`Citus absent: set ${variable} to the URL of a coordinator\n`);
      expect(findCitus()).toBe(undefined);
    });
  });
}
