import { Address, JettonMaster, JettonWallet, TonClient } from "@ton/ton";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocalClient } from "../../../src/api/client/localClient.ts";
import { type StartedService, startService } from "../../kit/app/startedService.ts";
import { until } from "../../kit/web/localActs.ts";

let service: StartedService;
let local: ReturnType<typeof createLocalClient>;
let client: TonClient;

beforeAll(async () => {
  service = await startService({ flags: ["--block-ms", "200"] });
  local = createLocalClient(`${service.origin}/localnet`);
  client = new TonClient({ endpoint: `${service.origin}/api/v2/jsonRPC`, timeout: 300_000 });
  await until(async () => (await listContracts()).length > 0);
});

afterAll(() => service?.close());

const patience = { timeout: 300_000 };
const nobody = `0:${"cd".repeat(32)}`;

async function listContracts(): Promise<readonly { readonly name: string; readonly address: string }[]> {
  const { result } = Object(await (await fetch(`${service.origin}/localnet/demo`)).json());
  return result ?? [];
}

async function contract(name: string): Promise<string> {
  const found = (await listContracts()).find((each) => each.name === name);
  return found?.address ?? `no contract ${name}`;
}

describe("fundJetton", () => {
  it("gives jettons to an account without a wallet, then more, and raises the supply", async () => {
    const jetton = await contract("jetton master");
    const master = client.open(JettonMaster.create(Address.parse(jetton)));
    const { totalSupply } = await master.getJettonData();
    const wallet = client.open(JettonWallet.create(await master.getWalletAddress(Address.parse(nobody))));
    for (const [times, amount] of [
      [1n, 7_000n],
      [2n, 7_000n],
    ] as const) {
      const answer = await local.fundJetton({ address: nobody, jetton, amount: String(amount) });
      expect(answer).toMatchObject({ jetton_wallet: wallet.address.toRawString(), supply_raised: true });
      await expect.poll(() => wallet.getBalance(), patience).toBe(times * amount);
    }
    expect((await master.getJettonData()).totalSupply).toBe(totalSupply + 14_000n);
    const listed = async () => {
      const answer = await fetch(`${service.origin}/api/v3/jetton/wallets?owner_address=${nobody}`);
      return Object(await answer.json()).jetton_wallets?.map(({ balance }: { readonly balance: string }) => balance);
    };
    await expect.poll(listed, patience).toEqual(["14000"]);
  });

  it("raises the supply by every gift of a block", async () => {
    const jetton = await contract("jetton master");
    const master = client.open(JettonMaster.create(Address.parse(jetton)));
    const { totalSupply } = await master.getJettonData();
    await local.automaticBlocks({ mode: "manual" });
    // The round that was under way has ended when another one is made: no gift is in it.
    await local.block();
    const gifts = [11n, 22n, 33n].map((amount, at) => ({ amount, address: `0:${`a${at}`.repeat(32)}` }));
    const given = Promise.all(
      gifts.map(({ address, amount }) => local.fundJetton({ address, jetton, amount: String(amount) })),
    );
    await expect.poll(async () => (await local.mempool()).length, patience).toBe(6);
    await local.automaticBlocks({ mode: "interval", block_ms: 200 });
    await given;
    for (const { address, amount } of gifts) {
      const wallet = client.open(JettonWallet.create(await master.getWalletAddress(Address.parse(address))));
      await expect.poll(() => wallet.getBalance(), patience).toBe(amount);
    }
    expect((await master.getJettonData()).totalSupply).toBe(totalSupply + 66n);
  });

  it("answers at the path of Acton, too", async () => {
    const jetton = await contract("jetton master");
    const receiver = `0:${"ef".repeat(32)}`;
    const body = JSON.stringify({ address: receiver, jetton_master: jetton, amount: "55" });
    const request = { method: "POST", headers: { "content-type": "application/json" }, body };
    const answer = Object(await (await fetch(`${service.origin}/acton_fundJetton`, request)).json());
    expect(answer.result).toEqual({ hash: expect.stringMatching(/^[\w+/]{43}=$/) });
    const master = client.open(JettonMaster.create(Address.parse(jetton)));
    const wallet = client.open(JettonWallet.create(await master.getWalletAddress(Address.parse(receiver))));
    await expect.poll(() => wallet.getBalance(), patience).toBe(55n);
  });

  it("refuses what is no jetton", async () => {
    const jetton = await contract("NFT collection");
    await expect(local.fundJetton({ address: nobody, jetton, amount: "1" })).rejects.toThrow("is no jetton");
    await expect(local.fundJetton({ address: nobody, jetton: nobody, amount: "1" })).rejects.toThrow("is no jetton");
  });
});

describe("mintNft", () => {
  it("makes the next item of a collection", async () => {
    const collection = await contract("NFT collection");
    const read = async (address: string, method: string) => client.runMethod(Address.parse(address), method);
    const before = (await read(collection, "get_collection_data")).stack.readBigNumber();
    const answer = await local.mintNft({ address: nobody, collection });
    expect(answer).toMatchObject({ index: String(before) });
    const owner = async () => {
      const { stack } = await read(answer.nft_item, "get_nft_data");
      return stack.skip(3).readAddress().toRawString();
    };
    await expect.poll(() => owner().catch(() => "none yet"), patience).toBe(nobody);
    expect((await read(collection, "get_collection_data")).stack.readBigNumber()).toBe(before + 1n);
  });

  it("makes as many items as are asked for at once", async () => {
    const collection = await contract("NFT collection");
    const next = async () =>
      (await client.runMethod(Address.parse(collection), "get_collection_data")).stack.readBigNumber();
    const before = await next();
    const answers = await Promise.all([1, 2, 3].map(() => local.mintNft({ address: nobody, collection })));
    expect(answers.map(({ index }) => BigInt(index))).toEqual([before, before + 1n, before + 2n]);
    await expect.poll(next, patience).toBe(before + 3n);
  });

  it("refuses what is no collection", async () => {
    const collection = await contract("jetton master");
    await expect(local.mintNft({ address: nobody, collection })).rejects.toThrow("is no NFT collection");
  });
});
