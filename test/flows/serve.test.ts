import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "../../src/app/config.ts";
import type { Running } from "../../src/app/Running.ts";
import { serveLocal } from "../../src/app/serveLocal.ts";
import { recordTerminal } from "../kit/recordTerminal.ts";

describe("the service as it starts by itself", () => {
  const folder = mkdtempSync(join(tmpdir(), "tongate-serve-"));
  const terminal = recordTerminal();
  let running: Running;
  let origin: string;

  beforeAll(async () => {
    const sources = { environment: {}, findFile: () => undefined };
    const { config } = loadConfig(["--port", "0", "--data", folder, "--log-level", "error"], sources);
    running = await serveLocal(config, terminal);
    origin = /http:\/\/127\.0\.0\.1:\d+/.exec(terminal.written())?.[0] ?? "";
  });

  afterAll(async () => {
    await running.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function ask(path: string): Promise<{ status: number; body: Record<string, unknown> }> {
    const response = await fetch(`${origin}${path}`);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  it("tells the first requests to make, and they are answered", async () => {
    const requests = [...terminal.written().matchAll(/curl '([^']+)'/g)].map(
      ([, url]) => url?.slice(origin.length) ?? "",
    );
    expect(requests).toHaveLength(2);
    for (const request of requests) expect(await ask(request)).toMatchObject({ status: 200, body: { ok: true } });
  });

  it("has funded wallets", async () => {
    const address = /v\S+\s+(UQ\S{46})/.exec(terminal.written())?.[1];
    const { body } = await ask(`/api/v2/getAddressBalance?address=${address}`);
    expect(BigInt(String(body.result))).toBeGreaterThan(1_000_000_000n);
  });

  it("answers a question with a wrong address with what is wrong", async () => {
    expect((await ask("/api/v2/getAddressBalance?address=nobody")).status).toBe(422);
  });

  it("shows a page to people", async () => {
    const page = await fetch(`${origin}/`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Tongate")]);
    expect((await fetch(`${origin}/api/v2/`)).status).toBe(200);
  });
});
