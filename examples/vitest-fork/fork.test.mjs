// Tests that run on a fork of another network: `npx vitest run`. Needs tongate, vitest and @ton/ton. Name a network
// with FORK=mainnet, a global config file, or the address of another Tongate; without it the test brings one of its
// own.
import { Address, beginCell, TonClient, toNano } from "@ton/ton";
import { startLocalNetwork } from "tongate/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

/** Long enough for any network, in milliseconds. */
const timeout = 300_000;

const own = process.env.FORK === undefined;
let origin;
let fork;
let client;

beforeAll(async () => {
  // The demo contracts have a jetton.
  if (own) origin = await startLocalNetwork({ blockMs: 200, flags: ["--demo", "on"] });
  fork = await startLocalNetwork({ flags: ["--fork", process.env.FORK ?? origin.origin] });
  client = new TonClient({ endpoint: fork.endpoint });
}, timeout);
afterAll(async () => {
  await fork.close();
  await origin?.close();
}, timeout);

/** The jettons in a jetton wallet. */
async function tokens(network, wallet) {
  const { stack } = await new TonClient({ endpoint: network.endpoint }).runMethod(wallet, "get_wallet_data");
  return stack.readBigNumber();
}

test("a holder of the origin sends its jettons, without its key", { skip: !own, timeout }, async () => {
  const contracts = await origin.control.demo();
  const wallet = Address.parse(contracts.find(({ name }) => name === "jetton wallet of wallet 1").address);
  const holder = Address.parse(fork.wallets[0].address);
  const before = await tokens(origin, wallet);
  const body = beginCell()
    .storeUint(0x0f8a7ea5, 32)
    .storeUint(0, 64)
    .storeCoins(toNano("5"))
    .storeAddress(Address.parse(`0:${"cd".repeat(32)}`))
    .storeAddress(holder)
    .storeBit(false)
    .storeCoins(0)
    .storeBit(false)
    .endCell();
  const message = { from: holder.toString(), to: wallet.toString(), value: "1" };
  await fork.control.sendAs({ ...message, body: body.toBoc().toString("base64") });
  expect(await tokens(fork, wallet)).toBe(before - toNano("5"));
  expect(await tokens(origin, wallet)).toBe(before);
});

test("accounts of the origin are there, and can be changed", { timeout }, async () => {
  const [{ block }] = await fork.control.fork();
  const { last } = Object(await (await fetch(`${fork.origin}/api/v2/getMasterchainInfo`)).json()).result;
  expect(last.seqno).toBeGreaterThan(block.seqno);
  const address = `0:${"ef".repeat(32)}`;
  await fork.control.setBalance({ address, balance: "7" });
  expect(await client.getBalance(Address.parse(address))).toBe(toNano("7"));
});
