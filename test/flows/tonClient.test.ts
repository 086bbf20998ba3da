import { type KeyPair, mnemonicToPrivateKey } from "@ton/crypto";
import {
  Address,
  beginCell,
  Cell,
  external,
  internal,
  type OpenedContract,
  SendMode,
  storeMessage,
  TonClient,
  type Transaction,
  WalletContractV4,
} from "@ton/ton";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type StartedService, startService } from "../kit/app/startedService.ts";

let service: StartedService;
let client: TonClient;
let keys: KeyPair;
let wallet: OpenedContract<WalletContractV4>;

beforeAll(async () => {
  service = await startService({ flags: ["--demo", "off", "--no-index", "--block-ms", "200"] });
  client = new TonClient({ endpoint: `${service.origin}/api/v2/jsonRPC`, timeout: 300_000 });
  keys = await mnemonicToPrivateKey([...service.wallet("v4r2").words]);
  wallet = client.open(WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey }));
});

afterAll(() => service.close());

const elector = Address.parse(`-1:${"33".repeat(32)}`);
const config = Address.parse(`-1:${"55".repeat(32)}`);
const account = (byte: string) => Address.parse(`0:${byte.repeat(32)}`);
const patience = { timeout: 300_000, interval: 200 };

/** The signed body of a transfer with a comment. */
async function signTransfer(to: Address, value: string, body: string): Promise<Cell> {
  const messages = [internal({ to, value, bounce: false, body })];
  const seqno = await wallet.getSeqno();
  const sendMode = SendMode.PAY_GAS_SEPARATELY;
  return wallet.createTransfer({ seqno, secretKey: keys.secretKey, messages, sendMode });
}

async function arrived(to: Address, coins: bigint): Promise<void> {
  await expect.poll(() => client.getBalance(to), patience).toBe(coins);
}

/** Waits for the wallet's seqno, so that the next message gets a new one. */
async function sentUpTo(seqno: number): Promise<void> {
  await expect.poll(() => wallet.getSeqno(), patience).toBe(seqno);
}

const hashOf = (transaction: Transaction | null | undefined) => transaction?.hash().toString("hex");

describe("TonClient of @ton/ton against the service", () => {
  it("reads blocks, shards and their transactions", async () => {
    const { latestSeqno, ...info } = await client.getMasterchainInfo();
    expect(info).toEqual({ workchain: -1, shard: "-9223372036854775808", initSeqno: 0 });
    expect(latestSeqno).toBeGreaterThan(0);
    const shards = await client.getWorkchainShards(latestSeqno);
    expect(shards).toEqual([{ workchain: 0, shard: "-9223372036854775808", seqno: expect.any(Number) }]);
    const transactions = await client.getShardTransactions(-1, latestSeqno, "-9223372036854775808");
    expect(transactions.length).toBeGreaterThan(0);
    for (const { account: each, lt, hash } of transactions)
      expect(hashOf(await client.getTransaction(each, lt, hash))).toBe(Buffer.from(hash, "base64").toString("hex"));
  });

  it("reads accounts of every state", async () => {
    const state = await client.getContractState(wallet.address);
    expect(state).toEqual({
      balance: await client.getBalance(wallet.address),
      extra_currencies: [],
      state: "active",
      code: wallet.init.code.toBoc().length > 0 ? expect.any(Buffer) : null,
      data: expect.any(Buffer),
      lastTransaction: state.lastTransaction,
      blockId: { workchain: -1, shard: "-9223372036854775808", seqno: expect.any(Number) },
      timestampt: expect.any(Number),
    });
    expect(Cell.fromBoc(state.code ?? Buffer.alloc(0))[0]?.equals(wallet.init.code)).toBe(true);
    expect(await client.isContractDeployed(wallet.address)).toBe(true);
    const nobody = account("ee");
    expect(await client.getContractState(nobody)).toMatchObject({
      ...{ balance: 0n, state: "uninitialized", code: null, data: null, lastTransaction: null },
    });
    expect(await client.isContractDeployed(nobody)).toBe(false);
    expect(await client.getBalance(nobody)).toBe(0n);
  });

  it("runs get-methods, and reports failed ones", async () => {
    const { stack, gas_used: gas } = await client.runMethod(wallet.address, "get_public_key");
    expect(stack.readBigNumber()).toBe(BigInt(`0x${keys.publicKey.toString("hex")}`));
    expect(gas).toBeGreaterThan(0);
    expect((await client.callGetMethod(wallet.address, "seqno")).stack.readNumber()).toBe(await wallet.getSeqno());
    const plugin = [
      { type: "int", value: 0n } as const,
      { type: "int", value: BigInt(`0x${"77".repeat(32)}`) } as const,
    ];
    expect((await client.runMethod(wallet.address, "is_plugin_installed", plugin)).stack.readNumber()).toBe(0);
    const plugins = await client.runMethod(wallet.address, "get_plugin_list");
    expect(plugins.stack.readTupleOpt()).toBeNull();
    expect(await client.runMethodWithError(wallet.address, "no_such_method")).toMatchObject({ exit_code: 11 });
    expect(await client.callGetMethodWithError(account("ee"), "seqno")).toMatchObject({ gas_used: 0, exit_code: -13 });
    await expect(client.runMethod(wallet.address, "no_such_method")).rejects.toThrow("Got exit_code: 11");
    const elections = await client.runMethod(elector, "active_election_id");
    expect(elections.stack.readNumber()).toBeGreaterThanOrEqual(0);
  });

  it("estimates fees that are then paid", async () => {
    const body = await signTransfer(account("ab"), "0.1", "what does it cost");
    const args = { body, initCode: null, initData: null, ignoreSignature: true };
    const { source_fees: fees, ...rest } = await client.estimateExternalMessageFee(wallet.address, args);
    expect(rest).toMatchObject({ "@type": "query.fees" });
    expect(fees).toMatchObject({ "@type": "fees", in_fwd_fee: expect.any(Number), gas_fee: expect.any(Number) });
    expect(Math.min(fees.in_fwd_fee, fees.gas_fee, fees.fwd_fee)).toBeGreaterThan(0);
  });

  it("sends coins from a funded wallet and sees them arrive", async () => {
    const to = account("12");
    const [before, seqno] = [await wallet.getBalance(), await wallet.getSeqno()];
    const messages = [internal({ to, value: "1.5", bounce: false, body: "from a test" })];
    const { secretKey } = keys;
    await wallet.sendTransfer({ seqno, secretKey, messages, sendMode: SendMode.PAY_GAS_SEPARATELY });
    await arrived(to, 1_500_000_000n);
    expect(await wallet.getSeqno()).toBe(seqno + 1);
    expect(await wallet.getBalance()).toBeLessThan(before - 1_500_000_000n);
    const [received] = await client.getTransactions(to, { limit: 1 });
    expect(received?.inMessage?.body.beginParse().skip(32).loadStringTail()).toBe("from a test");
  });

  it("sends messages, files and bodies in all its ways", async () => {
    const seqno = await wallet.getSeqno();
    const first = external({ to: wallet.address, body: await signTransfer(account("01"), "0.1", "a message") });
    await client.sendMessage(first);
    await sentUpTo(seqno + 1);
    const second = external({ to: wallet.address, body: await signTransfer(account("02"), "0.2", "a file") });
    await client.sendFile(beginCell().store(storeMessage(second)).endCell().toBoc());
    await sentUpTo(seqno + 2);
    await client.sendExternalMessage(wallet, await signTransfer(account("03"), "0.3", "a body"));
    await sentUpTo(seqno + 3);
    await client.provider(wallet.address).external(await signTransfer(account("04"), "0.4", "by a provider"));
    await sentUpTo(seqno + 4);
    for (const [byte, coins] of [
      ["01", 1n],
      ["02", 2n],
      ["03", 3n],
      ["04", 4n],
    ] as const)
      await arrived(account(byte), coins * 100_000_000n);
    await expect(client.sendMessage(first)).rejects.toMatchObject({ response: { status: 500 } });
  });

  it("reads histories from the end, from a transaction and down to one", async () => {
    const all = await client.getTransactions(wallet.address, { limit: 100 });
    expect(all.length).toBeGreaterThanOrEqual(5);
    const hashes = all.map(hashOf);
    const at = all[1];
    if (at === undefined) throw new Error("the wallet has no history");
    const point = { lt: String(at.lt), hash: at.hash().toString("base64") };
    const ask = async (rest: object) =>
      (await client.getTransactions(wallet.address, { limit: 2, ...rest })).map(hashOf);
    expect(await ask({})).toEqual(hashes.slice(0, 2));
    expect(await ask({ ...point, inclusive: true })).toEqual(hashes.slice(1, 3));
    expect(await ask({ ...point, inclusive: false })).toEqual(hashes.slice(2, 4));
    expect(await ask({ limit: 10, to_lt: point.lt })).toEqual(hashes.slice(0, 1));
    expect(await ask({ archival: true })).toEqual(hashes.slice(0, 2));
    expect(await ask({ archival: false })).toEqual(hashes.slice(0, 2));
    expect(hashOf(await client.getTransaction(wallet.address, point.lt, point.hash))).toBe(hashes[1]);
    const provider = client.provider(wallet.address);
    const some = await provider.getTransactions(wallet.address, at.lt, at.hash(), 2);
    expect(some.map(hashOf)).toEqual(hashes.slice(1, 3));
  });

  it("finds both ends of a message", async () => {
    const to = account("12");
    const [received] = await client.getTransactions(to, { limit: 1 });
    const info = received?.inMessage?.info;
    if (info?.type !== "internal") throw new Error("nothing was received");
    const lt = String(info.createdLt);
    expect(hashOf(await client.tryLocateResultTx(wallet.address, to, lt))).toBe(hashOf(received));
    const sent = await client.tryLocateSourceTx(wallet.address, to, lt);
    expect(sent.outMessages.values().some(({ info: each }) => each.type === "internal" && each.dest.equals(to))).toBe(
      true,
    );
    const absent = client.tryLocateResultTx(wallet.address, to, String(info.createdLt + 1n));
    await expect(absent).rejects.toMatchObject({ response: { status: 404 } });
  });

  it("opens contracts: state and get-methods by a provider", async () => {
    const provider = client.provider(config);
    const { state, last } = await provider.getState();
    expect(state).toMatchObject({ type: "active", code: expect.any(Buffer), data: expect.any(Buffer) });
    expect(last?.hash).toHaveLength(32);
    expect((await client.provider(account("ee")).getState()).state).toEqual({ type: "uninit" });
    const { stack } = await client.provider(wallet.address).get("get_subwallet_id", []);
    expect(stack.readNumber()).toBe(698_983_191);
  });

  it("uses the root of the server as well as the path of JSON-RPC", async () => {
    const atRoot = new TonClient({ endpoint: `${service.origin}/`, timeout: 300_000 });
    expect(await atRoot.getBalance(account("12"))).toBe(1_500_000_000n);
    const refused = await fetch(service.origin, { method: "POST", body: '{"method":"nothing","id":5}' });
    expect([refused.status, await refused.json()]).toEqual([
      404,
      { ok: false, error: "Method not found", code: 404, "@extra": "_", id: 5 },
    ]);
    const asked = await fetch(service.origin, { method: "OPTIONS" });
    expect([asked.status, asked.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
    expect(await (await fetch(`${service.origin}/api/v2/openapi.json`)).text()).toContain("POST /`");
  });
});
