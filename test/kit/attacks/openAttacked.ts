import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { type AttackedProcess, serveAttacked } from "../../../kit/attacks/attackedProcess.ts";
import { compileApp } from "../../../kit/suite/compiledApp.ts";
import { freshUrl } from "../history/database.ts";

/** A local network with its index, served by a process that measures itself; its folder is removed on stop. */
export async function openAttacked(flags: readonly string[] = []): Promise<AttackedProcess> {
  const folder = mkdtempSync(join(tmpdir(), "tongate-attacked-"));
  const database = ["--database", await freshUrl("all")];
  // A busy machine may be ten times slower than an idle one.
  const usual = ["--data", folder, "--demo", "off", "--deadline-ms", "300000"];
  const attacked = await serveAttacked(await compileApp(), [...usual, ...database, ...flags]);
  await vi.waitFor(async () => expect((await fetch(`${attacked.origin}/readyz`)).status).toBe(200), {
    timeout: 300_000,
  });
  const clean = () => rmSync(folder, { recursive: true, force: true });
  return { ...attacked, stop: (signal) => attacked.stop(signal).finally(clean) };
}
