import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fetchAccount } from "../../../src/lite/queries/accounts.ts";
import { fetchBlock } from "../../../src/lite/queries/blocks.ts";
import { lookUpProven } from "../../../src/lite/queries/lookup.ts";
import { TrustedChain } from "../../../src/lite/queries/TrustedChain.ts";
import { fetchTransactions } from "../../../src/lite/queries/transactions.ts";
import { LocalnetError } from "../../../src/localnet/errors.ts";
import { findInitBlock } from "../../../src/localnet/network/globalConfig.ts";
import type { Localnet } from "../../../src/localnet/network/Localnet.ts";
import type { Address } from "../../../src/model/Address.ts";
import { makeAddress } from "../../../src/model/Address.ts";
import { masterchain, wholeShard } from "../../../src/model/block/BlockId.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { serveOrigin } from "../../kit/localnet/forkOrigin.ts";
import { type ChainKit, openChainKit } from "../../kit/localnet/localChain.ts";

const { signal } = new AbortController();
const coin = 1_000_000_000n;

let kit: ChainKit;
beforeAll(async () => {
  kit = await openChainKit();
});
afterAll(() => kit.close());

/** Receivers in all four quarters of the address space. */
const receivers: readonly Address[] = [0, 4, 8, 12].map((digit) =>
  makeAddress(0, `${digit.toString(16)}${"1".repeat(63)}` as Hash),
);

describe.each([1, 4] as const)("a fork of a network of %i shards", (shards) => {
  it("continues its block with the same states, and sends coins of accounts that come when touched", async () => {
    const origin = await kit.open({ shards });
    const wallet = origin.wallet(0);
    await origin.send(wallet, ...receivers.map((to, i) => ({ to, amount: BigInt(i + 1) * coin })));
    await origin.rounds(4);
    const before = receivers.map((to) => origin.balance(to));
    expect(before.every((balance) => balance > 0n)).toBe(true);
    const served = await serveOrigin(origin.net);
    const headBefore = origin.net.ledger.headId;
    const fork = await kit.open({ fork: { origin: served } });
    const { ledger } = fork.net;
    expect(ledger.base?.master.id).toEqual(headBefore);
    expect(ledger.headId.seqno).toBe(headBefore.seqno + 1);
    expect(ledger.getMaster(ledger.headId.seqno).info.keyBlock).toBe(true);
    await fork.net.touch([...receivers, wallet.address]);
    expect(receivers.map((to) => fork.balance(to))).toEqual(before);
    await fork.send(wallet, ...receivers.map((to) => ({ to, amount: coin })));
    await fork.rounds(4);
    expect(receivers.map((to, i) => fork.balance(to) > (before[i] ?? 0n))).toEqual([true, true, true, true]);
    expect(receivers.map((to) => origin.balance(to))).toEqual(before);
    expect(origin.net.ledger.headId).toEqual(headBefore);
    const zeroState = ledger.zero.id;
    const chain = new TrustedChain({ start: findInitBlock(ledger), zeroState, proofs: "check" });
    const { block } = await chain.head(fork.net.lite, { signal });
    expect(block).toEqual(ledger.headId);
    for (const to of receivers)
      expect((await fetchAccount(fork.net.lite, block, to, { signal })).entry?.account.kind).toBe("account");
    await served.close();
  });

  it("answers about blocks and transactions before it from the other network, proved from its own head", async () => {
    const origin = await kit.open({ shards });
    const to = receivers[0] as Address;
    for (const amount of [1n, 2n]) {
      await origin.send(origin.wallet(0), { to, amount: amount * coin });
      await origin.rounds(3);
    }
    const served = await serveOrigin(origin.net);
    const fork = await kit.open({ fork: { origin: served } });
    const { lite, ledger } = fork.net;
    await fork.send(fork.wallet(0), { to, amount: coin });
    await fork.rounds(3);
    const chain = new TrustedChain({ start: findInitBlock(ledger), zeroState: ledger.zero.id, proofs: "check" });
    const { block: head } = await chain.head(lite, { signal });
    const old = origin.net.ledger.getMaster(2).id;
    const asked = { workchain: masterchain, shard: wholeShard, by: "seqno", seqno: 2 } as const;
    expect((await lookUpProven(lite, head, asked, { signal })).id).toEqual(old);
    expect((await chain.prove(lite, old, { signal })).block).toEqual(old);
    expect((await fetchBlock(lite, old, { signal })).id).toEqual(old);
    const { entry } = await fetchAccount(lite, head, to, { signal });
    let point = {
      lt: entry?.shardAccount.lastTransactionLt ?? 0n,
      hash: entry?.shardAccount.lastTransactionHash as Hash,
    };
    const found: bigint[] = [];
    while (point.lt > 0n) {
      const list = await fetchTransactions(lite, to, point, 16, { signal });
      for (const { transaction } of list) {
        const info = transaction.messages.in?.info;
        found.push(info?.kind === "internal" ? info.value.coins : 0n);
        point = { lt: transaction.prevLt, hash: transaction.prevHash };
      }
    }
    expect(found.map((amount) => amount / coin)).toEqual([1n, 2n, 1n]);
    await served.close();
  });

  it.each([
    ["closed", (net: Localnet) => net.close()],
    ["killed", (net: Localnet) => net.destroy(new LocalnetError("localnet/closed", "killed"))],
  ])("is there again after it was %s, without the other network, with what it has fetched", async (_how, stop) => {
    const folder = temporaryFolder();
    const origin = await kit.open({ shards });
    const [touched, sent, unknown] = receivers as [Address, Address, Address];
    await origin.send(origin.wallet(0), ...receivers.map((to) => ({ to, amount: coin })));
    await origin.rounds(4);
    const served = await serveOrigin(origin.net);
    const fork = await kit.open({ fork: { origin: served }, folder });
    await fork.net.touch([touched]);
    await fork.send(fork.wallet(0), { to: sent, amount: coin });
    await fork.rounds(4);
    const { headId } = fork.net.ledger;
    const balances = [touched, sent].map((to) => fork.balance(to));
    await stop(fork.net);
    await served.close();
    const again = await kit.open({ folder });
    expect(again.net.ledger.headId).toEqual(headId);
    expect([touched, sent].map((to) => again.balance(to))).toEqual(balances);
    await expect(again.net.touch([unknown])).rejects.toMatchObject({ code: "localnet/origin" });
    await again.send(again.wallet(0), { to: touched, amount: coin });
    await again.rounds(3);
    expect(again.balance(touched)).toBeGreaterThan(balances[0] ?? 0n);
    await again.net.close();
    rmSync(folder, { recursive: true });
  });
});

function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "tongate-fork-"));
}
