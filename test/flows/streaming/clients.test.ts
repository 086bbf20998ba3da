import type { KeyPair } from "@ton/crypto";
import {
  Address,
  beginCell,
  type Cell,
  external,
  internal,
  SendMode,
  storeMessage,
  type TonClient,
  toNano,
  type WalletContractV4,
} from "@ton/ton";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { StreamJson } from "../../kit/api/stream/streamClients.ts";
import {
  CountingWalletClient,
  LibraryClient,
  MessengerClient,
  PaymentsClient,
  type WalletClient,
  WalletKitClient,
} from "../../kit/api/stream/walletClients.ts";
import type { StartedService } from "../../kit/app/startedService.ts";
import { startWithWallet } from "../../kit/app/walletService.ts";

const patience = { timeout: 120_000, interval: 50 };

let service: StartedService;
let base: string;
let client: TonClient;
let keys: KeyPair;
let wallet: WalletContractV4;

beforeAll(async () => {
  ({ service, client, keys, wallet } = await startWithWallet());
  base = `${service.origin}/api/streaming/v2`;
  const health = async () => (await fetch(`${service.origin}/api/streaming/healthz`)).status;
  await vi.waitFor(async () => expect(await health()).toBe(200), patience);
}, 600_000);

afterAll(() => service.close());

const account = (byte: string) => Address.parse(`0:${byte.repeat(32)}`);
const raw = (address: Address) => `${address.workChain}:${address.hash.toString("hex").toUpperCase()}`;

/** Everything that one trace can say, to a client whose messages are declared. */
const everything = (addresses: readonly string[]) => ({
  types: ["transactions", "actions", "account_state_change", "jettons_change"],
  ...{ addresses, min_finality: "pending", include_address_book: true, include_metadata: true },
});

async function openAll(addresses: readonly string[]) {
  const clients = {
    kit: new WalletKitClient(base, addresses),
    counting: new CountingWalletClient(base, addresses),
    messenger: new MessengerClient(base, addresses),
    library: new LibraryClient(base, everything(addresses)),
    payments: new PaymentsClient(base, addresses),
  };
  const ready: string[] = [];
  for (const [name, each] of Object.entries(clients)) void each.ready.then(() => ready.push(name));
  await expect.poll(() => ready.toSorted(), patience).toEqual(Object.keys(clients).toSorted());
  return clients;
}

/** What a client took, each kind once, in the order in which it first came. */
const kinds = ({ taken }: WalletClient) => [...new Set(taken.map(({ type, finality }) => `${type} ${finality}`))];
const close = (clients: Readonly<Record<string, WalletClient>>) => {
  for (const each of Object.values(clients)) {
    each.close();
    expect(each.faults).toEqual([]);
  }
};

async function send(to: Address, value: string, body?: Cell, bounce = false): Promise<void> {
  const opened = client.open(wallet);
  const seqno = await opened.getSeqno();
  const messages = [internal({ to, value, bounce, ...(body && { body }) })];
  const sendMode = SendMode.PAY_GAS_SEPARATELY;
  const signed = wallet.createTransfer({ seqno, secretKey: keys.secretKey, messages, sendMode });
  const message = beginCell().store(storeMessage(external({ to: wallet.address, body: signed })));
  await client.sendFile(message.endCell().toBoc());
  await vi.waitFor(async () => expect(await opened.getSeqno()).toBe(seqno + 1), patience);
}

describe("clients of wallets and libraries", () => {
  it("see a transfer when it is predicted and when it is final", async () => {
    const to = account("a1");
    const clients = await openAll([to.toString()]);
    await send(to, "0.2");
    for (const each of Object.values(clients))
      await expect.poll(() => kinds(each).filter((kind) => kind.endsWith("finalized")), patience).not.toEqual([]);
    await expect.poll(() => kinds(clients.library), patience).toContain("account_state_change finalized");
    const { kit, counting, messenger, library, payments } = clients;
    expect(kinds(kit)).toEqual(["transactions pending", "transactions finalized", "account_state_change finalized"]);
    expect(kinds(counting)).toEqual(["actions pending", "actions finalized", "account_state_change finalized"]);
    expect(kinds(messenger)).toEqual(kinds(kit));
    expect(kinds(payments)).toEqual(["transactions pending", "transactions finalized"]);
    expect(kinds(library)).toEqual([
      ...["transactions pending", "actions pending"],
      ...["transactions finalized", "actions finalized", "account_state_change finalized"],
    ]);
    const state = messenger.taken.find(({ type }) => type === "account_state_change");
    expect(state).toMatchObject({ account: raw(to), state: { balance: String(toNano("0.2")) } });
    close(clients);
  });

  it("see a jetton transfer with its wallets and their tokens", async () => {
    const { owner, address, jetton } = await findJettonWallet();
    const receiver = account("a2");
    const clients = await openAll([receiver.toString(), owner]);
    const body = beginCell()
      .storeUint(0x0f8a7ea5, 32)
      .storeUint(7, 64)
      .storeCoins(5)
      .storeAddress(receiver)
      .storeAddress(wallet.address)
      .storeBit(0)
      .storeCoins(1)
      .storeBit(0);
    await send(Address.parse(address), "0.3", body.endCell(), true);
    const changes = (each: WalletClient) => each.taken.filter(({ type }) => type === "jettons_change");
    for (const each of [clients.kit, clients.counting, clients.library])
      await expect.poll(() => changes(each).length, patience).toBe(2);
    const wallets = changes(clients.kit).map((event) => event.jetton as StreamJson);
    expect(wallets.map((each) => [each.owner, each.jetton, typeof each.balance])).toEqual(
      expect.arrayContaining([
        [raw(receiver), jetton, "string"],
        [owner, jetton, "string"],
      ]),
    );
    const transfer = clients.counting.taken
      .flatMap((event) => (event.actions ?? []) as readonly StreamJson[])
      .find(({ type }) => type === "jetton_transfer");
    expect(transfer).toMatchObject({ success: true, details: { amount: "5", asset: jetton, receiver: raw(receiver) } });
    const [change] = changes(clients.kit);
    expect(Object.keys(Object(change?.metadata))).toContain(jetton);
    close(clients);
  });

  it("see a message that fails, and coins that come back", async () => {
    const nobody = account("a3");
    const clients = await openAll([raw(nobody), raw(wallet.address)]);
    await send(nobody, "0.1", undefined, true);
    const failed = (each: WalletClient) =>
      each.taken.flatMap((event) => (event.transactions ?? []) as readonly StreamJson[]).filter(isFinalFailure);
    for (const each of [clients.kit, clients.messenger, clients.library, clients.payments])
      await expect.poll(() => failed(each).map((every) => every.account), patience).toEqual([raw(nobody)]);
    close(clients);
  });

  it("come back after a lost connection and hear what happens from then on", async () => {
    const to = account("a4");
    const [kit, counting] = [new WalletKitClient(base, [raw(to)]), new CountingWalletClient(base, [raw(to)])];
    await Promise.all([kit.ready, counting.ready]);
    for (const each of [kit, counting]) each.lose();
    await expect.poll(() => [kit.connections, counting.connections], patience).toEqual([2, 2]);
    await send(to, "0.01");
    for (const each of [kit, counting])
      await expect.poll(() => kinds(each), patience).toContain("account_state_change finalized");
    close({ kit, counting });
  });
});

function isFinalFailure({ finality, description }: StreamJson): boolean {
  return finality === "finalized" && Object(description).aborted === true;
}

/** The jetton wallet of our wallet in the demo set. */
async function findJettonWallet() {
  const response = await fetch(`${service.origin}/api/v3/jetton/wallets?owner_address=${wallet.address.toString()}`);
  const found = Object(await response.json()).jetton_wallets as readonly StreamJson[];
  const own = found.find(({ balance }) => BigInt(String(balance)) >= 5n);
  if (own === undefined) throw new Error("the wallet has no jettons");
  return { owner: String(own.owner), address: String(own.address), jetton: String(own.jetton) };
}
