import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type AttackedProcess, serveAttacked } from "../../../kit/attacks/attackedProcess.ts";
import { copyTemplate } from "../../../kit/history/databaseTemplate.ts";
import { type CompiledApp, compileApp } from "../../../kit/suite/compiledApp.ts";
import { openEmbedded } from "../../../src/history/store/engine/embedded/openEmbedded.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { openLog } from "../../../src/lib/log.ts";
import { atThisSpeed } from "../../kit/attacks/atThisSpeed.ts";
import { writeTokens } from "../../kit/attacks/manyKeys.ts";

/* Anybody can name a document of any size; what is stored of it is small, and so is the work of an answer. */

const tokens = 150;
const megabyte = 1_000_000;

let app: CompiledApp;
let attacked: AttackedProcess;
let data: string;
beforeAll(async () => {
  app = await compileApp();
  data = mkdtempSync(join(tmpdir(), "tongate-documents-"));
  const index = join(data, "localnet", "index");
  await copyTemplate("all", index);
  const database = await openEmbedded(index, { clock: systemClock, log: openLog({ level: "silent" }) });
  await writeTokens(database, tokens, 22_000);
  await database.close();
  attacked = await serveAttacked(app, ["--data", data, "--demo", "off", "--block-ms", "1000"]);
});
afterAll(async () => {
  await attacked?.stop();
  rmSync(data, { recursive: true, force: true });
});

async function ask(limit: number): Promise<{ readonly status: number; readonly text: string }> {
  const headers = { "accept-encoding": "identity" };
  const response = await fetch(`${attacked.origin}/api/v3/jetton/masters?limit=${limit}`, { headers });
  return { status: response.status, text: await response.text() };
}

it("150 tokens whose documents have 22,000 keys are a small answer in short pieces", async () => {
  await expect.poll(async () => (await ask(1)).status, { timeout: 120_000, interval: 100 }).toBe(200);
  const worstMs: number[] = [];
  let { residentBytes } = await attacked.measure();
  const idleBytes = residentBytes;
  // Each limit is another request, which no cache answers. The first ones also load and compile the code.
  for (let limit = 991; limit <= 1_000; limit++) {
    const { status, text } = await ask(limit);
    expect([status, Object(JSON.parse(text)).jetton_masters.length]).toEqual([200, tokens]);
    // The store takes 16 KiB of a document.
    expect(text.length).toBeLessThan(tokens * 20_000);
    expect(text.length).toBeGreaterThan(tokens * 10_000);
    const measured = await attacked.measure();
    worstMs.push(measured.worstPieceMs);
    residentBytes = Math.max(residentBytes, measured.highestBytes);
  }
  // A collection of garbage falls into a piece of some; work that holds the loop does so in every request.
  const [, , , middle] = worstMs.slice(3).sort((a, b) => a - b);
  expect(middle).toBeLessThan(atThisSpeed(50));
  expect(residentBytes - idleBytes).toBeLessThan(150 * megabyte);
});
