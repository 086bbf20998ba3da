import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../../src/api/client/client.ts";
import type { TypedContract } from "../../../src/api/client/contract/TypedContract.ts";
import { createLocalClient } from "../../../src/api/client/localClient.ts";
import { createV3Client } from "../../../src/api/client/v3Client.ts";
import { type StartedService, startService } from "../../kit/app/startedService.ts";
import { jettonMinterAbi, jettonWalletAbi } from "../../kit/contracts/jettonWalletAbi.ts";

let service: StartedService;
/** Addresses of the demo set by name. */
let demo: ReadonlyMap<string, string>;

beforeAll(async () => {
  service = await startService({ engine: "postgres" });
  const contracts = await createLocalClient(`${service.origin}/localnet`).demo();
  demo = new Map(contracts.map(({ name, address }) => [name, address]));
});
afterAll(() => service.close());

const addressOf = (name: string): string => demo.get(name) ?? `no ${name}`;
const v2 = () => createClient(`${service.origin}/api/v2`);
const v3 = () => createV3Client(`${service.origin}/api/v3`);
type Minter = TypedContract<typeof jettonMinterAbi>;
type Wallet = TypedContract<typeof jettonWalletAbi>;

describe.each([
  ["v2", () => v2()],
  ["v3", () => v3()],
] as const)("the jetton of the demo set, by the client of %s", (_version, open) => {
  const minter = (): Promise<Minter> => open().contract(addressOf("jetton master"), jettonMinterAbi);
  const walletOf = async (owner: string): Promise<Wallet> => {
    const { wallet } = await (await minter()).read.get_wallet_address({ owner });
    return open().contract(wallet, jettonWalletAbi);
  };

  it("is read by names, from the master to a wallet and its data", async () => {
    const wallet = await open().contract(addressOf("jetton wallet of wallet 1"), jettonWalletAbi);
    const { wallet_code: _code, ...read } = await wallet.read.get_wallet_data();
    expect(read).toEqual({
      balance: expect.any(BigInt),
      owner: expect.any(String),
      jetton: addressOf("jetton master").toUpperCase(),
    });
    expect(await wallet.storage()).toEqual(read);
    expect((await walletOf(read.owner)).address).toBe(wallet.address.toUpperCase());
  });

  it("is sent with a body that is made by names", async () => {
    const from = await open().contract(addressOf("jetton wallet of wallet 1"), jettonWalletAbi);
    const to = await walletOf(service.wallets[1]?.address ?? "no second wallet");
    const [sender, receiver] = [await from.read.get_wallet_data(), await to.read.get_wallet_data()];
    const body = from.encode.transfer({
      query_id: 1,
      amount: 1_000_000_000n,
      destination: receiver.owner,
      response_destination: sender.owner,
      forward_ton_amount: 0,
      forward_payload: "te6ccgEBAQEAAgAAAA==",
    });
    const control = createLocalClient(`${service.origin}/localnet`);
    await control.impersonate({ address: sender.owner });
    await control.sendAs({ from: sender.owner, to: from.address, value: "0.2", body });
    const balances = async () => [
      (await from.read.get_wallet_data()).balance,
      (await to.read.get_wallet_data()).balance,
    ];
    await expect
      .poll(balances, { timeout: 300_000, interval: 200 })
      .toEqual([sender.balance - 1_000_000_000n, receiver.balance + 1_000_000_000n]);
  });

  it("has words for a get-method that fails", async () => {
    await expect((await minter()).read.get_nothing()).rejects.toMatchObject({
      code: "api/exit-code",
      data: { exitCode: 11, error: "there is no such get-method" },
    });
  });
});

it("a contract is described by an ABI that was added for it, before those of its family", async () => {
  const file = { name: "mine", methods: [], errors: { "77": "of my own" } };
  const address = addressOf("jetton master");
  await createLocalClient(`${service.origin}/localnet`).abi({ file, address });
  const listAbis = async () =>
    Object(await (await fetch(`${service.origin}/api/v3/contract?address=${address}`)).json()).abis;
  // The server looks for new ones once a second.
  await expect.poll(async () => (await listAbis()).map((each: { name: string }) => each.name)).toContain("mine");
  expect((await listAbis())[0]).toMatchObject({ name: "mine", errors: { "77": "of my own" } });
});

describe("a read at a block", () => {
  it("is the state of then, and is proved where the client checks proofs", async () => {
    const url = `${service.origin}/api/v2`;
    const { last, init } = await createClient(url).getMasterchainInfo();
    const trust = { validator: { zero_state: { ...init, shard: "-9223372036854775808" } } };
    // The demo set is made in the past.
    const proving = createClient(url, { verify: { trust, maxAge: Number.POSITIVE_INFINITY } });
    const args = [addressOf("jetton wallet of wallet 1"), jettonWalletAbi] as const;
    const at = { seqno: last.seqno };
    const [plain, proved] = [await v2().contract(...args), await proving.contract(...args)];
    expect(await proved.read.get_wallet_data({}, at)).toEqual(await plain.read.get_wallet_data({}, at));
    expect(await proved.storage(at)).toEqual(await plain.storage(at));
  });
});

describe("a message by an ABI of one's own", () => {
  const abi = {
    name: "counted",
    receives: [{ name: "add", tag: "#7e8764ef", fields: [{ name: "by", type: "coins" }] }],
  } as const;
  const decoded = { "@type": "add", by: "5" };

  it("is decoded in emulation, in lists and in streams", async () => {
    const [from, to] = [service.wallets[2]?.address ?? "", service.wallets[3]?.address ?? ""];
    const control = createLocalClient(`${service.origin}/localnet`);
    await control.abi({ file: abi, address: to });
    const body = (await v3().contract(to, abi)).encode.add({ by: 5n });
    const emulated = async (): Promise<readonly unknown[]> => {
      const response = await fetch(`${service.origin}/api/emulate/v1/emulateTrace`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ message: { from, to, value: "100000000", body } }),
      });
      const { transactions } = Object(await response.json());
      return Object.values(transactions).map((each) => Object(each).in_msg.message_content.decoded);
    };
    // A running server sees a new ABI within a second.
    await expect.poll(emulated, { timeout: 300_000, interval: 100 }).toEqual([decoded]);

    await control.impersonate({ address: from });
    await control.sendAs({ from, to, value: "0.1", body });
    const received = async () => (await v3().transactions({ account: [to], limit: 1 })).transactions[0]?.in_msg;
    await expect
      .poll(async () => (await received())?.message_content?.decoded, { timeout: 300_000, interval: 200 })
      .toEqual(decoded);
    expect((await received())?.decoded_opcode).toBe("add");

    // From the first block on, so that the event is among them.
    const events = v3().watch({ types: ["transactions"], addresses: [to], from_mc_seqno: 1 });
    for await (const event of events) if (JSON.stringify(event).includes(JSON.stringify(decoded))) break;
  });
});
