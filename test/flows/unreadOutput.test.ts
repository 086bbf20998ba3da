import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CompiledApp, compileApp } from "../../kit/suite/compiledApp.ts";

describe("a service with unreadable output", () => {
  let app: CompiledApp;
  let folder: string;
  beforeAll(async () => {
    app = await compileApp();
    folder = mkdtempSync(join(tmpdir(), "tongate-output-"));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  /** Starts it with its log on a full disk; the terminal closes once the address is known. */
  async function start() {
    const args = [
      app.cli,
      "serve",
      "--port",
      "0",
      "--data",
      folder,
      "--demo",
      "off",
      "--no-index",
      "--log-level",
      "trace",
    ];
    const child = spawn(process.execPath, args, { env: {}, stdio: ["ignore", "pipe", openSync("/dev/full", "w")] });
    const gone = once(child, "exit") as Promise<[number | null]>;
    let output = "";
    for await (const more of child.stdout ?? []) {
      output += more;
      const [, origin] = /(http:\/\/127\.0\.0\.1:\d+)\/api\/v2\//.exec(output) ?? [];
      // Leaving the loop closes the pipe.
      if (origin !== undefined) return { child, gone, origin };
    }
    throw new Error(`it ended: ${output}`);
  }

  it("answers, and stops normally", async () => {
    const { child, gone, origin } = await start();
    const request = () => fetch(`${origin}/api/v2/getAddressBalance?address=nobody`);
    for (let count = 0; count < 20; count++) expect((await request()).status).toBe(422);
    child.kill("SIGTERM");
    expect((await gone)[0]).toBe(0);
  });
});
