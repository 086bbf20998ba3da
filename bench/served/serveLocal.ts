import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type AttackedProcess, serveAttacked } from "../../kit/attacks/attackedProcess.ts";

const program = {
  cli: join(import.meta.dirname, "../../src/app/cli.js"),
  probe: join(import.meta.dirname, "../../kit/attacks/probe.js"),
};

/** Runs work with a server of a new local network that measures itself, once it is ready. */
export async function withLocalServer<T>(
  flags: readonly string[],
  work: (server: AttackedProcess) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "tongate-served-"));
  const server = await serveAttacked(program, ["--data", folder, "--lite-port", "off", "--block-ms", "1000", ...flags]);
  try {
    while ((await fetch(`${server.origin}/readyz`)).status !== 200) await setTimeout(100);
    return await work(server);
  } finally {
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}
