import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startService } from "../../../kit/app/startedService.ts";

const elector = `-1:${"3".repeat(64)}`;
const config = `-1:${"5".repeat(64)}`;
const patience = { timeout: 300_000, interval: 200 };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tongate-scope-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function scopeFile(name: string, scope: object): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(scope));
  return path;
}

const start = (...flags: readonly string[]) =>
  startService({ folder: join(folder, "data"), flags: ["--demo", "off", "--block-ms", "200", ...flags] });

const ask = async (url: string) => {
  const response = await fetch(url);
  return { status: response.status, body: Object(await response.json()) };
};

describe("a service whose index has a scope", () => {
  it("answers and reports the scope, and refuses what is outside", async () => {
    const service = await start("--scope", scopeFile("one.json", { accounts: [elector] }));
    try {
      const api = `${service.origin}/api/v3`;
      await vi.waitFor(async () => {
        const { body } = await ask(`${api}/transactions?account=${elector}&limit=1`);
        expect(body.transactions).toHaveLength(1);
      }, patience);
      const listed = await ask(`${api}/transactions?limit=1000`);
      const accounts = new Set(listed.body.transactions.map(({ account }: { account: string }) => account));
      expect([...accounts]).toContain(elector);
      expect([...accounts]).not.toContain(config);
      const info = await ask(`${api}/masterchainInfo`);
      expect(info.body.scope).toMatchObject({ accounts: [elector], accounts_count: 1 });
      const covers = "the index covers 1 account, and masterchainInfo lists its scope";
      expect(await ask(`${api}/transactions?account=${config}`)).toEqual({
        status: 422,
        body: { code: 422, error: `${config} is outside the scope of this index; ${covers}` },
      });
      await vi.waitFor(async () => {
        const { body } = await ask(`${service.origin}/readyz`);
        expect(JSON.stringify(body)).toContain("; covers 1 account");
      }, patience);
    } finally {
      await service.close();
    }
  });

  it("does not start with another scope, or with none", async () => {
    const other = scopeFile("other.json", { accounts: [config] });
    await expect(start("--scope", other)).rejects.toThrow(
      /the index covers only 1 account, but the given scope covers 1 account\. .* tongate db rebuild/,
    );
    await expect(start()).rejects.toThrow(/the index covers only 1 account, but no scope is given/);
    const again = await start("--scope", scopeFile("same.json", { accounts: [elector] }));
    await again.close();
  });
});
