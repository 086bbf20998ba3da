import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { launch } from "../../../../kit/history/postgres/postgresServer.ts";

const folder = mkdtempSync(join(tmpdir(), "broken-"));
mkdirSync(join(folder, "data"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("a test PostgreSQL that cannot start", () => {
  it("fails at once when its program cannot be run", async () => {
    const programs = { initdb: "/nowhere/initdb", postgres: "/nowhere/postgres" };
    await expect(launch(programs, { folder, port: 1 }, [])).rejects.toThrow(
      "the test PostgreSQL cannot be started: spawn /nowhere/postgres ENOENT",
    );
  });

  it("fails at once when its program exits", async () => {
    const programs = { initdb: "/bin/false", postgres: "/bin/false" };
    await expect(launch(programs, { folder, port: 1 }, [])).rejects.toThrow("postgres ended");
  });
});
