import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findNamed } from "../../src/app/replay/findNamed.ts";
import { formatReplay } from "../../src/app/replay/formatReplay.ts";
import { showStep } from "../../src/app/replay/formatStep.ts";
import { storeCell } from "../../src/cell/codec.ts";
import type { Chain } from "../../src/chain/Chain.ts";
import { GasByFamily } from "../../src/chain/replay/GasByFamily.ts";
import { openReplayedBlock, type Replay, replayAccount, replayTransaction } from "../../src/chain/replay/replay.ts";
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

describe("a named transaction", () => {
  /** An index with one transaction. */
  const indexOf = (transaction: { readonly lt: bigint } | undefined) => {
    return async () => (transaction === undefined ? undefined : { address: sender, lt: transaction.lt });
  };
  const noIndex = () => Promise.reject(new Error("the index is not needed"));

  it("is found by its hash in the index, or among those of its account, or by its lt", async () => {
    const sent = sentTransaction();
    const hash = sent.cell.hash();
    const wanted = { address: sender, lt: sent.lt, hash };
    const point = { kind: "point", address: sender, lt: String(sent.lt), hash } as const;
    expect(await findNamed(point, { chain, findPoint: noIndex })).toEqual(wanted);
    const ofAccount = { kind: "hash", hash, account: sender } as const;
    expect(await findNamed(ofAccount, { chain, findPoint: noIndex })).toEqual(wanted);
    const alone = { kind: "hash", hash, account: undefined } as const;
    expect(await findNamed(alone, { chain, findPoint: indexOf(sent) })).toEqual(wanted);
  });

  it.each([
    [{ kind: "hash", hash: "12", account: undefined }, '"12" is not a hash'],
    [{ kind: "hash", hash: "ab".repeat(32), account: "nobody" }, '"nobody" is not an address'],
    [{ kind: "hash", hash: "ab".repeat(32), account: receiver }, "has no transaction"],
    [{ kind: "hash", hash: "ab".repeat(32), account: undefined }, "the index has no transaction"],
    [{ kind: "point", address: receiver, lt: "-1", hash: "ab".repeat(32) }, '"-1" is not a logical time'],
  ] as const)("is rejected if it cannot be found: %j", async (named, words) => {
    const failure = findNamed(named, { chain, findPoint: indexOf(undefined) });
    await expect(failure).rejects.toMatchObject({ code: "app/usage", message: expect.stringContaining(words) });
  });
});

describe("a replay", () => {
  it("runs a transaction again on the state before it, and reports every step", async () => {
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
    const { gasUsed } = compute.details;
    const total = gas.list(gasUsed).reduce((sum, [, gasOfFamily]) => sum + gasOfFamily, 0);
    expect(total).toBe(gasUsed);
    const shown = steps.map((step, at) => showStep(at + 1, step).stack.join(" "));
    expect(shown.join("\n")).toMatch(/CS\{x[0-9A-F]+_?.*\} .*\n.*C\{x/s);
    expect(formatReplay(replay)).toContain("exit code 0 (success)");
  });

  it("replays every transaction of a block, including tick and tock", async () => {
    const { ledger } = net.net;
    const head = ledger.headId;
    const block = await openReplayedBlock(chain, { ...head, hashes: undefined });
    const replays = await Promise.all(block.accounts.map((_, place) => collect(replayAccount(chain, block, place))));
    expect(replays.flat().filter(({ isEqual }) => !isEqual)).toEqual([]);
    expect(new Set(replays.flat().map(({ transaction }) => transaction.description.kind))).toEqual(
      new Set(["ordinary", "tickTock"]),
    );
  });

  it("reports a transaction that the machine executes differently", async () => {
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
