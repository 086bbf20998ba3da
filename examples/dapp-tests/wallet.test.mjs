// Tests of a dApp against a real chain: start `npx tongate`, then `node --test`. Needs @ton/ton and @ton/crypto.
import assert from "node:assert/strict";
import { test } from "node:test";
import { mnemonicNew, mnemonicToPrivateKey } from "@ton/crypto";
import { internal, TonClient, toNano, WalletContractV4 } from "@ton/ton";

const endpoint = process.env.TON_ENDPOINT ?? "http://127.0.0.1:8081/api/v2/jsonRPC";
const client = new TonClient({ endpoint });

/** Polls for up to ten seconds until the value is as expected. */
async function until(read, isRight) {
  const end = Date.now() + 10_000;
  for (;;) {
    const value = await read();
    if (isRight(value) || Date.now() > end) return value;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function newWallet() {
  const { publicKey, secretKey } = await mnemonicToPrivateKey(await mnemonicNew());
  const wallet = client.open(WalletContractV4.create({ workchain: 0, publicKey }));
  return { wallet, secretKey };
}

async function fund(address, coins) {
  const response = await fetch(new URL("/localnet/faucet", endpoint), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ address: address.toString(), amount: coins }),
  });
  assert.equal(response.status, 200);
}

test("a wallet deploys itself with its first transfer, and the receiver gets the coins", async () => {
  const [sender, receiver] = [await newWallet(), await newWallet()];
  await fund(sender.wallet.address, "5");
  assert.equal(
    await until(
      () => sender.wallet.getBalance(),
      (balance) => balance > 0n,
    ),
    toNano("5"),
  );

  const transfer = internal({ to: receiver.wallet.address, value: toNano("1.5"), bounce: false, body: "hello" });
  await sender.wallet.sendTransfer({ seqno: 0, secretKey: sender.secretKey, messages: [transfer] });

  assert.equal(
    await until(
      () => sender.wallet.getSeqno(),
      (seqno) => seqno === 1,
    ),
    1,
  );
  const received = await until(
    () => receiver.wallet.getBalance(),
    (balance) => balance > 0n,
  );
  assert.ok(received > toNano("1.49") && received <= toNano("1.5"));
});
