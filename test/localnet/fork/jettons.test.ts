import { afterAll, beforeAll, expect, it } from "vitest";
import { loadCell } from "../../../src/cell/codec.ts";
import { sliceOf } from "../../../src/cell/Slice.ts";
import { peopleOf } from "../../../src/localnet/demo/DemoStage.ts";
import { makeJetton } from "../../../src/localnet/demo/jetton.ts";
import { signTransfers } from "../../../src/localnet/wallets/transfer.ts";
import { Account } from "../../../src/model/Account.ts";
import type { Address } from "../../../src/model/Address.ts";
import { serveOrigin } from "../../kit/localnet/forkOrigin.ts";
import { jettonTransferBody } from "../../kit/localnet/jettonBody.ts";
import { type ChainKit, openChainKit, type TestChain } from "../../kit/localnet/localChain.ts";

const coin = 1_000_000_000n;

let kit: ChainKit;
beforeAll(async () => {
  kit = await openChainKit();
});
afterAll(() => kit.close());

async function tokens(chain: TestChain, wallet: Address): Promise<bigint> {
  await chain.net.touch([wallet]);
  const account = loadCell(Account, chain.net.account(wallet).account.cell.latest());
  if (account.kind === "none" || account.storage.state.kind !== "active") return 0n;
  const { data } = account.storage.state.init;
  return data === undefined ? 0n : sliceOf(data).loadCoins();
}

it.each([1, 4] as const)("sends jettons of a holder without its key, in a fork of %i shards", async (shards) => {
  const origin = await kit.open({ shards });
  const people = peopleOf(kit.keys);
  const [jetton, stages] = makeJetton(people);
  for (const stage of stages) {
    if (stage.kind !== "messages") continue;
    for (const { by, transfers } of stage.sendings) {
      const plain = transfers.filter((transfer) => typeof transfer !== "function");
      await origin.send(by, ...plain);
    }
    await origin.rounds(10);
  }
  const { bob, erin } = people;
  const held = await tokens(origin, jetton.walletOf(bob.address));
  expect(held).toBeGreaterThan(0n);

  const served = await serveOrigin(origin.net);
  const fork = await kit.open({ fork: { origin: served } });
  await fork.net.touch([bob.address]);
  const to = erin.address;
  const body = jettonTransferBody({ to, amount: 100n * coin, comment: "not mine" });
  const transfer = { to: jetton.walletOf(bob.address), amount: coin / 2n, body };
  const stranger = { ...bob, key: erin.key };
  const sign = () => signTransfers(stranger, [transfer], { seqno: fork.seqno(bob), now: fork.net.clock.seconds });
  await expect(fork.submit(sign())).rejects.toMatchObject({ code: "lite/server" });
  fork.net.controls.impersonate(bob.address);
  await fork.submit(sign());
  await fork.rounds(12);
  expect(await tokens(fork, jetton.walletOf(bob.address))).toBe(held - 100n * coin);
  expect(await tokens(fork, jetton.walletOf(to))).toBe(100n * coin);
  expect(await tokens(origin, jetton.walletOf(bob.address))).toBe(held);
  expect(await tokens(origin, jetton.walletOf(to))).toBe(0n);
  await served.close();
});
