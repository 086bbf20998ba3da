import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mnemonicToPrivateKey } from "@ton/crypto";
import { Address, internal, SendMode, TonClient, WalletContractV4 } from "@ton/ton";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "../../src/app/config.ts";
import type { Running } from "../../src/app/Running.ts";
import { serveLocal } from "../../src/app/serveLocal.ts";
import { recordTerminal } from "../kit/recordTerminal.ts";

describe("TonClient of @ton/ton against the service", () => {
  const folder = mkdtempSync(join(tmpdir(), "tongate-client-"));
  const terminal = recordTerminal();
  let running: Running;
  let client: TonClient;

  beforeAll(async () => {
    const sources = { environment: {}, findFile: () => undefined };
    const { config } = loadConfig(["--port", "0", "--data", folder, "--log-level", "error"], sources);
    running = await serveLocal(config, terminal);
    const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(terminal.written())?.[0];
    client = new TonClient({ endpoint: `${origin}/api/v2/jsonRPC` });
  });

  afterAll(async () => {
    await running.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("reads blocks and shards", async () => {
    const { latestSeqno } = await client.getMasterchainInfo();
    expect(latestSeqno).toBeGreaterThan(0);
    expect(await client.getWorkchainShards(latestSeqno)).not.toEqual([]);
  });

  it("sends coins from a funded wallet and sees them arrive", async () => {
    const words = /v4r2\s+UQ\S+\s+([a-z ]+)\n/.exec(terminal.written())?.[1] ?? "";
    const { publicKey, secretKey } = await mnemonicToPrivateKey(words.split(" "));
    const wallet = client.open(WalletContractV4.create({ workchain: 0, publicKey }));
    const to = Address.parse(`0:${"12".repeat(32)}`);
    const before = await wallet.getBalance();
    const seqno = await wallet.getSeqno();
    const messages = [internal({ to, value: "1.5", bounce: false, body: "from a test" })];
    await wallet.sendTransfer({ seqno, secretKey, messages, sendMode: SendMode.PAY_GAS_SEPARATELY });
    await expect.poll(() => client.getBalance(to), { timeout: 60_000, interval: 200 }).toBe(1_500_000_000n);
    expect(await wallet.getSeqno()).toBe(seqno + 1);
    expect(await wallet.getBalance()).toBeLessThan(before - 1_500_000_000n);
    const [received] = await client.getTransactions(to, { limit: 1 });
    expect(received?.inMessage?.body.beginParse().skip(32).loadStringTail()).toBe("from a test");
    expect(await client.isContractDeployed(wallet.address)).toBe(true);
  });
});
