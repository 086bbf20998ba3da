import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AttackedProcess, serveAttacked } from "../../kit/attacks/attackedProcess.ts";
import { type CompiledApp, compileApp } from "../../kit/suite/compiledApp.ts";
import { floodPath } from "../kit/attacks/floodPath.ts";

const folder = mkdtempSync(join(tmpdir(), "tongate-floods-"));
const flags = ["--data", folder, "--no-index", "--lite-port", "off", "--demo", "off", "--limits", "on"];
/** Many times what any limit allows at once. */
const max = 5_000;
let app: CompiledApp;
let attacked: AttackedProcess;

beforeAll(async () => {
  app = await compileApp();
  attacked = await serveAttacked(app, flags);
});

afterAll(async () => {
  await attacked.kill();
  rmSync(folder, { recursive: true, force: true });
});

describe("a flood of requests of one client", () => {
  it.each([
    ["/", {}, 200],
    ["/api/v2/openapi.json", {}, 200],
    ["/metrics", {}, 200],
    ["/nowhere", {}, 404],
    ["/api/v2/getMasterchainInfo", { "x-api-key": "no such key" }, 401],
  ])("gets 429: %s %o", async (path, headers, status) => {
    const { before, refused } = await floodPath(attacked.origin, path, { headers, max });
    // Pages and documents have one limit together: after a flood of one, the others may be refused at once.
    expect(before.filter((each) => each !== status)).toEqual([]);
    expect(refused).toBe(429);
    expect((await fetch(`${attacked.origin}/healthcheck`)).status).toBe(200);
  });
});
