import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type LocalNetwork, startLocalNetwork } from "../../../src/app/testing/startLocalNetwork.ts";

const account = `0:${"ab".repeat(32)}`;

async function balance({ endpoint }: LocalNetwork): Promise<unknown> {
  const request = { jsonrpc: "2.0", id: 1, method: "getAddressBalance", params: { address: account } };
  const response = await fetch(endpoint, { method: "POST", body: JSON.stringify(request) });
  return Object(await response.json()).result;
}

describe("a network of a test suite", () => {
  it("runs beside another one, and goes back to its snapshots as often as wanted", async () => {
    const [first, second] = await Promise.all([startLocalNetwork(), startLocalNetwork()]);
    expect(first.origin).not.toBe(second.origin);
    expect(first.wallets).toEqual(second.wallets);
    expect(first.wallets.length).toBeGreaterThan(5);
    await first.control.setBalance({ address: account, balance: "5" });
    const goBack = await first.snapshot();
    for (const coins of ["6", "7"]) {
      await first.control.setBalance({ address: account, balance: coins });
      expect([await balance(first), await balance(second)]).toEqual([`${coins}000000000`, "0"]);
      await goBack();
      expect(await balance(first)).toBe("5000000000");
    }
    await Promise.all([first.close(), second.close()]);
    await expect(balance(first)).rejects.toThrow();
  });

  it("makes blocks at a pace, in a folder that stays, with any flag", async () => {
    const data = mkdtempSync(join(tmpdir(), "tongate-testing-test-"));
    const options = { data, blockMs: 200, flags: ["--shards", "2"] };
    const network = await startLocalNetwork(options);
    await network.control.setBalance({ address: account, balance: "5" });
    await network.close();
    expect(existsSync(join(data, "localnet"))).toBe(true);
    const again = await startLocalNetwork(options);
    expect(await balance(again)).toBe("5000000000");
    await again.close();
    rmSync(data, { recursive: true });
  });

  it("leaves nothing behind, also when it cannot start", async () => {
    const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith("tongate-testing-") && isOwn(name));
    const before = new Set(readdirSync(tmpdir()));
    const isOwn = (name: string) => !before.has(name);
    await expect(startLocalNetwork({ flags: ["--shards", "3"] })).rejects.toMatchObject({ code: "app/config" });
    const network = await startLocalNetwork();
    expect(left()).toHaveLength(1);
    await network.close();
    expect(left()).toEqual([]);
  });
});
