import { createNetworkProvider } from "@ton/blueprint";
import { type KeyPair, mnemonicToPrivateKey } from "@ton/crypto";
import { Blockchain, RemoteBlockchainStorage, wrapTonClient4ForRemote } from "@ton/sandbox";
import {
  Address,
  beginCell,
  Cell,
  Dictionary,
  external,
  internal,
  SendMode,
  serializeTuple,
  storeMessage,
  TonClient4,
  type TupleItem,
  toNano,
  WalletContractV4,
} from "@ton/ton";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { WsClient } from "../kit/api/stream/streamClients.ts";
import { type StartedService, startService } from "../kit/app/startedService.ts";

let service: StartedService;
let client: TonClient4;
let keys: KeyPair;
let wallet: WalletContractV4;

beforeAll(async () => {
  service = await startService({ flags: ["--demo", "off", "--no-index", "--block-ms", "300"] });
  client = new TonClient4({ endpoint: `${service.origin}/api/v4`, timeout: 300_000 });
  keys = await mnemonicToPrivateKey([...service.wallet("v4r2").words]);
  wallet = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey });
});

afterAll(() => service.close());

const patience = { timeout: 300_000, interval: 200 };
const account = (byte: string) => Address.parse(`0:${byte.repeat(32)}`);
const newest = async () => (await client.getLastBlock()).last.seqno;

async function transfer(to: Address, value: string, body: string): Promise<Buffer> {
  const opened = client.open(wallet);
  const signed = await opened.createTransfer({
    seqno: await opened.getSeqno(),
    secretKey: keys.secretKey,
    messages: [internal({ to, value, bounce: false, body })],
    sendMode: SendMode.PAY_GAS_SEPARATELY,
  });
  const message = external({ to: wallet.address, body: signed });
  return beginCell().store(storeMessage(message)).endCell().toBoc();
}

/** Sends coins and waits until the wallet's seqno has grown. */
async function sendCoins(to: Address, value: string, body: string): Promise<void> {
  const before = await client.open(wallet).getSeqno();
  expect(await client.sendMessage(await transfer(to, value, body))).toEqual({ status: 1 });
  await expect.poll(() => client.open(wallet).getSeqno(), patience).toBe(before + 1);
}

async function coinsOf(address: Address): Promise<bigint> {
  const { account } = await client.getAccount(await newest(), address);
  return BigInt(account.balance.coins);
}

describe("TonClient4 of @ton/ton against the service", () => {
  it("reads the newest block, blocks by seqno and blocks by time", async () => {
    const { last, init, stateRootHash, now } = await client.getLastBlock();
    expect({ ...last, seqno: 0 }).toMatchObject({ workchain: -1, shard: "-9223372036854775808", seqno: 0 });
    for (const hash of [init.rootHash, init.fileHash, stateRootHash])
      expect(Buffer.from(hash, "base64")).toHaveLength(32);
    const { shards } = await client.getBlock(last.seqno);
    expect(shards[0]).toMatchObject({ ...last, transactions: expect.any(Array) });
    expect(shards.slice(1).map(({ workchain }) => workchain)).toEqual(shards.slice(1).map(() => 0));
    for (const { account: each, hash, lt } of shards.flatMap(({ transactions }) => transactions)) {
      const [first] = await client.getAccountTransactions(Address.parse(each), BigInt(lt), Buffer.from(hash, "base64"));
      expect(first?.tx.hash().toString("base64")).toBe(hash);
    }
    const atTime = await client.getBlockByUtime(now);
    expect(atTime.shards[0]?.seqno).toBeLessThanOrEqual(last.seqno);
    await expect(client.getBlock(last.seqno + 100_000)).rejects.toThrow("Block is out of scope");
    await expect(client.getBlock(0)).rejects.toThrow("Block is out of scope");
    await expect(client.getBlockByUtime(now + 100_000)).rejects.toThrow("Block is out of scope");
  });

  it("lists every shard block once over consecutive masterchain blocks", async () => {
    const end = await newest();
    const seen: number[] = [];
    for (let seqno = Math.max(1, end - 5); seqno <= end; seqno++) {
      for (const { workchain, seqno: each } of (await client.getBlock(seqno)).shards)
        if (workchain === 0) seen.push(each);
    }
    expect(seen).toEqual(seen.map((_, at) => (seen[0] ?? 0) + at));
  });

  it("reads accounts of every state, with code and data or their hashes", async () => {
    const seqno = await newest();
    const { account: found, block } = await client.getAccount(seqno, wallet.address);
    if (found.state.type !== "active") throw new Error("the wallet is not there");
    expect(Cell.fromBase64(found.state.code ?? "").equals(wallet.init.code)).toBe(true);
    expect(block.seqno).toBe(seqno);
    expect(found.balance.currencies).toEqual({});
    expect(found.storageStat?.used.cells).toBeGreaterThan(0);
    const { account: lite } = await client.getAccountLite(seqno, wallet.address);
    const dataHash = Cell.fromBase64(found.state.data ?? "")
      .hash()
      .toString("base64");
    const codeHash = wallet.init.code.hash().toString("base64");
    expect(lite).toEqual({ ...found, state: { type: "active", codeHash, dataHash } });
    const nobody = {
      state: { type: "uninit" },
      balance: { coins: "0", currencies: {} },
      last: null,
      storageStat: null,
    };
    expect((await client.getAccount(seqno, account("ee"))).account).toEqual(nobody);
    expect((await client.getAccountLite(seqno, account("ee"))).account).toEqual(nobody);
    expect(await client.isContractDeployed(seqno, wallet.address)).toBe(true);
    expect(await client.isContractDeployed(seqno, account("ee"))).toBe(false);
  });

  it("reports whether an account has changed since a logical time", async () => {
    await sendCoins(account("a1"), "0.01", "changes the wallet");
    const seqno = await newest();
    const { last } = (await client.getAccount(seqno, wallet.address)).account;
    const lt = BigInt(last?.lt ?? 0);
    expect(await client.isAccountChanged(seqno, wallet.address, lt)).toMatchObject({
      changed: false,
      block: { seqno },
    });
    expect(await client.isAccountChanged(seqno, wallet.address, lt - 1n)).toMatchObject({ changed: true });
    expect(await client.isAccountChanged(seqno, account("ee"), 5n)).toMatchObject({ changed: true });
  });

  it("runs get-methods with arguments of any kind, at the given block", async () => {
    const seqno = await newest();
    const { reader, exitCode, block, shardBlock } = await client.runMethod(seqno, wallet.address, "get_public_key");
    expect([exitCode, block.seqno, shardBlock.workchain]).toEqual([0, seqno, 0]);
    expect(reader.readBigNumber()).toBe(BigInt(`0x${keys.publicKey.toString("hex")}`));
    const plugin: TupleItem[] = [
      { type: "int", value: 0n },
      { type: "int", value: BigInt(`0x${"77".repeat(32)}`) },
    ];
    expect((await client.runMethod(seqno, wallet.address, "is_plugin_installed", plugin)).reader.readNumber()).toBe(0);
    expect(await client.runMethod(seqno, wallet.address, "no_such_method")).toMatchObject({ exitCode: 11 });
    await expect(client.provider(wallet.address).get("no_such_method", [])).rejects.toThrow("Exit code: 11");
    const before = await client.runMethod(seqno, wallet.address, "seqno");
    await sendCoins(account("a2"), "0.01", "moves the seqno on");
    expect((await client.runMethod(seqno, wallet.address, "seqno")).result).toEqual(before.result);
    const opened = client.openAt(seqno, wallet);
    expect(await opened.getSeqno()).toBe(before.reader.readNumber());
  });

  it("returns every kind of stack item unchanged", async () => {
    const cell = beginCell().storeUint(7, 8).storeRef(Cell.EMPTY).endCell();
    const items: TupleItem[] = [
      { type: "null" },
      { type: "nan" },
      { type: "int", value: -(2n ** 200n) },
      { type: "cell", cell },
      { type: "slice", cell },
      { type: "builder", cell },
      {
        type: "tuple",
        items: [
          { type: "int", value: 5n },
          { type: "tuple", items: [] },
        ],
      },
    ];
    const seqno = await newest();
    const args = Buffer.from(serialize(items)).toString("base64url");
    const url = `${service.origin}/api/v4/block/${seqno}/${wallet.address.toString()}/run/no_such_method`;
    const byPath = (await (await fetch(`${url}/${args}`)).json()) as { arguments: readonly unknown[] };
    const bag = cell.toBoc({ idx: false, crc32: false }).toString("base64");
    expect(byPath.arguments).toEqual([
      { type: "null" },
      { type: "nan" },
      { type: "int", value: String(-(2n ** 200n)) },
      { type: "cell", cell: bag },
      { type: "slice", cell: bag },
      { type: "builder", cell: bag },
      {
        type: "tuple",
        items: [
          { type: "int", value: "5" },
          { type: "tuple", items: [] },
        ],
      },
    ]);
    const plain = { method: "POST", headers: { "content-type": "text/plain" }, body: args };
    expect(await (await fetch(url, plain)).json()).toEqual(byPath);
    const json = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ args }) };
    expect(await (await fetch(url, json)).json()).toEqual(byPath);
    const odd = { method: "POST", headers: { "content-type": "text/csv" }, body: args };
    expect((await fetch(url, odd)).status).toBe(415);
    const long = serialize(Array.from({ length: 60 }, (_, i) => ({ type: "int", value: 2n ** 250n + BigInt(i) })));
    expect(long.length).toBeGreaterThan(2_048);
    expect((await fetch(`${url}/${Buffer.from(long).toString("base64url")}`)).status).toBe(200);
  });

  it("reads the whole configuration or some parameters", async () => {
    const seqno = await newest();
    const { config } = await client.getConfig(seqno);
    const read = (text: string) =>
      Dictionary.loadDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell(), Cell.fromBase64(text));
    const all = read(config.cell);
    expect(config.address).toBe(Address.parse(`-1:${"55".repeat(32)}`).toString());
    expect(BigInt(config.globalBalance.coins)).toBeGreaterThan(0n);
    const some = read((await client.getConfig(seqno, [17, 9, 12, 777])).config.cell);
    expect(some.keys().sort((a, b) => a - b)).toEqual([9, 12, 17]);
    for (const id of some.keys()) expect(some.get(id)?.equals(all.get(id) ?? Cell.EMPTY)).toBe(true);
  });

  it("returns parsed transactions that the client's codec accepts", async () => {
    await sendCoins(account("a3"), "0.25", "for tea");
    const seqno = await newest();
    const { last } = (await client.getAccount(seqno, wallet.address)).account;
    if (last === null) throw new Error("no transaction");
    const hash = Buffer.from(last.hash, "base64");
    const { blocks, transactions } = await client.getAccountTransactionsParsed(
      wallet.address,
      BigInt(last.lt),
      hash,
      3,
    );
    expect(blocks).toHaveLength(transactions.length);
    const [newestOne] = transactions;
    expect(newestOne?.parsed).toEqual({
      seqno: expect.any(Number),
      body: { type: "comment", comment: "for tea" },
      status: "success",
      dest: account("a3").toString(),
      kind: "out",
      amount: String(-toNano("0.25")),
      resolvedAddress: account("a3").toString(),
      bounced: false,
      mentioned: [account("a3").toString()],
    });
    expect(newestOne?.operation).toEqual({
      address: wallet.address.toString(),
      comment: "for tea",
      items: [{ kind: "ton", amount: String(-toNano("0.25")) }],
    });
  });

  it("pages through 45 transactions without gaps or repeats", async () => {
    const to = account("b7");
    for (let sent = 0; sent < 12; sent++) {
      const opened = client.open(wallet);
      const seqno = await opened.getSeqno();
      const messages = Array.from({ length: 4 }, () => internal({ to, value: "0.001", bounce: false }));
      await opened.sendTransfer({ seqno, secretKey: keys.secretKey, messages, sendMode: SendMode.PAY_GAS_SEPARATELY });
      await expect.poll(() => opened.getSeqno(), patience).toBe(seqno + 1);
    }
    await expect.poll(() => coinsOf(to), patience).toBeGreaterThan(0n);
    await expect.poll(async () => (await historyOf(to)).length, patience).toBe(48);
    const page = (await historyOf(to)).slice(0, 45);
    expect(await historyOf(to, 45)).toEqual(page);
    expect(new Set(page).size).toBe(45);
    const url = `${service.origin}/api/v4/account/${to.toRawString()}/tx/1/${"A".repeat(43)}`;
    const unknown = await fetch(url);
    expect([unknown.status, await unknown.json()]).toEqual([
      404,
      { error: expect.stringContaining("not found"), code: 404 },
    ]);
  });

  it("returns the same bytes for the same block, while the chain grows", async () => {
    const url = `${service.origin}/api/v4/block/${await newest()}/${wallet.address.toRawString()}`;
    const first = await fetch(url);
    await sendCoins(account("a4"), "0.01", "a new block");
    const second = await fetch(url);
    expect(await second.text()).toBe(await first.text());
    const tag = first.headers.get("etag") ?? "";
    expect([tag.length > 20, second.headers.get("etag"), first.headers.get("cache-control")]).toEqual([
      true,
      tag,
      "no-cache",
    ]);
    const again = await fetch(url, { headers: { "if-none-match": tag } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    const ahead = await fetch(`${service.origin}/api/v4/block/4000000000/${wallet.address.toRawString()}`);
    expect([ahead.status, await ahead.json()]).toEqual([404, { error: "block not found", code: 404 }]);
    expect(ahead.headers.get("cache-control")).toBe("no-store");
    const bad = await fetch(`${service.origin}/api/v4/block/-5`);
    expect([bad.status, await bad.json()]).toEqual([422, { error: "failed to parse seqno", code: 422 }]);
  });

  it("lets sandbox fork the chain and continue from there", async () => {
    const blockchain = await Blockchain.create({
      storage: new RemoteBlockchainStorage(wrapTonClient4ForRemote(client), await newest()),
    });
    const before = await client.open(wallet).getSeqno();
    const opened = blockchain.openContract(wallet);
    await opened.sendTransfer({
      seqno: before,
      secretKey: keys.secretKey,
      messages: [internal({ to: account("f0"), value: "1", bounce: false })],
      sendMode: SendMode.PAY_GAS_SEPARATELY,
    });
    expect(await opened.getSeqno()).toBe(before + 1);
    expect((await blockchain.getContract(account("f0"))).balance).toBe(toNano("1"));
    expect(await coinsOf(account("f0"))).toBe(0n);
  });
});

describe("Blueprint over v4", () => {
  it("sends every masterchain block once over a WebSocket, with the accounts it changed", async () => {
    const [heads, changes] = ["watch", "watch/changed"].map(
      (path) => new WsClient(`${service.origin}/api/v4/block/${path}`),
    );
    if (heads === undefined || changes === undefined) throw new Error("there are no clients");
    expect(await Promise.all([heads.opened, changes.opened])).toEqual([101, 101]);
    await sendCoins(account("f1"), "0.01", "watched");
    const seqnos = (client: WsClient) => client.received.map(({ seqno }) => Number(seqno));
    const changed = () => changes.received.flatMap((each) => Object.entries(Object(each.changed)));
    const own = account("f1").toString();
    await expect.poll(() => changed().map(([name]) => name), patience).toContain(own);
    await expect.poll(() => seqnos(heads).length, patience).toBeGreaterThan(5);
    heads.close();
    changes.close();
    for (const each of [heads, changes])
      expect(seqnos(each)).toEqual(seqnos(each).map((_, at) => (seqnos(each)[0] ?? 0) + at));
    expect(heads.received[0]).toEqual({ seqno: expect.any(Number), time: expect.any(Number), now: expect.any(Number) });
    const at = changes.received.find((each) => own in Object(each.changed));
    const { shards } = await client.getBlock(Number(at?.seqno));
    const newest = new Map(shards.flatMap(({ transactions }) => transactions).map((each) => [each.account, each]));
    expect(at?.changed).toEqual(Object.fromEntries([...newest].map(([name, { lt, hash }]) => [name, { lt, hash }])));
    expect((await fetch(`${service.origin}/api/v4/block/watch`)).status).toBe(426);
  });

  it("sends from a wallet and waits for a deploy", async () => {
    vi.stubEnv("WALLET_MNEMONIC", service.wallet("v4r2").words.join(" "));
    vi.stubEnv("WALLET_VERSION", "v4r2");
    const never = (message: string) => Promise.reject(new Error(`asked: ${message}`));
    const ui = { write: () => {}, prompt: never, inputAddress: never, input: never, choose: never };
    const provider = await createNetworkProvider(
      { ...ui, setActionPrompt: () => {}, clearActionPrompt: () => {} },
      {
        _: [],
        "--custom": `${service.origin}/api/v4`,
        "--custom-version": "v4",
        "--custom-type": "custom",
        "--mnemonic": true,
      },
    );
    vi.unstubAllEnvs();
    expect(provider.api()).toBeInstanceOf(TonClient4);
    const deployed = WalletContractV4.create({ workchain: 0, publicKey: Buffer.alloc(32, 9) });
    await provider.sender().send({ to: deployed.address, value: toNano("0.2"), init: deployed.init });
    await provider.waitForDeploy(deployed.address, 1_500, 200);
    expect(await provider.isContractDeployed(deployed.address)).toBe(true);
  });
});

async function historyOf(address: Address, limit = 1_000): Promise<readonly string[]> {
  const { last } = (await client.getAccount(await newest(), address)).account;
  if (last === null) return [];
  const hash = Buffer.from(last.hash, "base64");
  const transactions = await client.provider(address).getTransactions(address, BigInt(last.lt), hash, limit);
  return transactions.map((each) => each.hash().toString("hex"));
}

function serialize(items: readonly TupleItem[]): Buffer {
  return serializeTuple([...items]).toBoc({ idx: false, crc32: false });
}
