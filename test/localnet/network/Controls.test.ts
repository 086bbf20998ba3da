import { afterAll, describe, expect, it } from "vitest";
import { beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import { storeCell } from "../../../src/cell/codec.ts";
import { isCoded } from "../../../src/lib/errors.ts";
import { fetchConfig } from "../../../src/lite/queries/config.ts";
import { configAccount } from "../../../src/localnet/genesis/genesisConfig.ts";
import { makeExternal } from "../../../src/localnet/wallets/transfer.ts";
import type { AccountState } from "../../../src/model/Account.ts";
import { isAccountWrite, isImpersonated, makeAccountWrite } from "../../../src/model/AccountWrite.ts";
import { type Address, makeAddress } from "../../../src/model/Address.ts";
import { configParam, getConfigParam } from "../../../src/model/config/ConfigParams.ts";
import type { zeroHash } from "../../../src/model/Hash.ts";
import { checkBlocks, checkTotals } from "../../kit/localnet/checkDelivery.ts";
import { listTransactions } from "../../kit/localnet/ledgerTransactions.ts";
import { openChainKit, type TestChain } from "../../kit/localnet/localChain.ts";
import { listDifferentReplays } from "../../kit/localnet/replayLedger.ts";

const kit = await openChainKit();
afterAll(() => kit.close());

const coin = 1_000_000_000n;
const stranger = makeAddress(0, "ab".repeat(32));
const { signal } = new AbortController();

/** What the chain says of an account. */
function stateOf({ net }: TestChain, address: Address) {
  const account = net.account(address).account.load();
  if (account.kind === "none") return { kind: "none" as const };
  const { balance, state } = account.storage;
  return { kind: state.kind, coins: balance.coins, state };
}

/** Every block is right, the coins add up, and all transactions can be run again. */
async function expectWhole(chain: TestChain): Promise<void> {
  const { ledger } = chain.net;
  checkBlocks(ledger);
  checkTotals(ledger);
  expect(await listDifferentReplays(ledger, kit.executor)).toEqual([]);
}

describe("a written account", () => {
  it("has the balance, code and data that were set, in the next block, by marked transactions", async () => {
    const chain = await kit.open();
    await chain.rounds(2);
    const { controls } = chain.net;
    const code = beginCell().storeUint(1, 8).cell();
    const data = beginCell().storeUint(2, 8).cell();
    const posted = [
      controls.write(stranger, { kind: "balance", balance: 5n * coin }),
      controls.write(stranger, { kind: "code", code }),
      controls.write(stranger, { kind: "data", data }),
    ];
    await chain.rounds(1);
    const head = chain.net.ledger.headId.seqno;
    expect(await Promise.all(posted.map(({ done }) => done))).toEqual([head, head, head]);
    const after = stateOf(chain, stranger);
    expect(after).toMatchObject({ kind: "active", coins: 5n * coin, state: { init: { code, data } } });
    const written = listTransactions(chain.net.ledger).filter(isAccountWrite);
    expect(written.map(({ messages }) => messages.in?.cell.hash())).toEqual(posted.map((each) => each.messageHash));
    expect(written.map(({ origStatus, endStatus, totalFees }) => [origStatus, endStatus, totalFees.coins])).toEqual([
      ["nonexist", "uninit", 0n],
      ["uninit", "active", 0n],
      ["active", "active", 0n],
    ]);
    controls.write(stranger, { kind: "balance", balance: 2n * coin });
    await chain.rounds(2);
    expect(stateOf(chain, stranger)).toMatchObject({ kind: "active", coins: 2n * coin });
    await expectWhole(chain);
  });

  it("takes a whole state and a whole account, and disappears", async () => {
    const chain = await kit.open({ shards: 2 });
    await chain.rounds(2);
    const { controls } = chain.net;
    const other = makeAddress(-1, "cd".repeat(32));
    const model = chain.net.account(chain.wallet(0).address).account.load();
    if (model.kind !== "account") throw new Error("the wallet has no account");
    const state: AccountState = { kind: "frozen", stateHash: "ef".repeat(32) as typeof zeroHash };
    controls.write(other, { kind: "balance", balance: 3n * coin });
    controls.write(other, { kind: "state", state });
    controls.write(stranger, { kind: "account", account: { ...model, address: stranger } });
    await chain.rounds(1);
    expect(stateOf(chain, other)).toMatchObject({ kind: "frozen", coins: 3n * coin, state });
    expect(stateOf(chain, stranger)).toMatchObject({ coins: model.storage.balance.coins, kind: "active" });
    controls.write(other, { kind: "account", account: { kind: "none" } });
    controls.write(stranger, { kind: "state", state: { kind: "uninit" } });
    await chain.rounds(2);
    expect(stateOf(chain, other)).toEqual({ kind: "none" });
    expect(stateOf(chain, stranger)).toMatchObject({ kind: "uninit", coins: model.storage.balance.coins });
    await expectWhole(chain);
  });

  it("goes on as any other: its wallet sends from the balance that was set", async () => {
    const chain = await kit.open();
    await chain.rounds(2);
    const wallet = chain.wallet(1);
    chain.net.controls.write(wallet.address, { kind: "balance", balance: 7n * coin });
    await chain.rounds(1);
    await chain.send(wallet, { to: stranger, amount: 6n * coin });
    await chain.rounds(3);
    expect(chain.balance(stranger)).toBe(6n * coin);
    expect(chain.balance(wallet.address)).toBeLessThan(coin);
    await expectWhole(chain);
  });

  it("is written again in the block that removed it", async () => {
    const chain = await kit.open();
    await chain.rounds(2);
    const { controls } = chain.net;
    controls.write(stranger, { kind: "balance", balance: coin });
    controls.write(stranger, { kind: "account", account: { kind: "none" } });
    controls.write(stranger, { kind: "balance", balance: 2n * coin });
    controls.write(stranger, { kind: "account", account: { kind: "none" } });
    controls.sendAs({ from: stranger, to: stranger, value: 3n * coin, bounce: false });
    await chain.rounds(1);
    expect(stateOf(chain, stranger)).toMatchObject({ kind: "uninit", coins: 3n * coin });
    const times = listTransactions(chain.net.ledger).filter(({ account }) => account === "ab".repeat(32));
    expect(new Set(times.map(({ lt }) => lt)).size).toBe(5);
    await expectWhole(chain);
  });

  it("is refused at once where it cannot be", async () => {
    const chain = await kit.open();
    const { controls } = chain.net;
    const model = chain.net.account(chain.wallet(0).address).account.load();
    expect(() => controls.write(stranger, { kind: "account", account: model })).toThrow(
      expect.objectContaining({ code: "localnet/control", message: expect.stringContaining("address in the account") }),
    );
    const far = makeAddress(5, "ab".repeat(32));
    expect(() => controls.write(far, { kind: "balance", balance: 1n })).toThrow(/workchain that this network/);
    const config = makeAddress(-1, configAccount);
    expect(() => controls.write(config, { kind: "data", data: emptyCell })).toThrow(/by setConfig only/);
    expect(() => controls.write(stranger, { kind: "config", param: 14, value: emptyCell })).toThrow(/configuration/);
    expect(chain.net.pending).toBe(0);
  });
});

describe("the configuration", () => {
  it("has the parameter that was set, in a key block", async () => {
    const chain = await kit.open();
    await chain.rounds(2);
    const { controls, ledger } = chain.net;
    const keys = ledger.keySeqnos.length;
    const fees = { masterchainBlockFee: 5n, basechainBlockFee: 7n };
    controls.setConfig(14, storeCell(configParam[14], fees));
    controls.setConfig(-5, emptyCell);
    await chain.rounds(1);
    expect(ledger.keySeqnos.length).toBe(keys + 1);
    const { config } = await fetchConfig(chain.net.lite, ledger.headId, { signal });
    expect(getConfigParam(config, 14)).toEqual(fees);
    expect(config.params.find(-5)?.hash()).toBe(emptyCell.hash());
    controls.setConfig(-5, undefined);
    await chain.rounds(2);
    const later = await fetchConfig(chain.net.lite, ledger.headId, { signal });
    expect(later.config.params.find(-5)).toBeUndefined();
    for (const [param, value] of [
      [34, emptyCell],
      [14, emptyCell],
      [14, undefined],
    ] as const)
      expect(() => controls.setConfig(param, value)).toThrow(/parameter (14|34)/);
    await expectWhole(chain);
  });
});

describe("an impersonated account", () => {
  it("accepts external messages without its key until that is stopped", async () => {
    const chain = await kit.open();
    await chain.rounds(2);
    const wallet = chain.wallet(0);
    const forged = () => chain.sign({ ...wallet, key: chain.wallet(1).key }, { to: stranger, amount: coin });
    const outcome = () =>
      chain.submit(forged()).then(
        () => "accepted",
        (error: unknown) => (isCoded(error, "lite/server") ? "refused" : error),
      );
    expect(await outcome()).toBe("refused");
    chain.net.controls.impersonate(wallet.address);
    expect(chain.net.controls.impersonated()).toEqual([wallet.address]);
    expect(await outcome()).toBe("accepted");
    await chain.rounds(2);
    expect(chain.balance(stranger)).toBe(coin);
    expect(listTransactions(chain.net.ledger).filter(isImpersonated)).toHaveLength(1);
    chain.net.controls.stopImpersonating(wallet.address);
    expect(await outcome()).toBe("refused");
    await expectWhole(chain);
  });
});

describe("a message in the name of another account", () => {
  it("is delivered in the next block, with coins that are created", async () => {
    const chain = await kit.open({ shards: 4 });
    await chain.rounds(2);
    const from = makeAddress(-1, "99".repeat(32));
    const wanted = { from, to: stranger, value: 2n * coin, bounce: false };
    const posted = [chain.net.controls.sendAs(wanted), chain.net.controls.sendAs(wanted)];
    await chain.rounds(1);
    expect(chain.balance(stranger)).toBe(4n * coin);
    const received = listTransactions(chain.net.ledger).filter(({ account }) => account === "ab".repeat(32));
    const summary = received.map(({ messages }) => messages.in?.cell.hash()).sort();
    expect(summary).toEqual(posted.map(({ messageHash }) => messageHash).sort());
    await chain.rounds(2);
    await expectWhole(chain);
  });

  it("bounces to the account in whose name it was sent", async () => {
    const chain = await kit.open();
    await chain.rounds(2);
    const from = makeAddress(0, "99".repeat(32));
    const body = beginCell().storeUint(7, 32).cell();
    chain.net.controls.sendAs({ from, to: stranger, value: coin, bounce: true, body });
    await chain.rounds(3);
    expect(chain.balance(stranger)).toBe(0n);
    expect(chain.balance(from)).toBeGreaterThan((9n * coin) / 10n);
    await expectWhole(chain);
  });
});

it("does not take a message that looks like a write for one", async () => {
  const chain = await kit.open();
  await chain.rounds(1);
  const cell = makeAccountWrite(chain.wallet(0).address, { kind: "balance", id: 1n, balance: 5n });
  const before = chain.balance(chain.wallet(0).address);
  await expect(chain.submit(cell)).rejects.toMatchObject({ code: "lite/server" });
  await expect(chain.submit(makeExternal(chain.wallet(0).address, emptyCell))).rejects.toThrow();
  await chain.rounds(1);
  expect(chain.balance(chain.wallet(0).address)).toBe(before);
});
