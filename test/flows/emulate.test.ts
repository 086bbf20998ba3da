import { type KeyPair, mnemonicToPrivateKey } from "@ton/crypto";
import {
  Address,
  beginCell,
  Cell,
  comment,
  external,
  internal,
  SendMode,
  storeMessage,
  type TonClient,
  toNano,
  WalletContractV2R2,
  WalletContractV3R1,
  WalletContractV3R2,
  WalletContractV4,
  WalletContractV5R1,
} from "@ton/ton";
import { Value } from "typebox/value";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emulateTrace } from "../../src/api/emulate/endpoints.ts";
import type { StartedService } from "../kit/app/startedService.ts";
import { startWithWallet } from "../kit/app/walletService.ts";

const patience = { timeout: 500_000, interval: 200 };

type Json = Readonly<Record<string, unknown>>;

let service: StartedService;
let client: TonClient;
let keys: KeyPair;
let wallet: WalletContractV4;

beforeAll(async () => {
  ({ service, client, keys, wallet } = await startWithWallet());
}, 600_000);

afterAll(() => service.close());

const account = (byte: string) => Address.parse(`0:${byte.repeat(32)}`);
const raw = (address: Address) => `${address.workChain}:${address.hash.toString("hex").toUpperCase()}`;

async function post(name: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${service.origin}/api/emulate/v1/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Json, headers: response.headers };
}

/** A successful answer, checked against its schema. */
async function emulated(name: string, body: unknown): Promise<Json> {
  const { status, body: answer } = await post(name, body);
  expect(status, JSON.stringify(answer)).toBe(200);
  expect(Value.Errors(emulateTrace.result.schema, answer)).toEqual([]);
  return answer;
}

function pack(to: Address, body: Cell): string {
  return beginCell()
    .store(storeMessage(external({ to, body })))
    .endCell()
    .toBoc()
    .toString("base64");
}

async function transfer(to: Address, value: string, body: string, secretKey = keys.secretKey): Promise<string> {
  const seqno = await client.open(wallet).getSeqno();
  const messages = [internal({ to, value, bounce: false, body })];
  return pack(
    wallet.address,
    wallet.createTransfer({ seqno, secretKey, messages, sendMode: SendMode.PAY_GAS_SEPARATELY }),
  );
}

/** Transactions without fields that depend on their time and block. */
function timeless(transactions: readonly Json[]): unknown {
  const skipped =
    /^(?:hash|hash_norm|lt|now|mc_block_seqno|trace_id|trace_external_hash|prev_trans_hash|prev_trans_lt|block_ref|emulated|finality|account_state_before|account_state_after|created_lt|created_at|storage_fees_collected|total_fees|in_msg_hash|child_transactions|is_tock|installed|in_msg_tx_hash|out_msg_tx_hash|vm_init_state_hash|vm_final_state_hash|action_list_hash|storage_ph)$/;
  const clean = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(clean);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, inner]) => (skipped.test(name) ? [] : [[name, clean(inner)]])),
    );
  };
  return transactions.toSorted((a, b) => (BigInt(String(a.lt)) < BigInt(String(b.lt)) ? -1 : 1)).map(clean);
}

describe("emulateTrace", () => {
  it("predicts what happens afterwards", async () => {
    const boc = await transfer(account("c1"), "0.5", "as predicted");
    const flags = { with_actions: true, include_address_book: true, include_metadata: true, include_code_data: true };
    const answer = await emulated("emulateTrace", { boc, ignore_chksig: false, mc_block_seqno: null, ...flags });
    const transactions = Object.values(answer.transactions as Record<string, Json>);
    expect(transactions).toHaveLength(2);
    expect(answer.actions).toMatchObject([
      { type: "ton_transfer", trace_id: null, success: true, details: { value: String(toNano("0.5")) } },
    ]);
    for (const each of transactions) {
      expect(each).toMatchObject({
        emulated: true,
        finality: "pending",
        mc_block_seqno: Number(answer.mc_block_seqno) + 1,
      });
      expect(each.trace_external_hash).toBe((answer.trace as Json).in_msg_hash);
    }
    expect(Object.keys(answer.address_book as Json).toSorted()).toEqual(
      [raw(wallet.address), raw(account("c1"))].toSorted(),
    );
    for (const [hash, bag] of Object.entries({ ...(answer.code_cells as Json), ...(answer.data_cells as Json) }))
      expect(Cell.fromBase64(String(bag)).hash().toString("base64")).toBe(hash);
    expect(answer.is_incomplete).toBe(false);
    await client.sendFile(Buffer.from(boc, "base64"));
    const hash = encodeURIComponent(Cell.fromBase64(boc).hash().toString("hex"));
    const landed = async () => {
      const found = (await (
        await fetch(`${service.origin}/api/v3/transactionsByMessage?msg_hash=${hash}`)
      ).json()) as Json;
      const [first] = (found.transactions ?? []) as readonly Json[];
      if (first === undefined) return [];
      const traces = (await (
        await fetch(`${service.origin}/api/v3/traces?trace_id=${encodeURIComponent(String(first.trace_id))}`)
      ).json()) as Json;
      const [trace] = (traces.traces ?? []) as readonly Json[];
      return Object.values((trace?.transactions ?? {}) as Record<string, Json>);
    };
    await expect.poll(async () => (await landed()).length, patience).toBe(2);
    expect(timeless(await landed())).toEqual(timeless(transactions));
  });

  it("checks signatures by default", async () => {
    const boc = await transfer(account("c2"), "0.1", "nobody signed this", Buffer.alloc(64, 1));
    expect(await post("emulateTrace", { boc })).toMatchObject({
      status: 500,
      body: { error: "failed to emulate shard block: EmulationExternalNotAccepted: 35", exit_code: 35 },
    });
    const answer = await emulated("emulateTrace", { boc, ignore_chksig: true });
    expect(Object.keys(answer)).not.toContain("address_book");
    expect(answer.actions).toEqual([]);
  });

  it("uses given accounts, time and seeds", async () => {
    const poor = WalletContractV4.create({ workchain: 0, publicKey: Buffer.alloc(32, 7) });
    const messages = [internal({ to: account("c3"), value: "3", bounce: false })];
    const signed = poor.createTransfer({
      seqno: 0,
      secretKey: keys.secretKey,
      messages,
      timeout: 5_000_000_000 % 2 ** 32,
    });
    const boc = pack(poor.address, signed);
    const override = {
      balance: String(toNano("10")),
      code: poor.init.code.toBoc().toString("base64"),
      data: poor.init.data.toBoc().toString("base64"),
    };
    const request = {
      ...{ boc, ignore_chksig: true, deterministic: true, vm_log: true, now: 700_000_000 },
      state_overrides: { [poor.address.toRawString()]: override },
    };
    const [first, second] = [await emulated("emulateTrace", request), await emulated("emulateTrace", request)];
    const { mc_block_seqno: at } = first;
    expect(await emulated("emulateTrace", { ...request, mc_block_seqno: at })).toEqual(first);
    expect(second.rand_seed === first.rand_seed).toBe(second.mc_block_seqno === at);
    const transactions = Object.values(first.transactions as Record<string, Json>);
    expect(transactions.map(({ now }) => now)).toEqual([700_000_000, 700_000_000]);
    expect(String(transactions.find(({ account: each }) => each === raw(poor.address))?.vm_log)).toContain("execute");
  });

  it("delivers to another shard three blocks later", async () => {
    const masterchain = Address.parse(`-1:${"c5".repeat(32)}`);
    const boc = await transfer(masterchain, "0.1", "to another shard");
    const { mc_block_seqno: seqno, ...answer } = await emulated("emulateTrace", { boc });
    const [first, second] = Object.values(answer.transactions as Record<string, Json>).toSorted((a, b) =>
      BigInt(String(a.lt)) < BigInt(String(b.lt)) ? -1 : 1,
    );
    expect([first?.mc_block_seqno, second?.mc_block_seqno]).toEqual([Number(seqno) + 1, Number(seqno) + 4]);
    expect(BigInt(String(second?.lt)) / 1_000_000n - BigInt(String(first?.lt)) / 1_000_000n).toBe(3n);
    expect(Number(second?.now) - Number(first?.now)).toBe(8);
    expect(second?.block_ref).toEqual({ workchain: -1, shard: "8000000000000000", seqno: Number(seqno) + 4 });
  });

  it("starts with an internal message, by its cell or by its fields", async () => {
    const fields = {
      from: account("c4").toRawString(),
      to: wallet.address.toString(),
      value: String(toNano("2")),
      bounce: false,
    };
    const byFields = await emulated("emulateTrace", { message: fields, deterministic: true });
    const [only] = Object.values(byFields.transactions as Record<string, Json>);
    expect(only).toMatchObject({
      account: raw(wallet.address),
      in_msg: { value: String(toNano("2")), source: raw(account("c4")) },
    });
  });

  it("has new jetton wallets in its metadata", async () => {
    const masters = (await (await fetch(`${service.origin}/api/v3/jetton/masters?limit=1`)).json()) as Json;
    const [master] = masters.jetton_masters as readonly Json[];
    const wallets = (await (
      await fetch(
        `${service.origin}/api/v3/jetton/wallets?limit=20&exclude_zero_balance=true&jetton_address=${String(master?.address)}`,
      )
    ).json()) as Json;
    const known = new Set(service.wallets.map(({ address }) => raw(Address.parse(address))));
    const own = (wallets.jetton_wallets as readonly Json[]).find(({ owner }) => known.has(String(owner)));
    if (own === undefined) throw new Error("no wallet of ours holds the jetton of the demo set");
    const body = beginCell()
      .storeUint(0x0f8a7ea5, 32)
      .storeUint(0, 64)
      .storeCoins(1)
      .storeAddress(account("c9"))
      .storeAddress(Address.parse(String(own.owner)))
      .storeBit(0)
      .storeCoins(1)
      .storeBit(0)
      .endCell();
    const message = {
      address: String(own.address),
      amount: String(toNano("0.2")),
      payload: body.toBoc().toString("base64"),
    };
    const flags = { with_actions: true, include_address_book: true, include_metadata: true, value_flow: true };
    const answer = await emulated("emulateTonConnect", { from: own.owner, messages: [message], ...flags });
    const flows = answer.value_flow as Record<string, Json>;
    const jetton = String(own.jetton);
    expect(flows[String(own.owner)]).toMatchObject({ coins_out: String(toNano("0.2")), jettons: { [jetton]: "-1" } });
    expect(flows[raw(account("c9"))]).toMatchObject({ coins_out: "0", jettons: { [jetton]: "1" } });
    // Coins that leave one account enter another; the missing rest was paid in fees.
    const sum = (name: string) => Object.values(flows).reduce((all, flow) => all + BigInt(String(flow[name])), 0n);
    expect(sum("coins_in")).toBe(sum("coins_out"));
    expect(sum("fees")).toBeGreaterThan(0n);
    const transfer = (answer.actions as readonly Json[]).find(({ type }) => type === "jetton_transfer");
    expect(transfer).toMatchObject({ details: { amount: "1", receiver: raw(account("c9")) } });
    const details = transfer?.details as Json;
    const metadata = answer.metadata as Record<string, Json>;
    expect(metadata[String(details.receiver_jetton_wallet)]).toMatchObject({
      token_info: [{ type: "jetton_wallets", extra: { owner: raw(account("c9")), jetton: own.jetton, balance: "1" } }],
    });
    expect(metadata[String(own.jetton)]).toMatchObject({ token_info: [{ type: "jetton_masters" }] });
  });
});

describe("emulateTonConnect", () => {
  const until = 2_000_000_000;

  it.each(["v2r2", "v3r1", "v3r2", "v4r2", "v5r1"])(
    "makes the same message as @ton/ton for a wallet %s",
    async (version) => {
      const printedWallet = service.wallet(version);
      const { publicKey } = await mnemonicToPrivateKey([...printedWallet.words]);
      const info = (await (await fetch(`${service.origin}/api/v3/masterchainInfo`)).json()) as {
        last: { global_id: number };
      };
      const walletId = { networkGlobalId: info.last.global_id };
      const make = {
        v2r2: () => WalletContractV2R2.create({ workchain: 0, publicKey }),
        v3r1: () => WalletContractV3R1.create({ workchain: 0, publicKey }),
        v3r2: () => WalletContractV3R2.create({ workchain: 0, publicKey }),
        v4r2: () => WalletContractV4.create({ workchain: 0, publicKey }),
        v5r1: () => WalletContractV5R1.create({ workchain: 0, publicKey, walletId }),
      }[version];
      const contract = make?.();
      if (contract === undefined) throw new Error("no such wallet");
      const from = Address.parse(printedWallet.address);
      // Too long to fit inline, so that both put it into a reference.
      const body = comment("twice the same ".repeat(7));
      expect(contract.address.equals(from)).toBe(true);
      const seqno = await client.open(contract).getSeqno();
      const messages = [internal({ to: account("d1"), value: "0.3", bounce: false, body })];
      const order = { seqno, secretKey: Buffer.alloc(64, 1), timeout: until, sendMode: 3, messages };
      // Each class has its own argument type; these values fit all of them.
      const create = contract.createTransfer.bind(contract) as (given: typeof order) => Cell;
      const signed = create(order);
      const rules = { deterministic: true, ignore_chksig: true };
      const message = {
        address: account("d1").toString({ bounceable: false }),
        amount: String(toNano("0.3")),
        payload: body.toBoc().toString("base64"),
      };
      const ours = await emulated("emulateTonConnect", {
        from: printedWallet.address,
        messages: [message],
        valid_until: until * 1_000,
      });
      const theirs = await emulated("emulateTrace", {
        boc: pack(from, signed),
        ...rules,
        mc_block_seqno: ours.mc_block_seqno,
      });
      const list = (answer: Json) =>
        timeless(Object.values(answer.transactions as Record<string, Json>)) as readonly Json[];
      const quiet = (each: Json) => ({ ...each, in_msg: undefined });
      expect(list(ours).map(quiet)).toEqual(list(theirs).map(quiet));
      expect(list(ours)).toHaveLength(2);
    },
  );
});

describe("refusals", () => {
  const message = { address: `0:${"d1".repeat(32)}`, amount: "1" };
  const connect = (body: Json) => post("emulateTonConnect", { from: service.wallet("v4r2").address, ...body });

  it("have the texts of the contract", async () => {
    const cases: readonly (readonly [Promise<{ status: number; body: Json }>, number, string | RegExp])[] = [
      [post("emulateTrace", "{"), 400, /^invalid request: /],
      [post("emulateTrace", {}), 400, "invalid request: boc is required"],
      [
        post("emulateTrace", { boc: "te6ccg*" }),
        400,
        "invalid request: invalid boc: illegal base64 data at input byte 6",
      ],
      [post("emulateTrace", { boc: "AAAA" }), 500, /^Can't deserialize message boc: /],
      [post("emulateTonConnect", {}), 400, "invalid request: from address is required for emulation"],
      [connect({ from: {} }), 400, "invalid request: from must be a string"],
      [connect({}), 400, "invalid request: messages array cannot be empty"],
      [
        connect({ messages: [1, 2, 3, 4, 5] }),
        400,
        "invalid request: messages array cannot contain more than 4 messages",
      ],
      [connect({ messages: [{}] }), 400, "invalid request: message at index 0 cannot be empty"],
      [
        connect({ messages: [{ address: message.address }] }),
        400,
        "invalid request: amount in message at index 0 cannot be empty",
      ],
      [
        connect({ messages: [message, { ...message, amount: "x" }] }),
        400,
        /^invalid request: invalid amount in message at index 1: /,
      ],
      [
        connect({ messages: [{ ...message, payload: "AAAA" }] }),
        400,
        /^invalid request: invalid message payload at index 0: /,
      ],
      [
        connect({ messages: [{ ...message, stateInit: "AAAA" }] }),
        400,
        /^invalid request: invalid message stateInit at index 0: /,
      ],
      [post("emulateTonConnect", { from: "nowhere", messages: [message] }), 500, "Invalid address format: nowhere"],
      [
        post("emulateTonConnect", { from: `0:${"ab".repeat(32)}`, messages: [message] }),
        500,
        "Account state no code or no data",
      ],
      [
        post("emulateTonConnect", { from: `-1:${"33".repeat(32)}`, messages: [message] }),
        500,
        "Account is not a known wallet",
      ],
      [connect({ messages: [message], mc_block_seqno: 4_000_000 }), 500, "mc block seqno is too new"],
    ];
    for (const [asked, status, text] of cases) {
      const { status: answered, body } = await asked;
      expect([answered, Object.keys(body)]).toEqual([status, ["error"]]);
      expect(body.error).toEqual(typeof text === "string" ? text : expect.stringMatching(text));
    }
  });

  it("shows only action types that the caller supports", async () => {
    const body = { from: service.wallet("v4r2").address, messages: [message], with_actions: true };
    const { body: answer, headers } = await post("emulateTonConnect", body, { "x-actions-version": "v1" });
    expect((answer.actions as readonly Json[]).map(({ type }) => type)).toEqual(["ton_transfer"]);
    expect(headers.get("server-timing")).toMatch(/^app;dur=/);
    const limits = await fetch(`${service.origin}/api/emulate/v1/limits`);
    expect(await limits.json()).toMatchObject({ transactions: 256, depth: 32, messages: 4 });
  });
});
