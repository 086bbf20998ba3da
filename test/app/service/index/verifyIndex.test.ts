import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadConfig } from "../../../../src/app/config.ts";
import { verifyIndex } from "../../../../src/app/service/index/verifyIndex.ts";
import { startService } from "../../../kit/app/startedService.ts";
import { recordTerminal } from "../../../kit/suite/recordTerminal.ts";

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
    await verifyIndex(config, 5, terminal);
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
