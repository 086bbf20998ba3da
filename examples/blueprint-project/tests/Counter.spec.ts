// The tests of a Blueprint project: `npx blueprint test`. They run in the sandbox alone, or, with the v4 address of a
// fork
// in FORK (http://127.0.0.1:8081/api/v4), on its accounts.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { compile } from "@ton/blueprint";
import { Address, toNano } from "@ton/core";
import { Blockchain, RemoteBlockchainStorage, type SandboxContract, wrapTonClient4ForRemote } from "@ton/sandbox";
import { TonClient4 } from "@ton/ton";
import { Counter } from "../wrappers/Counter";

const { FORK: endpoint, HOLDER: holder } = process.env;

let blockchain: Blockchain;
let counter: SandboxContract<Counter>;

before(async () => {
  const client = endpoint === undefined ? undefined : new TonClient4({ endpoint, timeout: 60_000 });
  blockchain = await Blockchain.create(
    client && { storage: new RemoteBlockchainStorage(wrapTonClient4ForRemote(client)) },
  );
  counter = blockchain.openContract(new Counter(await compile("Counter")));
});

test("the counter is deployed by the first coins that it gets", async () => {
  const sender = await blockchain.treasury("sender");
  await counter.sendCoins(sender.getSender(), toNano("1"));
  assert.equal(await counter.getSum(), toNano("1"));
});

test("the counter adds what any account sends", async () => {
  // On a fork, an account of the forked network sends; in the sandbox alone, a new one.
  const from = holder === undefined ? (await blockchain.treasury("holder")).address : Address.parse(holder);
  const { balance } = await blockchain.getContract(from);
  assert.ok(balance > toNano("3"));
  await counter.sendCoins(blockchain.sender(from), toNano("2"));
  assert.equal(await counter.getSum(), toNano("3"));
});
