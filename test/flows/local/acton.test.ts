import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import { writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { cell, storeCell } from "../../../src/cell/codec.ts";
import { makeDictionary } from "../../../src/cell/dictionary.ts";
import { intKey } from "../../../src/cell/keys.ts";
import { makeLinked } from "../../../src/cell/linked.ts";
import { toBase64 } from "../../../src/lib/bytes.ts";
import { Account, ShardAccount } from "../../../src/model/Account.ts";
import { type Address, makeAddress } from "../../../src/model/Address.ts";
import { coinsOnly } from "../../../src/model/Currency.ts";
import { zeroHash } from "../../../src/model/Hash.ts";
import { Message } from "../../../src/model/Message.ts";
import { type StartedService, startService } from "../../kit/app/startedService.ts";

const flags = ["--no-index", "--block-ms", "200", "--demo", "off"];

let service: StartedService;
beforeAll(async () => {
  service = await startService({ flags });
});
afterAll(() => service.close());

const target = `0:${"ab".repeat(32)}`;

async function send(path: string, body: object, headers: Readonly<Record<string, string>> = {}) {
  const request = {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  };
  const response = await fetch(`${service.origin}/acton_${path}`, request);
  return { status: response.status, body: Object(await response.json()) };
}

async function post(path: string, body: object): Promise<unknown> {
  const answer = await send(path, body);
  expect([path, answer]).toMatchObject([path, { status: 200, body: { ok: true } }]);
  return answer.body.result;
}

async function state() {
  const url = `${service.origin}/api/v2/getAddressInformation?address=${target}`;
  const { result } = Object(await (await fetch(url)).json());
  return [result.state, result.balance, result.frozen_hash];
}

async function balance(address: string): Promise<string> {
  const response = await fetch(`${service.origin}/api/v2/getAddressBalance?address=${address}`);
  return Object(await response.json()).result;
}

/** An account without code, as a `ShardAccount`. */
function makeShardAccount(address: Address, coins: bigint): Cell {
  const storageInfo = { used: { cells: 1, bits: 1 }, extra: { kind: "none" }, lastPaid: 0, duePayment: undefined };
  const storage = { lastTransactionLt: 0n, balance: coinsOnly(coins), state: { kind: "uninit" } };
  const account = { kind: "account", address, storageInfo, storage } as const;
  const linked = makeLinked(Account, account as Account);
  return storeCell(ShardAccount, { account: linked, lastTransactionHash: zeroHash, lastTransactionLt: 0n });
}

describe("the paths of Acton", () => {
  it("write accounts", async () => {
    expect(
      await post("changeAccountState", { address: target, state: { type: "uninit", balance: "5000" } }),
    ).toBeNull();
    expect(await state()).toEqual(["uninitialized", "5000", ""]);
    const frozen = { type: "frozen", frozen_hash: "cd".repeat(32), balance: "7000" };
    expect(await post("changeAccountState", { address: target, state: frozen })).toBeNull();
    const hash = Buffer.from("cd".repeat(32), "hex").toString("base64");
    expect(await state()).toEqual(["frozen", "7000", hash]);
    expect(await post("changeAccountState", { address: target, state: { type: "nonexist" } })).toBeNull();
    expect(await state()).toEqual(["uninitialized", "0", ""]);
    const boc = toBase64(writeBoc(makeShardAccount(makeAddress(0, "ab".repeat(32)), 9_000n)));
    expect(await post("setShardAccount", { address: target, shard_account: boc })).toBeNull();
    expect((await state())[1]).toBe("9000");
    const wrong = await send("changeAccountState", { address: target, state: { type: "frozen", source: "current" } });
    expect(wrong).toMatchObject({ status: 422, body: { ok: false } });
  });

  it("send and fund", async () => {
    await post("changeAccountState", { address: target, state: { type: "nonexist" } });
    const info = {
      kind: "internal" as const,
      ihrDisabled: true,
      bounce: false,
      bounced: false,
      src: makeAddress(0, "11".repeat(32)),
      dest: makeAddress(0, "ab".repeat(32)),
      value: coinsOnly(3_000_000_000n),
      extraFlags: 0n,
      fwdFee: 0n,
      createdLt: 0n,
      createdAt: 0,
    };
    const message = { info, init: undefined, body: emptyCell, initPlace: "inline", bodyPlace: "inline" } as const;
    const boc = toBase64(writeBoc(storeCell(Message, message)));
    expect(await post("sendInternalMessage", { boc })).toEqual({ hash: expect.any(String) });
    expect(await state()).toEqual(["uninitialized", "3000000000", ""]);
    const funded = await post("fundAccount", { address: target, amount: 2_000_000_000 });
    expect(funded).toEqual({ hash: expect.any(String) });
    const coins = async () => Math.round(Number((await state())[1]) / 1_000_000_000);
    await expect.poll(coins, { timeout: 300_000 }).toBe(5);
  });

  it("make blocks, set their time and pace, and the conditions", async () => {
    expect(await post("setMiningMode", { skip_empty_blocks: true })).toEqual({ skip_empty_blocks: true });
    const first = Object(await post("mine", {}));
    const last = first.last_block_seqno;
    expect(first).toEqual({ blocks_mined: 1, last_block_seqno: expect.any(Number) });
    expect(await post("mine", { blocks: 3 })).toEqual({ blocks_mined: 3, last_block_seqno: last + 3 });
    const clock = Object(await post("increaseTime", { seconds: 100 }));
    const { current_unix_time: now, time_offset_seconds: offset } = clock;
    expect([offset >= 99, clock.next_block_timestamp]).toEqual([true, null]);
    const set = { current_unix_time: now + 50, time_offset_seconds: expect.any(Number), next_block_timestamp: null };
    expect(await post("setTime", { timestamp: now + 50 })).toEqual(set);
    const next = { ...set, current_unix_time: now + 90, next_block_timestamp: now + 90 };
    expect(await post("setNextBlockTimestamp", { timestamp: now + 90 })).toEqual(next);
    expect((await send("setTime", { timestamp: now })).status).toBe(422);
    expect(await post("setNetworkConditions", { response_delay_ms: 2 })).toEqual({ response_delay_ms: 2 });
    expect(await post("setNetworkConditions", { response_delay_ms: 0 })).toEqual({ response_delay_ms: 0 });
  });

  it("set a configuration, but not its validators", async () => {
    const value = beginCell().storeUint(5, 32).cell();
    const params = makeDictionary(intKey(32), cell, [
      [100, value],
      [34, value],
    ]);
    const config = toBase64(writeBoc(params.root ?? emptyCell));
    expect(await post("setConfig", { config })).toBeNull();
    const read = async (id: number) => {
      const response = await fetch(`${service.origin}/api/v2/getConfigParam?config_id=${id}`);
      return Buffer.from(Object(await response.json()).result.config.bytes, "base64").length;
    };
    expect([(await read(100)) < 30, (await read(34)) > 50]).toEqual([true, true]);
  });

  it("keep checkpoints", async () => {
    const made = { name: "one", block_seqno: expect.any(Number) };
    expect(await post("createCheckpoint", { name: "one" })).toEqual(made);
    expect((await send("createCheckpoint", { name: "one" })).status).toBe(422);
    expect(await post("createCheckpoint", { name: "one", force: true })).toEqual(made);
    const listed = await fetch(`${service.origin}/acton_listCheckpoints`);
    expect(Object(await listed.json()).result).toEqual([made]);
    await post("changeAccountState", { address: target, state: { type: "nonexist" } });
    expect(await post("restoreCheckpoint", { name: "one" })).toEqual(made);
    expect((await state())[1]).not.toBe("0");
    expect(await post("deleteCheckpoint", { name: "one" })).toEqual(made);
    await post("createCheckpoint", { name: "two" });
    expect(await post("clearCheckpoints", {})).toEqual({ deleted: 1 });
  });

  it("give the state as a file, and load it: other accounts are gone then", async () => {
    const other = `0:${"ac".repeat(32)}`;
    await post("changeAccountState", { address: target, state: { type: "uninit", balance: "5000" } });
    const dumped = await fetch(`${service.origin}/acton_dumpState`);
    const file = Object(await dumped.json());
    expect(file).toEqual({ version: 1, accounts: expect.any(Array) });
    const wallets = service.wallets.map(({ address }) => address);
    const before = await Promise.all(wallets.map(balance));
    await post("changeAccountState", { address: target, state: { type: "uninit", balance: "7000" } });
    await post("changeAccountState", { address: other, state: { type: "uninit", balance: "9000" } });
    expect(await Promise.all([target, other].map(balance))).toEqual(["7000", "9000"]);
    expect(await post("loadState", file)).toBeNull();
    expect(await Promise.all([target, other].map(balance))).toEqual(["5000", "0"]);
    expect(await Promise.all(wallets.map(balance))).toEqual(before);
    expect(await send("loadState", { accounts: ["AA=="] })).toMatchObject({ status: 422, body: { ok: false } });
  });

  it("load the accounts of a state that Acton wrote, and leave others as they are", async () => {
    const address = makeAddress(0, "ad".repeat(32));
    const written = makeShardAccount(address, 8_000n);
    const missing = "00".repeat(32);
    const before = await balance(target);
    const file = {
      globals: { head_seqno: 4, config_boc_hash: missing },
      history_blocks: [],
      latest_accounts: [
        [address, { account_hash: written.hash(), status: "uninit", balance: 8_000 }],
        [target, { account_hash: missing, status: "active", balance: 1 }],
      ],
      cas_entries: [[written.hash(), toBase64(writeBoc(written))]],
    };
    expect(await post("loadState", file)).toBeNull();
    expect(await balance(address)).toBe("8000");
    expect(await balance(target)).toBe(before);
    const wrong = { ...file, cas_entries: [[written.hash(), "AA=="]] };
    expect(await send("loadState", wrong)).toMatchObject({ status: 422, body: { ok: false } });
    expect(await send("loadState", { latest_accounts: [5] })).toMatchObject({ status: 422, body: { ok: false } });
  });

  it("give a checkpoint as a file, and take it under another name", async () => {
    // A chain of few blocks: a document of more than 1 MB is refused.
    await service.close();
    service = await startService({ flags });
    await post("setMiningMode", { skip_empty_blocks: true });
    await post("changeAccountState", { address: target, state: { type: "uninit", balance: "5000" } });
    const made = await post("createCheckpoint", { name: "kept" });
    const exported = await fetch(`${service.origin}/acton_exportCheckpoint?name=kept`);
    const file = Object(await exported.json());
    const [seqno, whole] = [Object(made).block_seqno, expect.any(Number)];
    const form = { version: 1, block_seqno: seqno, gen_utime: whole, made_at: whole, chain: expect.any(String) };
    expect(file).toEqual(form);
    const copy = { name: "copy", block_seqno: seqno };
    expect(await post("importCheckpoint?name=copy&force=false", file)).toEqual(copy);
    expect((await send("importCheckpoint?name=copy&force=false", file)).status).toBe(422);
    expect(await post("importCheckpoint?name=copy&force=true", file)).toEqual(copy);
    await post("changeAccountState", { address: target, state: { type: "uninit", balance: "1" } });
    expect(await post("restoreCheckpoint", { name: "copy" })).toEqual(copy);
    expect(await balance(target)).toBe("5000");
    const wrong = { ...file, chain: "AAAA" };
    expect(await post("importCheckpoint?name=wrong", wrong)).toEqual({ name: "wrong", block_seqno: seqno });
    expect(await send("restoreCheckpoint", { name: "wrong" })).toMatchObject({ status: 422, body: { ok: false } });
    expect(await balance(target)).toBe("5000");
    expect(await post("clearCheckpoints", {})).toEqual({ deleted: 3 });
  });

  it("are refused for pages of other sites, as the controls that they name", async () => {
    const refused = await send("mine", {}, { origin: "https://example.com" });
    expect(refused).toMatchObject({ status: 403, body: { ok: false } });
    // A copy of the chain has its keys.
    await post("createCheckpoint", { name: "mine" });
    for (const path of ["dumpState", "exportCheckpoint?name=mine"]) {
      const ask = (headers: Readonly<Record<string, string>>) => fetch(`${service.origin}/acton_${path}`, { headers });
      expect([path, (await ask({ origin: "https://example.com" })).status]).toEqual([path, 403]);
      expect([path, (await ask({})).status]).toEqual([path, 200]);
    }
  });
});
