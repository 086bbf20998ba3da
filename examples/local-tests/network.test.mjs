// Tests that bring their own network, in their own process: `node --test`. Needs tongate, @ton/ton and @ton/crypto.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { mnemonicToPrivateKey } from "@ton/crypto";
import { Address, internal, SendMode, TonClient, toNano, WalletContractV4 } from "@ton/ton";
import { startLocalNetwork } from "tongate/testing";

const receiver = `0:${"ab".repeat(32)}`;
let network;
let client;
let goBack;

before(async () => {
  network = await startLocalNetwork();
  client = new TonClient({ endpoint: network.endpoint });
  goBack = await network.snapshot();
});
after(() => network.close());

async function openWallet() {
  const { words } = network.wallets.find(({ version }) => version === "v4r2");
  const { publicKey, secretKey } = await mnemonicToPrivateKey([...words]);
  return { wallet: client.open(WalletContractV4.create({ workchain: 0, publicKey })), secretKey };
}

async function send(wallet, secretKey, coins) {
  const seqno = await wallet.getSeqno();
  const messages = [internal({ to: receiver, value: toNano(coins), bounce: false })];
  await wallet.sendTransfer({ seqno, secretKey, messages, sendMode: SendMode.PAY_GAS_SEPARATELY });
  // A block is made as soon as a message waits.
  while ((await wallet.getSeqno()) === seqno) await new Promise((resolve) => setTimeout(resolve, 20));
}

const balance = () => client.getBalance(Address.parse(receiver));

test("a funded wallet sends", async () => {
  const { wallet, secretKey } = await openWallet();
  await send(wallet, secretKey, "2");
  assert.equal(await balance(), toNano("2"));
});

test("every test begins with the same chain", async () => {
  await goBack();
  assert.equal(await balance(), 0n);
});

test("a wallet is impersonated, with a balance that is set", async () => {
  const { wallet } = await openWallet();
  const address = wallet.address.toString();
  await network.control.setBalance({ address, balance: "1000" });
  await network.control.impersonate({ address });
  await send(wallet, Buffer.alloc(64), "999");
  assert.equal(await balance(), toNano("999"));
});

test("time passes when the test says so", async () => {
  const { now } = await network.control.time();
  await network.control.advance({ seconds: 3600 });
  const { gen_utime: after } = await network.control.block();
  assert.ok(after >= now + 3600);
});
