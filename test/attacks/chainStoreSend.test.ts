import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeBoc } from "../../src/cell/boc.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import { LiveChains } from "../../src/chain/LiveChains.ts";
import { serverSource } from "../../src/chain/serverSource.ts";
import { Localnet } from "../../src/localnet/network/Localnet.ts";
import { makeAddress } from "../../src/model/Address.ts";
import { openV2Server, type TestServer } from "../kit/api/apiServer.ts";
import { failingFiles } from "../kit/localnet/failingFiles.ts";
import { type ChainKit, openChainKit, recordLog, TestChain } from "../kit/localnet/localChain.ts";
import { testSeed } from "../kit/localnet/testKeys.ts";
import { ManualClock } from "../kit/suite/ManualClock.ts";

const place = mkdtempSync(join(tmpdir(), "tongate-chain-send-"));
const files = failingFiles();
let kit: ChainKit;
let chain: TestChain;
let server: TestServer;

beforeAll(async () => {
  kit = await openChainKit();
  const clock = new ManualClock();
  const log = recordLog();
  const options = {
    seed: testSeed,
    pace: { kind: "manual" as const },
    keys: kit.keys,
    folder: join(place, "localnet"),
  };
  chain = new TestChain(await Localnet.open(options, { clock, executor: kit.executor, log, files }), clock, log);
  const { lite, ledger } = chain.net;
  const head = () => ({ block: ledger.headId, genUtime: ledger.head?.info.genUtime ?? 0 });
  const source = serverSource(lite, head);
  const chains = new LiveChains({ source, executor: kit.executor, clock, zeroState: ledger.zero.id });
  server = await openV2Server({}, { isLive: () => true, chains });
});

afterAll(async () => {
  await server.destroy();
  await chain.net.close();
  await kit.close();
  rmSync(place, { recursive: true, force: true });
});

async function sendBoc(
  message: Cell,
): Promise<{ readonly status: number; readonly ok: unknown; readonly error: unknown }> {
  const body = JSON.stringify({ boc: writeBoc(message).toString("base64") });
  const response = await fetch(`${server.origin}/api/v2/sendBoc`, { method: "POST", body });
  const { ok, error } = Object(await response.json());
  return { status: response.status, ok, error };
}

it("sendBoc answers 503 while no block can be written, and a message it accepted is in the first block after", async () => {
  const to = makeAddress(0, "a".repeat(64));
  const transfer = { to, amount: 1_000n };
  await chain.rounds(1);
  expect(await sendBoc(chain.sign(chain.wallet(0), transfer))).toEqual({ status: 200, ok: true, error: undefined });
  files.reason = "ENOSPC";
  await expect(chain.net.step()).rejects.toMatchObject({ code: "lib/storage" });
  const refused = "a file of this server cannot be used (ENOSPC); see the server's log";
  const sent = [1, 2].map((index) => sendBoc(chain.sign(chain.wallet(index), transfer)));
  expect(await Promise.all(sent)).toEqual([1, 2].map(() => ({ status: 503, ok: false, error: refused })));
  files.reason = undefined;
  await chain.rounds(1);
  expect(await sendBoc(chain.sign(chain.wallet(1), transfer))).toEqual({ status: 200, ok: true, error: undefined });
  await chain.rounds(3);
  // Minus one nanocoin of storage fees.
  expect(chain.balance(to)).toBe(1_999n);
});
