import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocalClient } from "../../../src/api/client/localClient.ts";
import { writeBoc } from "../../../src/cell/boc.ts";
import { toBase64 } from "../../../src/lib/bytes.ts";
import { parseAddress } from "../../../src/model/Address.ts";
import { type StartedService, startService } from "../../kit/app/startedService.ts";
import { jettonTransferBody } from "../../kit/localnet/jettonBody.ts";

const coin = 1_000_000_000n;

let origin: StartedService;
let fork: StartedService;
beforeAll(async () => {
  origin = await startService({ flags: ["--demo", "on", "--no-index", "--block-ms", "200"] });
  fork = await startService({ flags: ["--fork", origin.origin, "--block-ms", "200"] });
});
afterAll(() => fork.close());

async function ask({ origin: at }: StartedService, path: string) {
  return Object(await (await fetch(`${at}${path}`)).json());
}

/** Contracts of the demo set, which only the origin has made. */
async function demo(name: string): Promise<string> {
  const { result } = await ask(origin, "/localnet/demo");
  return result.find((each: { name: string }) => each.name === name).address;
}

async function tokens(service: StartedService, wallet: string): Promise<bigint> {
  const body = JSON.stringify({ address: wallet, method: "get_wallet_data", stack: [] });
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${service.origin}/api/v2/runGetMethod`, { method: "POST", body, headers });
  const answer = Object(await response.json());
  expect(answer.error).toBe(undefined);
  return BigInt(answer.result.stack[0][1]);
}

describe("a served fork of a served network", () => {
  it("sends jettons of a holder of the origin, and indexes what it does", async () => {
    const master = await demo("jetton master");
    const wallet = await demo("jetton wallet of wallet 1");
    const holder = fork.wallets[0]?.address ?? "";
    const before = await tokens(origin, wallet);
    expect(await tokens(fork, wallet)).toBe(before);

    const to = `0:${"5a".repeat(32)}`;
    const body = jettonTransferBody({ to: parseAddress(to).address, amount: 3n * coin, comment: "from a fork" });
    const control = createLocalClient(`${fork.origin}/localnet`);
    await control.sendAs({ from: holder, to: wallet, value: "1", body: toBase64(writeBoc(body)) });
    await expect.poll(() => tokens(fork, wallet), { timeout: 300_000 }).toBe(before - 3n * coin);
    expect(await tokens(origin, wallet)).toBe(before);

    const wallets = `/api/v3/jetton/wallets?owner_address=${to}`;
    await expect.poll(async () => (await ask(fork, wallets)).jetton_wallets?.length, { timeout: 300_000 }).toBe(1);
    const [received] = (await ask(fork, wallets)).jetton_wallets;
    expect(received).toMatchObject({ balance: String(3n * coin), jetton: parseAddress(master).address.toUpperCase() });
    const { jetton_transfers: transfers } = await ask(fork, `/api/v3/jetton/transfers?jetton_wallet=${wallet}`);
    expect(transfers.map(({ amount }: { amount: string }) => amount)).toEqual([String(3n * coin)]);
  });

  it("has an index from its first block on, without differences to the chain", async () => {
    const [{ block }] = (await ask(fork, "/localnet/fork")).result;
    const first = async () => (await ask(fork, "/api/v3/masterchainInfo")).first?.seqno;
    await expect.poll(first, { timeout: 300_000 }).toBe(block.seqno + 1);
    const response = await fetch(`${fork.origin}/index/verify?sample=200`, { method: "POST" });
    expect(Object(await response.json())).toMatchObject({ differences: 0 });
  });

  // The last one: the origin is gone then.
  it("says that its origin cannot be reached, and answers what needs nothing of it", async () => {
    const holder = fork.wallets[0]?.address ?? "";
    const before = await ask(fork, `/api/v2/getAddressBalance?address=${holder}`);
    await origin.close();
    const address = `0:${"6b".repeat(32)}`;
    const body = JSON.stringify({ address, balance: "5" });
    const headers = { "content-type": "application/json" };
    const refused = await fetch(`${fork.origin}/localnet/setBalance`, { method: "POST", body, headers });
    expect(refused.status).toBe(503);
    const { error } = Object(await refused.json());
    expect(error).toContain(`cannot fetch account ${address}`);
    expect(error).toContain(`${origin.origin}/api/lite/v1/query cannot be reached`);
    expect(await ask(fork, `/api/v2/getAddressBalance?address=${holder}`)).toMatchObject({ result: before.result });
  });
});
