import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serveProcess } from "../../kit/api/servedProcess.ts";
import { type CompiledApp, compileApp } from "../../kit/suite/compiledApp.ts";
import { someOf } from "../kit/suite/everything.ts";

describe("a service whose index is being opened", () => {
  /** Never has the files of its database. */
  let opening: CompiledApp;
  let app: CompiledApp;
  let folder: string;
  beforeAll(async () => {
    opening = await compileApp({ database: "never made" });
    app = await compileApp();
    folder = mkdtempSync(join(tmpdir(), "tongate-opening-"));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const flagsOf = (name: string) => ["--data", join(folder, name), "--demo", "off"];

  it("answers v3 with 503 and Retry-After, and logs nothing for such a request", async () => {
    const service = await serveProcess(opening, flagsOf("asked"));
    const answers = [];
    for (let count = 0; count < 5; count++) {
      const response = await fetch(`${service.origin}/api/v3/actions?limit=1`);
      const { status, headers } = response;
      answers.push({ status, retryAfter: headers.get("retry-after"), body: await response.json() });
    }
    const body = { code: 503, error: "the index is being opened; try again in a moment" };
    expect(answers).toEqual(answers.map(() => ({ status: 503, retryAfter: expect.stringMatching(/^\d+$/), body })));
    expect(await service.stop()).toBe(0);
    const reported = service.logged.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
    // Requests are not logged, and stopping is not a failure.
    expect(reported.filter(({ level, request }) => level !== "info" || request !== undefined)).toEqual([]);
  });

  it.each(someOf(["SIGTERM", "SIGINT"] as const, (each) => each === "SIGTERM"))(
    "stops at once by %s, and opens it at the next start",
    async (signal) => {
      const index = join(folder, signal, "localnet", "index");
      const service = await serveProcess(opening, flagsOf(signal));
      expect((await fetch(`${service.origin}/api/v3/actions?limit=1`)).status).toBe(503);
      expect(await service.stop(signal)).toBe(0);
      // It did not wait until the files were complete: they are not in place.
      expect(existsSync(join(index, "database"))).toBe(false);
      const again = await serveProcess(app, flagsOf(signal));
      const ask = async () => (await fetch(`${again.origin}/api/v3/actions?limit=1`)).status;
      await expect.poll(ask, { timeout: 300_000 }).toBe(200);
      expect(readdirSync(index).filter((name) => name.startsWith("database"))).toEqual(["database"]);
      expect(await again.stop(signal)).toBe(0);
    },
  );

  it("stops at once while its database cannot be reached", async () => {
    const database = ["--database", "postgres://nobody@127.0.0.1:1/none"];
    const service = await serveProcess(app, [...flagsOf("away"), ...database]);
    for (let count = 0; count < 5; count++)
      expect((await fetch(`${service.origin}/api/v3/actions?limit=1`)).status).toBe(503);
    expect(await service.stop()).toBe(0);
    const reported = service.logged.filter((line) => line.includes('"level":"warn"')).map((line) => JSON.parse(line));
    expect(reported.map(({ msg }) => msg)).toEqual(["the database of the index cannot be used"]);
  });
});
