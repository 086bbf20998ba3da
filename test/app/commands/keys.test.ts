import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { KeyFile } from "../../../src/api/access/KeyFile.ts";
import { hashApiKey } from "../../../src/api/access/keys.ts";
import { keys } from "../../../src/app/commands/keys.ts";
import { recordTerminal } from "../../kit/suite/recordTerminal.ts";

function open() {
  const folder = mkdtempSync(join(tmpdir(), "tongate-cli-keys-"));
  const run = async (...args: string[]) => {
    const terminal = recordTerminal();
    await keys.run(terminal, [...args, "--data", folder]);
    return terminal.written();
  };
  return { file: new KeyFile(folder), run };
}

describe("the command keys", () => {
  it("adds a key that is shown once and found by its secret", async () => {
    const { file, run } = open();
    const secret = (
      await run("add", "shop", "--plan", "plus", "--networks=mainnet,testnet", "--owner", "alice")
    ).trim();
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(file.read().keys).toEqual([
      expect.objectContaining({
        name: "shop",
        owner: "alice",
        plan: "plus",
        networks: ["mainnet", "testnet"],
        hash: hashApiKey(secret),
      }),
    ]);
    expect(await run("list")).not.toContain(secret);
  });

  it("lists and revokes by id", async () => {
    const { file, run } = open();
    await run("add", "shop");
    const [key] = file.read().keys;
    const id = key?.id ?? "";
    const [head = "", line = ""] = (await run("list")).split("\n");
    expect(head.split(/ {2,}/)).toEqual(["id", "name", "owner", "plan", "networks", "created", "last used", "revoked"]);
    expect(line).toMatch(
      new RegExp(`^${id} +shop +shop +free +\\* +\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ +- +-$`),
    );
    expect(await run("revoke", id)).toBe(`revoked ${id} (shop)\n`);
    expect(await run("revoke", id)).toBe(`revoked ${id} (shop)\n`);
    expect(file.read().keys[0]?.revokedAt).toBeGreaterThan(1_600_000_000);
  });

  it.each([
    [["add", "shop", "--plan", "gold"], "app/usage", '--plan cannot be "gold"; give one of free, plus, advanced'],
    [["revoke", "x"], "app/usage", 'key x does not exist; "tongate keys list" shows all keys'],
    [["add"], "app/usage", 'keys takes "add NAME", "list" or "revoke ID", not "add"'],
    [[], "app/usage", 'keys takes "add NAME", "list" or "revoke ID"'],
    [["list", "--owner"], "app/config", "--owner needs a value; give text of 1 to 200 characters"],
  ])("%j is rejected", async (args, code, message) => {
    await expect(open().run(...args)).rejects.toMatchObject({ code, message });
  });
});
