import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { openStore } from "../../../../src/api/client/verify/openStore.ts";

it("keeps a text in memory, in a file, in the storage of a page for each network, or elsewhere", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tongate-store-"));
  const items = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const own = openStore("memory", "x");
  for (const store of [undefined, "memory", "localStorage", { file: join(folder, "trusted.json") }, own] as const) {
    const opened = openStore(store, "testnet");
    expect(await opened.load()).toBeUndefined();
    await opened.save("first");
    await opened.save("second");
    expect(await opened.load()).toBe("second");
  }
  expect([...items]).toEqual([["tongate-trusted:testnet", "second"]]);
  expect(readdirSync(folder)).toEqual(["trusted.json"]);
  await expect(openStore({ file: folder }, "x").load()).rejects.toThrow("EISDIR");
});
