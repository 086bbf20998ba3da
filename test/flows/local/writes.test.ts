import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mnemonicToPrivateKey } from "@ton/crypto";
import { internal, SendMode, TonClient, toNano, WalletContractV5R1 } from "@ton/ton";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocalClient } from "../../../src/api/client/localClient.ts";
import { control } from "../../../src/app/commands/control.ts";
import { beginCell } from "../../../src/cell/Builder.ts";
import { readRoot, writeBoc } from "../../../src/cell/boc.ts";
import { storeCell } from "../../../src/cell/codec.ts";
import { toBase64 } from "../../../src/lib/bytes.ts";
import { localGlobalId } from "../../../src/localnet/genesis/genesisConfig.ts";
import { Account } from "../../../src/model/Account.ts";
import { configParam } from "../../../src/model/config/ConfigParams.ts";
import { type StartedService, startService } from "../../kit/app/startedService.ts";
import { recordTerminal } from "../../kit/suite/recordTerminal.ts";

type Json = Readonly<Record<string, unknown>>;

let service: StartedService;
beforeAll(async () => {
  service = await startService({ flags: ["--block-ms", "200", "--demo", "off"] });
});
afterAll(() => service.close());

const target = `0:${"AB".repeat(32)}`;

async function post(name: string, body: object, headers: Readonly<Record<string, string>> = {}) {
  const request = { method: "POST", body: JSON.stringify(body), headers };
  const response = await fetch(`${service.origin}/localnet/${name}`, request);
  return { status: response.status, body: Object(await response.json()) };
}

async function done(name: string, body: object): Promise<Json> {
  const answer = await post(name, body);
  expect([name, answer]).toMatchObject([name, { status: 200, body: { ok: true } }]);
  return answer.body.result;
}

async function ask(path: string) {
  return Object(await (await fetch(`${service.origin}${path}`)).json());
}

const bag = (value: number) => toBase64(writeBoc(beginCell().storeUint(value, 32).cell()));
const sent = {
  "@type": "localnet.control",
  message_hash: expect.any(String),
  status: "sent",
  mc_seqno: expect.any(Number),
};

/** Whole coins: storage fees are a few nanocoins. */
const coins = (nanocoins: unknown) => Math.round(Number(nanocoins) / 100_000_000) / 10;

/** A bag of cells in one form. */
const plain = (text: unknown) =>
  typeof text === "string" && text !== "" ? toBase64(writeBoc(readRoot(Buffer.from(text, "base64")))) : "";

/** What v2 and v3 say of the account, when the index has the block. */
async function read(seqno: unknown) {
  const indexed = async () => (await ask("/api/v3/masterchainInfo")).last?.seqno ?? 0;
  await expect.poll(indexed, { timeout: 300_000 }).toBeGreaterThanOrEqual(Number(seqno));
  const { result } = await ask(`/api/v2/getAddressInformation?address=${target}`);
  const { accounts } = await ask(`/api/v3/accountStates?address=${target}&include_boc=true`);
  const [{ balance, status, code_boc: code, data_boc: data }] = accounts;
  return [
    [coins(result.balance), result.state, plain(result.code), plain(result.data)],
    [coins(balance), status, plain(code), plain(data)],
  ];
}

/** The one indexed transaction of a message. */
async function transactionOf(hash: unknown) {
  const path = `/api/v3/transactionsByMessage?msg_hash=${encodeURIComponent(String(hash))}&direction=in`;
  await expect.poll(async () => (await ask(path)).transactions?.length, { timeout: 300_000 }).toBe(1);
  return (await ask(path)).transactions[0];
}

describe("controls of a served network", () => {
  it("write balance, code and data, as v2 and v3 report them", async () => {
    const written = [
      await done("setBalance", { address: target, balance: "7.5" }),
      await done("setCode", { address: target, code: bag(1) }),
      await done("setData", { address: target, data: bag(2) }),
    ];
    expect(written).toEqual([sent, sent, sent]);
    const expected = [7.5, "active", bag(1), bag(2)];
    expect(await read(written[2]?.mc_seqno)).toEqual([expected, expected]);
    const transaction = await transactionOf(written[0]?.message_hash);
    expect(transaction).toMatchObject({
      account: target,
      total_fees: "0",
      orig_status: "nonexist",
      end_status: "uninit",
      description: { type: "ord", aborted: false, compute_ph: { skipped: true, reason: "no_state" } },
      in_msg: { source: null, destination: target, opcode: "0x73657401" },
      out_msgs: [],
    });
    const { traces } = await ask(`/api/v3/traces?tx_hash=${encodeURIComponent(transaction.hash)}`);
    expect(traces).toMatchObject([{ is_incomplete: false, trace: { tx_hash: transaction.hash, children: [] } }]);
  });

  it("write whole states and accounts", async () => {
    const frozen = { address: target, status: "frozen", frozen_hash: "cd".repeat(32) };
    const { mc_seqno: seqno } = await done("setState", frozen);
    const expected = [7.5, "frozen", "", ""];
    expect(await read(seqno)).toEqual([expected, expected]);
    const none = toBase64(writeBoc(storeCell(Account, { kind: "none" })));
    const removed = await done("setAccount", { address: target, account: none });
    expect((await read(removed.mc_seqno))[0]).toEqual([0, "uninitialized", "", ""]);
    expect(await post("setState", { address: target, status: "active" })).toMatchObject({
      status: 422,
      body: { ok: false, error: "an active account needs state_init" },
    });
    expect(await post("setAccount", { address: target, account: bag(3) })).toMatchObject({ status: 422 });
  });

  it("send in the name of others, as the root of a trace", async () => {
    const from = `-1:${"99".repeat(32)}`;
    const given = await done("sendAs", { from, to: target, value: 3, bounce: false, body: bag(5) });
    expect(given).toEqual(sent);
    const transaction = await transactionOf(given.message_hash);
    expect(transaction).toMatchObject({
      account: target,
      in_msg: { source: from, destination: target, value: "3000000000", opcode: "0x00000005" },
    });
    const { traces } = await ask(`/api/v3/traces?tx_hash=${encodeURIComponent(transaction.hash)}`);
    expect(traces).toMatchObject([{ is_incomplete: false, trace_info: { trace_state: "complete" } }]);
  });

  it("accept messages without the key of an impersonated account", async () => {
    const { publicKey } = await mnemonicToPrivateKey([...service.wallet("v5r1").words]);
    const { secretKey } = await mnemonicToPrivateKey([...service.wallet("v4r2").words]);
    const client = new TonClient({ endpoint: `${service.origin}/api/v2/jsonRPC`, timeout: 300_000 });
    const wallet = client.open(WalletContractV5R1.create({ publicKey, walletId: { networkGlobalId: localGlobalId } }));
    const address = wallet.address.toRawString();
    const balance = async () => coins((await ask(`/api/v2/getAddressBalance?address=${target}`)).result);
    const before = await balance();
    const forge = async () => {
      const messages = [internal({ to: target, value: toNano("2"), bounce: false })];
      const seqno = await wallet.getSeqno();
      await wallet.sendTransfer({ seqno, secretKey, messages, sendMode: SendMode.PAY_GAS_SEPARATELY });
    };
    await expect(forge()).rejects.toThrow();
    expect(await done("impersonate", { address })).toEqual([address]);
    await forge();
    await expect.poll(balance, { timeout: 300_000 }).toBe(before + 2);
    expect(await done("stopImpersonating", { address })).toEqual([]);
    await expect(forge()).rejects.toThrow();
  });

  it("set a parameter of the configuration", async () => {
    const fees = storeCell(configParam[14], { masterchainBlockFee: 5n, basechainBlockFee: 7n });
    const value = toBase64(writeBoc(fees));
    expect(await done("setConfig", { param: 14, value })).toEqual(sent);
    const { result } = await ask("/api/v2/getConfigParam?config_id=14");
    expect(plain(result.config.bytes)).toBe(value);
    expect(await post("setConfig", { param: 34, value })).toMatchObject({ status: 422 });
  });

  it("decide when blocks are made, and with which time", async () => {
    const seqno = async () => (await ask("/api/v2/getMasterchainInfo")).result.last.seqno;
    const pace = (mode: string, ms: number | null) => ({ "@type": "localnet.pace", mode, block_ms: ms });
    expect(await done("automaticBlocks", { mode: "manual" })).toEqual(pace("manual", null));
    const { mc_seqno: first } = await done("block", {});
    const waiting = await post("setBalance", { address: target, balance: 1 });
    expect(waiting.body.result).toEqual({ ...sent, status: "pending", mc_seqno: null });
    const { message_hash: hash } = waiting.body.result;
    const listed = (await ask("/localnet/mempool")).result;
    expect(listed).toEqual([{ hash, destination: target.toLowerCase(), is_control: true, boc: expect.any(String) }]);
    expect(await done("drop", { hash })).toEqual({ "@type": "localnet.dropped", dropped: true });
    expect(await done("drop", { hash })).toEqual({ "@type": "localnet.dropped", dropped: false });
    expect(await seqno()).toBe(first);
    expect(await done("automaticBlocks", { mode: "message" })).toEqual(pace("message", null));
    expect(await done("setBalance", { address: target, balance: 1 })).toEqual({ ...sent, mc_seqno: Number(first) + 1 });
    const { now } = await done("freezeTime", { frozen: true });
    expect(await done("setTime", { time: Number(now) + 10 })).toMatchObject({ now: Number(now) + 10 });
    expect(await done("block", {})).toMatchObject({ gen_utime: Number(now) + 10 });
    expect(await done("block", {})).toMatchObject({ gen_utime: Number(now) + 10 });
    expect(await post("setTime", { time: Number(now) })).toMatchObject({ status: 422 });
    await done("freezeTime", { frozen: false });
    expect(await done("blockTime", { block_ms: 250 })).toEqual(pace("interval", 250));
    const last = await seqno();
    await expect.poll(seqno, { timeout: 300_000 }).toBeGreaterThan(last + 2);
  });

  it("are used by the command and by the client", async () => {
    const { port } = new URL(service.origin);
    const run = async (...words: string[]) => {
      const terminal = recordTerminal();
      await control.run(terminal, [...words, "--port", port]);
      return terminal.written();
    };
    const local = createLocalClient(`${service.origin}/localnet`);
    expect(await local.setBalance({ address: target, balance: "2" })).toEqual(sent);
    expect(await local.impersonated()).toEqual([]);
    await expect(local.setTime({ time: 1 })).rejects.toMatchObject({ code: "api/refused", data: { status: 422 } });
    const listed = await run();
    expect(listed).toContain("setBalance address=… balance=…\n  Sets the balance of an account.\n");
    expect(listed).toContain("setConfig param=… [value=…]\n");
    const written = await run("setBalance", `address=${target}`, "balance=4");
    expect(written).toMatch(/^message_hash: \S+\nstatus: sent\nmc_seqno: \d+\n$/);
    expect(coins((await ask(`/api/v2/getAddressBalance?address=${target}`)).result)).toBe(4);
    expect(await run("impersonated")).toBe("none\n");
    await expect(run("setBalanc")).rejects.toThrow(/unknown control "setBalanc".*setBalance/);
    await expect(run("setBalance", "coins=4")).rejects.toThrow('setBalance takes address=… balance=…, not "coins=4"');
    const file = join(mkdtempSync(join(tmpdir(), "tongate-control-")), "data.boc");
    writeFileSync(file, Buffer.from(bag(9), "base64"));
    await run("setData", `address=${target}`, `data=@${file}`);
    expect(plain((await ask(`/api/v2/getAddressInformation?address=${target}`)).result.data)).toBe(bag(9));
  });

  it("make a network bad, and good again", async () => {
    const conditions = { delay_ms: 0, refuse: 0, drop: 0, lose_messages: 0 };
    const answer = (wanted: object) => ({ "@type": "localnet.conditions", ...conditions, ...wanted });
    const headers = { "content-type": "application/json" };
    const from = service.wallet("v4r2").address;
    const call = async () => {
      const body = JSON.stringify({ address: from, method: "seqno", stack: [] });
      return (await fetch(`${service.origin}/api/v2/runGetMethod`, { method: "POST", headers, body })).status;
    };
    expect(await call()).toBe(200);
    expect(await done("networkConditions", { refuse: 100 })).toEqual(answer({ refuse: 100 }));
    await done("block", {});
    expect(await call()).toBeGreaterThanOrEqual(500);
    const lossy = await done("networkConditions", { lose_messages: 100, delay_ms: 1 });
    expect(lossy).toEqual(answer({ lose_messages: 100, delay_ms: 1 }));
    const to = service.wallet("v3r2").address;
    const { boc } = await done("signTransfer", { from, to, amount: "1" });
    const body = JSON.stringify({ boc });
    expect((await fetch(`${service.origin}/api/v2/sendBoc`, { method: "POST", headers, body })).status).toBe(200);
    expect((await ask("/localnet/mempool")).result).toEqual([]);
    expect(await done("networkConditions", {})).toEqual(answer({}));
    await done("block", {});
    expect(await call()).toBe(200);
  });

  it("dump accounts and load them again, all or none", async () => {
    const other = `0:${"CD".repeat(32)}`;
    await done("setBalance", { address: target, balance: 3 });
    const dump = await done("dump", { addresses: [target, other] });
    expect(dump).toEqual({ "@type": "localnet.accounts", accounts: [expect.any(String)], count: 1 });
    await done("setBalance", { address: target, balance: 1 });
    const { accounts } = dump;
    expect(await done("load", { accounts })).toEqual([sent]);
    const state = await ask(`/api/v2/getAddressInformation?address=${target}`);
    expect([coins(state.result.balance), plain(state.result.data)]).toEqual([3, bag(9)]);
    const none = toBase64(writeBoc(storeCell(Account, { kind: "none" })));
    const refused = await post("load", { accounts: [...(accounts as readonly string[]), none] });
    expect(refused).toMatchObject({ status: 422, body: { error: "an account without address" } });
    expect((await ask("/localnet/mempool")).result).toEqual([]);
  });

  it("are refused for pages of other sites, whatever they want", async () => {
    const foreign = { origin: "https://example.com" };
    const { paths } = await ask("/localnet/openapi.json");
    const posted = Object.keys(paths).filter((path) => "post" in paths[path]);
    expect(posted.length).toBeGreaterThan(15);
    for (const path of posted) expect([path, (await post(path.slice(1), {}, foreign)).status]).toEqual([path, 403]);
  });

  it("leave an index without differences", async () => {
    const response = await fetch(`${service.origin}/index/verify?sample=40`, { method: "POST" });
    const { differences, lines } = Object(await response.json());
    expect([differences, lines]).toEqual([0, expect.any(Array)]);
  });

  it("go back to the beginning, where nothing is written", async () => {
    expect(await done("reset", {})).toEqual({ "@type": "localnet.restored", mc_seqno: 0 });
    const { result } = await ask(`/api/v2/getAddressInformation?address=${target}`);
    expect([result.balance, result.state]).toEqual(["0", "uninitialized"]);
    const { result: config } = await ask("/api/v2/getConfigParam?config_id=14");
    const first = storeCell(configParam[14], { masterchainBlockFee: 5n, basechainBlockFee: 7n });
    expect(plain(config.config.bytes)).not.toBe(toBase64(writeBoc(first)));
    expect(await done("setBalance", { address: target, balance: 6 })).toEqual(sent);
    const indexed = async () => (await ask(`/api/v3/accountStates?address=${target}`)).accounts?.[0]?.balance;
    await expect.poll(indexed, { timeout: 300_000 }).toBe("6000000000");
  });
});
