import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AttackedProcess, serveAttacked } from "../../kit/attacks/attackedProcess.ts";
import { readSlowly } from "../../kit/attacks/snapshotReaders.ts";
import { type CompiledApp, compileApp } from "../../kit/suite/compiledApp.ts";
import { startService } from "../kit/app/startedService.ts";
import { atThisSpeed } from "../kit/attacks/atThisSpeed.ts";

/** Longer than a buffer of the platform can be. */
const bytes = 3 * 2 ** 30;

let app: CompiledApp;
let served: AttackedProcess;
let data: string;
beforeAll(async () => {
  app = await compileApp();
  data = mkdtempSync(join(tmpdir(), "tongate-export-"));
  const kept = join(data, "localnet-snapshots");
  mkdirSync(kept, { recursive: true });
  writeFileSync(join(kept, "big.json"), JSON.stringify({ seqno: 1, chainTime: 1, madeAt: 1 }));
  writeFileSync(join(kept, "big.chain"), "tongate-chain-archive/2\n");
  truncateSync(join(kept, "big.chain"), bytes);
  served = await serveAttacked(app, ["--data", data, "--no-index", "--demo", "off"]);
});
afterAll(async () => {
  await served?.kill();
  rmSync(data, { recursive: true, force: true });
});

const path = "/localnet/exportSnapshot?name=big";

describe("an exported snapshot", () => {
  it("has any size and is sent as fast as it is read, without being held", async () => {
    await served.measure();
    const before = await served.measure();
    const readers = await readSlowly(served.origin, "big", 20);
    expect((await fetch(`${served.origin}/healthcheck`)).status).toBe(200);
    const during = await served.measure();
    readers.close();
    expect(during.highestBytes - before.residentBytes).toBeLessThan(150 << 20);
    expect(during.worstPieceMs).toBeLessThan(atThisSpeed(75));
    const response = await fetch(`${served.origin}${path}`);
    expect([response.status, response.headers.get("content-length")]).toEqual([200, String(bytes)]);
    const first = await response.body?.getReader().read();
    expect(Buffer.from(first?.value ?? []).toString("latin1", 0, 24)).toBe("tongate-chain-archive/2\n");
  });

  it.each([
    ["a page of another site", { origin: "http://evil.example" }, 403],
    ["a forwarded client", { "x-forwarded-for": "203.0.113.7" }, 403],
  ])("is refused to %s, as the other controls are", async (_who, headers, status) => {
    const response = await fetch(`${served.origin}${path}`, { headers });
    expect([response.status, await response.json()]).toMatchObject([status, { ok: false }]);
  });

  it("needs a valid key and counts as a request where limits are on", async () => {
    const limited = await startService({ flags: ["--no-index", "--demo", "off", "--limits", "on"] });
    const ask = async (headers: Readonly<Record<string, string>>) => {
      const response = await fetch(`${limited.origin}/localnet/exportSnapshot?name=none`, { headers });
      await response.arrayBuffer();
      return response.status;
    };
    expect(await ask({ "x-api-key": "nonsense" })).toBe(401);
    const statuses = [await ask({}), await ask({}), await ask({})];
    expect(statuses).toContain(422);
    expect(statuses).toContain(429);
    await limited.close();
  });
});
