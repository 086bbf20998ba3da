import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadConfig } from "../../../src/app/config.ts";
import { verifyIndex } from "../../../src/app/indexing/verifyIndex.ts";
import { startService } from "../../kit/app/startedService.ts";
import { recordTerminal } from "../../kit/suite/recordTerminal.ts";

it("verification of an index makes no demo set on a chain without one", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tongate-verify-"));
  try {
    const first = await startService({ folder, flags: ["--demo", "off"] });
    const ask = async () => (await fetch(`${first.origin}/api/v3/masterchainInfo`)).status;
    await expect.poll(ask, { timeout: 300_000 }).toBe(200);
    await first.close();
    const terminal = recordTerminal();
    const flags = ["--data", folder, "--log-level", "error", "--demo", "on"];
    const { config } = loadConfig(flags, { environment: {}, findFile: () => undefined });
    await verifyIndex(config, { sample: 5, json: false }, terminal);
    expect(terminal.written()).toMatch(/0 differences\n$/);
    const next = await startService({ folder, flags: ["--demo", "off"] });
    await expect.poll(async () => (await fetch(`${next.origin}/readyz`)).status, { timeout: 300_000 }).toBe(200);
    const masters = await fetch(`${next.origin}/api/v3/jetton/masters`);
    expect(Object(await masters.json()).jetton_masters).toEqual([]);
    await next.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it("verification asks the server that holds the index", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tongate-verify-"));
  const service = await startService({ folder, flags: ["--demo", "off"] });
  try {
    const ask = async () => (await fetch(`${service.origin}/api/v3/masterchainInfo`)).status;
    await expect.poll(ask, { timeout: 300_000 }).toBe(200);
    const terminal = recordTerminal();
    const { port } = new URL(service.origin);
    const flags = ["--data", folder, "--port", port, "--log-level", "error"];
    const { config } = loadConfig(flags, { environment: {}, findFile: () => undefined });
    await verifyIndex(config, { sample: 5, json: false }, terminal);
    expect(terminal.written()).toMatch(/[1-9]\d* blocks, .* rows, 0 differences\n$/);
    const url = `${service.origin}/index/verify?sample`;
    const foreign = { method: "POST", headers: { origin: "https://example.com" } };
    const answers = [await fetch(`${url}=0`, { method: "POST" }), await fetch(`${url}=1`, foreign)];
    expect(answers.map(({ status }) => status)).toEqual([422, 403]);
  } finally {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
