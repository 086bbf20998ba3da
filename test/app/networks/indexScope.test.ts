import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "../../../src/app/config.ts";
import { indexScope } from "../../../src/app/networks/indexScope.ts";
import { findShipped } from "../../../src/app/networks/shipped.ts";
import type { BlockIdExt } from "../../../src/model/block/BlockId.ts";

const account = `0:${"1".repeat(64)}`;
const other = `0:${"2".repeat(64)}`;
const testOnly = "kQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqKYH";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "scope-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function scopeOf(flags: readonly string[], network: "mainnet" | "testnet" = "mainnet", file?: string) {
  const findFile = () => file;
  const { config } = loadConfig(flags, { environment: {}, findFile });
  const zeroState = findShipped(network)?.zeroState as BlockIdExt;
  return indexScope(config, { name: network, zeroState });
}

describe("the scope in the configuration", () => {
  it("is the whole chain unless a file is named", () => {
    expect(scopeOf([])).toBeUndefined();
  });

  it("is read from the file, and from a network's own file first", () => {
    const common = write("common.json", JSON.stringify({ accounts: [account] }));
    const own = write("own.json", JSON.stringify({ accounts: [other] }));
    expect(scopeOf(["--scope", common])).toMatchObject({ accounts: [account] });
    const file = JSON.stringify({ scope: common, networks: { testnet: { scope: own } } });
    expect(scopeOf([], "mainnet", file)).toMatchObject({ accounts: [account] });
    expect(scopeOf([], "testnet", file)).toMatchObject({ accounts: [other] });
  });

  it("accepts an address for test networks on a test network only", () => {
    const path = write("test.json", JSON.stringify({ accounts: [testOnly] }));
    expect(scopeOf(["--scope", path], "testnet")?.accounts).toHaveLength(1);
    expect(() => scopeOf(["--scope", path])).toThrow(
      `the scope file ${path}: "accounts"[0], "${testOnly}", has the flag for test networks`,
    );
  });

  it("is refused with the reason when the file cannot be used", () => {
    const large = write("large.json", "{}");
    truncateSync(large, (16 << 20) + 1);
    const broken = write("broken.json", '{"accounts":[}');
    const config = { code: "app/config" };
    expect(() => scopeOf(["--scope", join(folder, "none.json")])).toThrow(expect.objectContaining(config));
    expect(() => scopeOf(["--scope", join(folder, "none.json")])).toThrow(/none\.json cannot be read: ENOENT/);
    expect(() => scopeOf(["--scope", folder])).toThrow(/cannot be read: EISDIR/);
    expect(() => scopeOf(["--scope", large])).toThrow(/large\.json has 16777217 bytes; the limit is 16777216/);
    expect(() => scopeOf(["--scope", broken])).toThrow(/broken\.json: bad JSON at line 1, column 14: /);
  });
});
