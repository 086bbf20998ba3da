import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CompiledApp, compileApp } from "../../../kit/suite/compiledApp.ts";
import { mayUnshare, ownNamespace } from "../../kit/history/smallDisk.ts";
import { someOf } from "../../kit/suite/everything.ts";

/** What a start on a disk of some size wrote, and how it ended; one that serves is stopped. */
interface Start {
  readonly code: number | null;
  readonly output: string;
}

describe("a start on a disk that is full", () => {
  let app: CompiledApp;
  let folder: string;
  beforeAll(async () => {
    app = await compileApp({ database: "made" });
    folder = mkdtempSync(join(tmpdir(), "tongate-full-"));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  /** The disk is mounted in a namespace that ends with the process. */
  async function start(kilobytes: number): Promise<Start> {
    const script = `mount -t tmpfs -o size=${kilobytes}k,mode=700 tongate "$1" && shift && exec "$@"`;
    const command = [process.execPath, app.cli, "serve", "--network", "local", "--demo", "off", "--port", "0"];
    const args = [...ownNamespace, "sh", "-c", script, "sh", folder, ...command, "--data", join(folder, "data")];
    const child = spawn("unshare", args, { env: {}, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let isStopped = false;
    const take = (part: unknown): void => {
      output += String(part);
      // A second signal would end it at once.
      if (isStopped || !/disk is (?:almost )?full/.test(output) || !output.includes("/api/v2/")) return;
      isStopped = true;
      child.kill("SIGTERM");
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    const [code] = (await once(child, "exit")) as [number | null];
    return { code, output };
  }

  // A machine may forbid namespaces; then the rule is not tried, and the test says so.
  const all = mayUnshare() ? [4, 16, 64, 256, 1_024, 8_192] : [];
  const sizes = someOf(all, (size) => [4, 256, 8_192].includes(size));

  it.each(sizes)("of %i KB says so in a sentence, with the file and without a stack", async (kilobytes) => {
    const { code, output } = await start(kilobytes);
    expect(output).toMatch(/disk is (?:almost )?full/);
    expect(output).not.toMatch(/^ +at |internal error|Cannot read properties|Aborted\(\)|-sASSERTIONS/m);
    // It serves without an index until the signal, or ends as commands that fail do.
    expect(code).toBe(output.includes("/api/v2/") ? 0 : 1);
    if (code === 1) expect(output.trimEnd().split("\n").at(-1)).toMatch(/^tongate: .*\/data.*\(ENOSPC\)$/);
  });

  it("is tried where namespaces are allowed", () => {
    expect(sizes.length > 0).toBe(mayUnshare());
  });
});
