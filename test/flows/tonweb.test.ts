import { type KeyPair, mnemonicToPrivateKey } from "@ton/crypto";
import tonwebModule from "tonweb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type StartedService, startService } from "../kit/app/startedService.ts";

// The package is a plain CommonJS module whose types declare a default export.
const TonWeb = tonwebModule as unknown as typeof tonwebModule.default;

/** A method of the provider that its types lack. */
interface ConfigReader {
  getConfigParam(id: number): Promise<{ readonly bits: { readonly cursor: number } }>;
}

let service: StartedService;
let provider: InstanceType<typeof TonWeb.HttpProvider> & ConfigReader;
let keys: KeyPair;
let wallet: InstanceType<typeof TonWeb.Wallets.all.v3R2>;
let address: string;

beforeAll(async () => {
  service = await startService({ flags: ["--demo", "off", "--no-index", "--block-ms", "200"] });
  provider = new TonWeb.HttpProvider(`${service.origin}/api/v2/jsonRPC`) as typeof provider;
  const reported = service.wallet("v3r2");
  keys = await mnemonicToPrivateKey([...reported.words]);
  wallet = new TonWeb.Wallets.all.v3R2(provider, { publicKey: keys.publicKey, wc: 0 });
  address = reported.address;
});

afterAll(() => service.close());

const whole = "-9223372036854775808";
const patience = { timeout: 300_000, interval: 200 };

interface TreeSource {
  readonly bits: { readonly array: Uint8Array; readonly cursor: number };
  readonly refs: readonly TreeSource[];
}

interface Tree {
  readonly data: { readonly b64: string; readonly len: number };
  readonly refs: readonly Tree[];
}

/** A cell of this client in the form for its oldest send method. */
function treeOf({ bits, refs }: TreeSource): Tree {
  const bytes = bits.array.slice(0, Math.ceil(bits.cursor / 8));
  return { data: { b64: Buffer.from(bytes).toString("base64"), len: bits.cursor }, refs: refs.map(treeOf) };
}

function transfer(to: string, amount: string, seqno: number) {
  const { secretKey } = keys;
  const amountNano = TonWeb.utils.toNano(amount);
  return wallet.methods.transfer({
    secretKey,
    toAddress: to,
    amount: amountNano,
    seqno,
    payload: "by tonweb",
    sendMode: 3,
  });
}

async function seqnoNow(): Promise<number> {
  return Number(await wallet.methods.seqno().call());
}

describe("tonweb against the service", () => {
  it("finds the funded wallet by its key", async () => {
    expect((await wallet.getAddress()).toString(true, true, false)).toBe(address);
  });

  it("reads accounts in three ways", async () => {
    const balance = await provider.getBalance(address);
    expect(BigInt(balance)).toBeGreaterThan(1_000_000_000n);
    expect(await provider.getAddressInfo(address)).toMatchObject({
      "@type": "raw.fullAccountState",
      ...{ balance, state: "active", code: expect.stringMatching(/^te6cc/), frozen_hash: "" },
    });
    expect(await provider.getExtendedAddressInfo(address)).toMatchObject({
      "@type": "fullAccountState",
      address: { "@type": "accountAddress", account_address: address },
      account_state: { "@type": "wallet.v3.accountState", seqno: expect.any(Number) },
    });
    expect(await provider.getWalletInfo(address)).toMatchObject({
      ...{ wallet: true, balance, account_state: "active", wallet_type: "wallet v3 r2", wallet_id: 698_983_191 },
    });
  });

  it("reads blocks, their headers, shards and transactions", async () => {
    const { last } = await provider.getMasterchainInfo();
    expect(last).toMatchObject({ workchain: -1, shard: whole });
    const { shards } = await provider.getBlockShards(last.seqno);
    expect(shards).toMatchObject([{ workchain: 0, shard: whole }]);
    const header = await provider.getMasterchainBlockHeader(last.seqno);
    expect(header).toMatchObject({ "@type": "blocks.header", id: { seqno: last.seqno }, end_lt: expect.any(String) });
    expect(await provider.getBlockHeader(0, whole, shards[0].seqno)).toMatchObject({ id: shards[0] });
    const listed = await provider.getMasterchainBlockTransactions(last.seqno);
    expect(listed).toMatchObject({ "@type": "blocks.transactions", req_count: 40, incomplete: false });
    const [first, ...others] = listed.transactions;
    const after = String(first?.account).slice(3);
    const rest = await provider.getBlockTransactions(-1, whole, last.seqno, 40, Number(first?.lt), after);
    expect(rest.transactions).toEqual(others);
  });

  it("runs get-methods and reads their results", async () => {
    expect(await provider.call(address, "seqno")).toMatchObject({ "@type": "smc.runResult", exit_code: 0 });
    const key = await provider.call2(address, "get_public_key");
    expect(key.toString(16, 64)).toBe(keys.publicKey.toString("hex"));
    const { address: fourth } = service.wallet("v4r2");
    expect(await provider.call2(fourth, "get_plugin_list")).toEqual([]);
    const nobody = `0x${"77".repeat(32)}`;
    const isInstalled = await provider.call2(fourth, "is_plugin_installed", [
      ["num", 0],
      ["num", nobody],
    ]);
    expect(isInstalled.toString()).toBe("0");
    await expect(provider.call2(address, "no_such_method")).rejects.toThrow("parse response error");
  });

  it("reads configuration as cells", async () => {
    const cell = await provider.getConfigParam(15);
    expect(cell.bits.cursor).toBe(128);
    await expect(provider.getConfigParam(12_345)).rejects.toThrow("expected bytes");
  });

  it("estimates a transfer, sends it and sees it arrive and in both histories", async () => {
    const to = `0:${"21".repeat(32)}`;
    const seqno = await seqnoNow();
    const fees = await transfer(to, "0.25", seqno).estimateFee();
    expect(fees).toMatchObject({ "@type": "query.fees", source_fees: { gas_fee: expect.any(Number) } });
    expect(await transfer(to, "0.25", seqno).send()).toEqual({ "@type": "ok" });
    await expect.poll(() => provider.getBalance(to), patience).toBe("250000000");
    expect(await seqnoNow()).toBe(seqno + 1);
    const [received] = await provider.getTransactions(to, 1);
    expect(received.in_msg).toMatchObject({ value: "250000000", message: "by tonweb" });
    const [sent, ...before] = await provider.getTransactions(address, 5);
    expect(sent.out_msgs).toMatchObject([{ value: "250000000", created_lt: received.in_msg.created_lt }]);
    const { lt, hash } = sent.transaction_id;
    expect(await provider.getTransactions(address, 5, lt, hash)).toEqual([sent, ...before]);
    expect(await provider.getTransactions(address, 5, undefined, undefined, before[0]?.transaction_id.lt)).toEqual([
      sent,
    ]);
    expect(await provider.getTransactions(address, 5, lt, hash, undefined, true)).toEqual([sent, ...before]);
  });

  it("sends a bag of cells, and trees of cells with its oldest method", async () => {
    const seqno = await seqnoNow();
    const query = await transfer(`0:${"22".repeat(32)}`, "0.5", seqno).getQuery();
    const boc = TonWeb.utils.bytesToBase64(await query.toBoc(false));
    expect(await provider.sendBoc(boc)).toEqual({ "@type": "ok" });
    await expect.poll(() => provider.getBalance(`0:${"22".repeat(32)}`), patience).toBe("500000000");
    await expect(provider.sendBoc(boc)).rejects.toMatch(/^LITE_SERVER_UNKNOWN: cannot apply external message/);
    const amount = TonWeb.utils.toNano("0.75");
    const to = `0:${"23".repeat(32)}`;
    const { body } = await wallet.createTransferMessage(keys.secretKey, to, amount, seqno + 1, "", 3);
    expect(await provider.sendQuery({ address, body: treeOf(body) })).toEqual({ "@type": "ok" });
    await expect.poll(() => provider.getBalance(to), patience).toBe("750000000");
  });
});
