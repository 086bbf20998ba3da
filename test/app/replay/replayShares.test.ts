import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CompiledApp, compileApp } from "../../../kit/suite/compiledApp.ts";
import { replayShare } from "../../../src/app/replay/replayShare.ts";
import { threadsFor } from "../../../src/app/replay/replayShares.ts";
import { writeBoc } from "../../../src/cell/boc.ts";
import { openReplayedBlock } from "../../../src/chain/replay/replay.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import type { Localnet } from "../../../src/localnet/network/Localnet.ts";
import { signTransfers } from "../../../src/localnet/wallets/transfer.ts";
import { makeAddress } from "../../../src/model/Address.ts";
import type { TransactionRun } from "../../../src/tvm/Executor.ts";
import { type LiveExecutor, openExecutor } from "../../../src/tvm/run/openExecutor.ts";
import { RemoteStage } from "../../kit/app/remoteStage.ts";
import { openChain } from "../../kit/chain/openChain.ts";
import { run } from "../../kit/deploy/packedRepository.ts";
import { listBlocks } from "../../kit/localnet/ledgerTransactions.ts";

let stage: RemoteStage;
let net: Localnet;
let executor: LiveExecutor;
/** The block of the network with the most accounts. */
let block: { readonly workchain: number; readonly shard: bigint; readonly seqno: number; readonly hashes: undefined };

const accountsOf = (each: Parameters<Localnet["ledger"]["block"]>[0]) => [
  ...net.ledger.block(each).extra.load().accountBlocks.load().entries(),
];

beforeAll(async () => {
  stage = await RemoteStage.open();
  executor = await openExecutor({}, { clock: systemClock });
  net = await stage.openNet();
  for (const [index, { wallet }] of net.keys.wallets.entries()) {
    const to = makeAddress(0, index.toString(16).padStart(2, "0").repeat(32));
    const transfers = [{ to, amount: 1_000_000_000n, bounce: false }];
    await net.submit(writeBoc(signTransfers(wallet, transfers, { seqno: 0, now: net.clock.seconds })));
  }
  while (net.hasWork) await net.step();
  const largest = listBlocks(net.ledger).reduce((a, b) => (accountsOf(b).length > accountsOf(a).length ? b : a));
  const { workchain, shard, seqno } = largest.id;
  block = { workchain, shard, seqno, hashes: undefined };
});

afterAll(async () => {
  await executor.close();
  await stage.close();
});

describe("shares of a block", () => {
  it("are together what the whole block is, different transactions included", async () => {
    let count = 0;
    /** Every third run has another time. */
    const other = (each: TransactionRun) => (count++ % 3 === 0 ? { ...each, now: each.now + 1 } : each);
    const changed = { ...executor, runTransaction: (each: TransactionRun) => executor.runTransaction(other(each)) };
    const replay = async (index: number, of: number) => {
      const chain = { ...openChain(net.ledger), executor: of === 1 ? changed : executor };
      return replayShare(chain, await openReplayedBlock(chain, block), { index, of });
    };
    const whole = await replay(0, 1);
    const shares = (await Promise.all([0, 1, 2].map((index) => replay(index, 3)))).flat();
    expect(whole.map(({ place }) => place)).toEqual([...whole.keys()]);
    expect(whole.length).toBeGreaterThan(5);
    expect(whole.filter(({ different }) => different.length > 0).length).toBeGreaterThan(1);
    expect(shares.map(({ place }) => place).sort((a, b) => a - b)).toEqual([...whole.keys()]);
    expect(shares.flatMap(({ different }) => different)).toEqual([]);
  });

  it.each([
    [599, 8, 0],
    [600, 8, 1],
    [1_900, 8, 3],
    [100_000, 8, 7],
    [100_000, 1, 0],
  ])("of %i accounts on %i cores take %i threads", (accounts, cores, threads) => {
    expect(threadsFor(accounts, cores)).toBe(threads);
  });
});

describe("tongate replay --block", () => {
  let app: CompiledApp;
  beforeAll(async () => {
    app = await compileApp();
  });

  it("prints the same with threads as without", async () => {
    const servers = [await stage.openServer(net.lite)];
    const config = stage.writeGlobalConfig("replayed.json", net, servers);
    const named = `${block.workchain},${block.shard.toString(16)},${block.seqno}`;
    const args = [app.cli, "replay", "--block", named, "--network", config, "--data", join(stage.folder, "replayed")];
    /** What it prints after the age of the head, which differs. */
    const replay = async (threads: string) => {
      const { stdout } = await run(process.execPath, [...args, "--threads", threads], stage.folder, {});
      return stdout.split(" s old\n").at(-1);
    };
    const alone = await replay("0");
    expect(alone).toMatch(/^([1-9]\d*) of \1 transactions are equal\n$/);
    expect(await replay("3")).toBe(alone);
  });
});
