import {
  Address,
  beginCell,
  Cell,
  external,
  internal,
  loadTransaction,
  SendMode,
  storeMessage,
  type TransactionDescription,
} from "@ton/core";
import { mnemonicToPrivateKey } from "@ton/crypto";
import { WalletContractV4, WalletContractV5R1 } from "@ton/ton";
import { LiteClient, LiteSingleEngine } from "ton-lite-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runRemotely } from "../../kit/lite/queries/runMethod.ts";
import { emptyCell } from "../../src/cell/Builder.ts";
import { writeBoc } from "../../src/cell/boc.ts";
import { loadCell, storeCell } from "../../src/cell/codec.ts";
import { fetchAccount } from "../../src/lite/queries/accounts.ts";
import { fetchBlockHeader } from "../../src/lite/queries/blockHeader.ts";
import { fetchBlock } from "../../src/lite/queries/blocks.ts";
import { fetchConfig } from "../../src/lite/queries/config.ts";
import { submitMessage } from "../../src/lite/queries/send.ts";
import { fetchAllShards, fetchShardBlockProof } from "../../src/lite/queries/shards.ts";
import { TrustedChain } from "../../src/lite/queries/TrustedChain.ts";
import { fetchBlockTransactionsExt, fetchTransactions } from "../../src/lite/queries/transactions.ts";
import { makeAddress } from "../../src/model/Address.ts";
import { basechain } from "../../src/model/block/BlockId.ts";
import { zeroHash } from "../../src/model/Hash.ts";
import { methodId } from "../../src/model/vm/methodId.ts";
import { VmStack } from "../../src/model/vm/VmStack.ts";
import { type ServedChain, serveChain } from "../kit/lite/serveChain.ts";
import { listBlocks } from "../kit/localnet/ledgerTransactions.ts";
import { type ChainKit, openChainKit, type TestChain } from "../kit/localnet/localChain.ts";

let kit: ChainKit;
let chain: TestChain;
let served: ServedChain;
beforeAll(async () => {
  kit = await openChainKit();
  chain = await kit.open();
  served = await serveChain(chain.net.lite);
});
afterAll(async () => {
  await served.close();
  await kit.close();
});

const { signal } = new AbortController();
const to = makeAddress(0, "a".repeat(64));

describe("our own client with all proofs checked", () => {
  it("sends, sees the coins arrive, and can follow everything back to the zero state", async () => {
    const { connection } = served;
    const { ledger } = chain.net;
    const wallet = chain.wallet(3);
    await submitMessage(connection, writeBoc(chain.sign(wallet, { to, amount: 777n })), { signal });
    await chain.rounds(3);
    const trusted = new TrustedChain({ start: ledger.zero.id, zeroState: ledger.zero.id, proofs: "check" });
    const { block } = await trusted.head(connection, { signal });
    const { entry } = await fetchAccount(connection, block, to, { signal });
    expect(entry?.account).toMatchObject({
      storage: { balance: { coins: 777n } },
    });
    expect(await fetchAllShards(connection, block, { signal })).toHaveLength(1);
    expect((await fetchConfig(connection, block, { signal })).config.params.has(34)).toBe(true);
    const last = (await fetchAccount(connection, block, wallet.address, { signal })).entry?.shardAccount;
    const from = { lt: last?.lastTransactionLt ?? 0n, hash: last?.lastTransactionHash ?? zeroHash };
    const history = await fetchTransactions(connection, wallet.address, from, 10, { signal });
    expect(history.length).toBeGreaterThan(0);
    for (const { id } of listBlocks(ledger)) {
      expect((await fetchBlock(connection, id, { signal })).id).toEqual(id);
      await fetchBlockHeader(connection, id, { signal });
      await fetchBlockTransactionsExt(connection, id, { count: 100 }, { signal });
      if (id.workchain === basechain) await fetchShardBlockProof(connection, id, { signal });
    }
    const call = { methodId: BigInt(methodId("seqno")), stack: storeCell(VmStack, []) };
    const { exitCode, stack } = await runRemotely(connection, block, wallet.address, call, { signal });
    expect(exitCode).toBe(0);
    const seqno = { kind: "int", value: BigInt(chain.seqno(wallet)) };
    expect(stack === undefined ? [] : loadCell(VmStack, stack)).toEqual([seqno]);
  });
});

describe("a chain that its owner changed without keys", () => {
  const written = makeAddress(0, "b".repeat(64));

  it("is proved to our own client and read by a common one", async () => {
    const { connection } = served;
    const { ledger, controls } = chain.net;
    controls.write(written, { kind: "balance", balance: 9_000n });
    controls.setConfig(-5, emptyCell);
    controls.sendAs({ from: to, to: written, value: 1_000n, bounce: false });
    await chain.rounds(1);
    controls.write(written, { kind: "balance", balance: 4_000n });
    controls.write(written, { kind: "data", data: emptyCell });
    await chain.rounds(2);
    const trusted = new TrustedChain({ start: ledger.zero.id, zeroState: ledger.zero.id, proofs: "check" });
    const { block } = await trusted.head(connection, { signal });
    const { entry } = await fetchAccount(connection, block, written, { signal });
    expect(entry?.account).toMatchObject({ storage: { balance: { coins: 4_000n }, state: { kind: "active" } } });
    const { lastTransactionLt: lt, lastTransactionHash: hash } = entry?.shardAccount ?? { lastTransactionLt: 0n };
    const history = await fetchTransactions(connection, written, { lt, hash: hash ?? zeroHash }, 10, { signal });
    expect(history).toHaveLength(4);
    for (const { id } of listBlocks(ledger)) {
      expect((await fetchBlock(connection, id, { signal })).id).toEqual(id);
      await fetchBlockTransactionsExt(connection, id, { count: 100 }, { signal });
      if (id.workchain === basechain) await fetchShardBlockProof(connection, id, { signal });
    }
    const publicKey = Buffer.from(served.publicKey);
    const engine = new LiteSingleEngine({ host: `tcp://127.0.0.1:${served.port}`, publicKey });
    const client = new LiteClient({ engine });
    await expect.poll(() => engine.isReady(), { timeout: 300_000 }).toBe(true);
    const { last } = await client.getMasterchainInfo();
    const address = Address.parse(written);
    const state = await client.getAccountState(address, last);
    expect(state.balance.coins).toBe(4_000n);
    const answer = await client.getAccountTransactions(address, String(lt), Buffer.from(hash ?? "", "hex"), 10);
    const read = Cell.fromBoc(answer.transactions).map((cell) => loadTransaction(cell.beginParse()));
    expect(read.map(({ lt: each, endStatus, description }) => [each, endStatus, phaseOf(description)])).toEqual([
      [lt, "active", "skipped"],
      [history[1]?.transaction.lt, "uninitialized", "skipped"],
      [history[2]?.transaction.lt, "uninitialized", "skipped"],
      [history[3]?.transaction.lt, "uninitialized", "skipped"],
    ]);
    engine.close();
  });

  function phaseOf(description: TransactionDescription): string {
    return description.type === "generic" ? description.computePhase.type : description.type;
  }
});

describe("common clients", () => {
  it("move coins from a funded wallet", async () => {
    const publicKey = Buffer.from(served.publicKey);
    const engine = new LiteSingleEngine({ host: `tcp://127.0.0.1:${served.port}`, publicKey });
    const client = new LiteClient({ engine });
    for (const index of [4, 0]) await moveCoins(client, index);
    engine.close();
  });
});

/** Like a program with `@ton/ton` and `ton-lite-client`: mnemonic, wallet, message, balance. */
async function moveCoins(client: LiteClient, index: number): Promise<void> {
  const funded = chain.net.keys.wallets[index];
  const { publicKey, secretKey } = await mnemonicToPrivateKey([...(funded?.words ?? [])]);
  const dest = Address.parseRaw(makeAddress(0, String(index).repeat(64)));
  const messages = [internal({ to: dest, value: 55n, bounce: false, body: "hello" })];
  const transfer = { seqno: 0, timeout: chain.net.clock.seconds + 60, secretKey, messages };
  const sendMode = SendMode.PAY_GAS_SEPARATELY;
  const v4 = WalletContractV4.create({ workchain: 0, publicKey });
  const v5 = WalletContractV5R1.create({ publicKey, walletId: { networkGlobalId: chain.net.globalId } });
  const isV4 = funded?.wallet.version === "v4r2";
  const body = isV4 ? v4.createTransfer({ ...transfer, sendMode }) : v5.createTransfer({ ...transfer, sendMode });
  const { address } = isV4 ? v4 : v5;
  expect(address.toRawString()).toBe(funded?.wallet.address);
  const { last } = await client.getMasterchainInfo();
  expect((await client.runMethod(address, "seqno", Buffer.alloc(0), last)).exitCode).toBe(0);
  const message = beginCell()
    .store(storeMessage(external({ to: address, body })))
    .endCell();
  expect(await client.sendMessage(message.toBoc())).toMatchObject({ status: 1 });
  await chain.rounds(1);
  const after = await client.getMasterchainInfo();
  expect((await client.getAccountState(dest, after.last)).balance.coins).toBe(55n);
}
