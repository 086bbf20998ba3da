import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatReplay, GasByFamily } from "../../src/app/replay/formatReplay.ts";
import { storeCell } from "../../src/cell/codec.ts";
import type { Chain } from "../../src/chain/Chain.ts";
import { type Replay, replayBlock, replayTransaction } from "../../src/chain/pinned/replay.ts";
import { type Address, makeAddress } from "../../src/model/Address.ts";
import { configFromRoot, getConfigParam } from "../../src/model/config/ConfigParams.ts";
import { MsgForwardPrices } from "../../src/model/config/prices.ts";
import type { TransactionRun } from "../../src/tvm/Executor.ts";
import type { MachineStep } from "../../src/tvm/machine/MachineRun.ts";
import { openChain } from "../kit/chain/openChain.ts";
import { listTransactions } from "../kit/localnet/ledgerTransactions.ts";
import { type ChainKit, openChainKit, type TestChain } from "../kit/localnet/localChain.ts";

const coin = 1_000_000_000n;
const receiver = makeAddress(0, "ab".repeat(32));
let kit: ChainKit;
let net: TestChain;
let sender: Address;
let chain: Chain;
beforeAll(async () => {
  kit = await openChainKit();
  net = await kit.open();
  await net.rounds(2);
  const from = net.wallet(0);
  sender = from.address;
  await net.send(from, { to: receiver, amount: coin });
  await net.rounds(3);
  chain = { ...openChain(net.net.ledger), executor: kit.executor };
});
afterAll(() => kit.close());

async function collect(replays: AsyncIterable<Replay>): Promise<Replay[]> {
  const all: Replay[] = [];
  for await (const replay of replays) all.push(replay);
  return all;
}

function sentTransaction() {
  const found = listTransactions(net.net.ledger).find(({ outCount }) => outCount === 1);
  if (found === undefined) throw new Error("nothing was sent");
  return found;
}

describe("a replay", () => {
  it("makes a transaction again from the state before it, and tells every step", async () => {
    const { lt, cell } = sentTransaction();
    const steps: MachineStep[] = [];
    const replay = await replayTransaction(chain, sender, { lt, hash: cell.hash() }, (step) => steps.push(step));
    const { outcome, isEqual } = replay;
    expect({ isEqual, address: replay.address }).toEqual({ isEqual: true, address: sender });
    if (outcome.kind !== "done") throw new Error("not done");
    const { description } = outcome.transaction;
    const compute = description.kind === "ordinary" ? description.compute : undefined;
    if (compute?.kind !== "vm") throw new Error("no code was run");
    expect(steps.length).toBe(compute.details.vmSteps);
    const gas = new GasByFamily();
    for (const step of steps) gas.add(step);
    const total = gas.lines().reduce((sum, line) => sum + Number(line.trim().split(/\s+/)[1]), 0);
    expect(total).toBeGreaterThan(0);
    expect(total).toBeLessThanOrEqual(compute.details.gasUsed);
    expect(formatReplay(replay)).toContain("exit code 0 (success)");
  });

  it("makes every transaction of a block again, tick and tock included", async () => {
    const { ledger } = net.net;
    const head = ledger.headId;
    const replays = await collect(replayBlock(chain, { ...head, hashes: undefined }));
    expect(replays.length).toBeGreaterThan(0);
    expect(replays.filter(({ isEqual }) => !isEqual)).toEqual([]);
    expect(new Set(replays.map(({ transaction }) => transaction.description.kind))).toEqual(
      new Set(["ordinary", "tickTock"]),
    );
  });

  it("says what became of a transaction that the machine makes otherwise", async () => {
    const { lt, cell } = sentTransaction();
    const otherPrices = (run: TransactionRun): TransactionRun => {
      const prices = { ...getConfigParam(run.config, 25), lumpPrice: 1n };
      const root = run.config.params.set(25, storeCell(MsgForwardPrices, prices)).root;
      return root === undefined ? run : { ...run, config: configFromRoot(root) };
    };
    const executor = {
      ...kit.executor,
      runTransaction: (run: TransactionRun) => kit.executor.runTransaction(otherPrices(run)),
    };
    const replay = await replayTransaction({ ...chain, executor }, sender, { lt, hash: cell.hash() });
    expect(replay.isEqual).toBe(false);
    expect(formatReplay(replay)).toContain("DIFFERENT");
  });
});
