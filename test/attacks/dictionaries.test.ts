import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type AttackedProcess, serveAttacked } from "../../kit/attacks/attackedProcess.ts";
import { sharedCellsAttacks } from "../../kit/attacks/sharedCells.ts";
import { type CompiledApp, compileApp } from "../../kit/suite/compiledApp.ts";

const heldBytes = 150_000_000;
const pieceMs = 50;

const folder = mkdtempSync(join(tmpdir(), "tongate-dictionaries-"));
let app: CompiledApp;
let attacked: AttackedProcess;
beforeAll(async () => {
  app = await compileApp();
  attacked = await serveAttacked(app, ["--data", join(folder, "data"), "--demo", "off"]);
  await vi.waitFor(async () => expect((await fetch(`${attacked.origin}/readyz`)).status).toBe(200), {
    timeout: 300_000,
  });
});
afterAll(async () => {
  await attacked.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe("a walk over cells that are shared ends soon for", () => {
  it.each(Object.entries(sharedCellsAttacks))("%s", async (_name, attack) => {
    // The first call of anything also compiles and loads it.
    await attack(attacked.origin);
    const idle = await attacked.measure();
    const answer = await attack(attacked.origin);
    const { worstPieceMs, highestBytes } = await attacked.measure();
    expect(answer).not.toMatch(/internal error|took too long/);
    expect(worstPieceMs).toBeLessThan(pieceMs);
    expect(highestBytes - idle.residentBytes).toBeLessThan(heldBytes);
  });
});
