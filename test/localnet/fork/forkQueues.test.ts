import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TrustedChain } from "../../../src/lite/queries/TrustedChain.ts";
import { getState } from "../../../src/lite/tl/liteQueries.ts";
import { serverError } from "../../../src/lite/tl/liteRecords.ts";
import { decodeQuery } from "../../../src/lite/tl/queryEnvelope.ts";
import { decode, encode } from "../../../src/lite/tl/types.ts";
import { LocalnetError } from "../../../src/localnet/errors.ts";
import { findInitBlock } from "../../../src/localnet/network/globalConfig.ts";
import { type Address, makeAddress } from "../../../src/model/Address.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { serveOrigin } from "../../kit/localnet/forkOrigin.ts";
import { type ChainKit, openChainKit, type TestChain } from "../../kit/localnet/localChain.ts";

const { signal } = new AbortController();
const coin = 1_000_000_000n;

let kit: ChainKit;
beforeAll(async () => {
  kit = await openChainKit();
});
afterAll(() => kit.close());

/** Receivers in all four quarters of the address space, and in the masterchain. */
const receivers: readonly Address[] = [
  ...[0, 4, 8, 12].map((digit) => makeAddress(0, `${digit.toString(16)}${"1".repeat(63)}` as Hash)),
  makeAddress(-1, "7".repeat(64) as Hash),
];

/** A network whose messages to these accounts are under way. */
async function openBusy(shards: 2 | 4): Promise<TestChain> {
  const origin = await kit.open({ shards });
  await origin.send(origin.wallet(0), ...receivers.slice(0, 4).map((to) => ({ to, amount: coin })));
  await origin.rounds(3);
  // Those of one block wait for the next one, in queues of shards and of the masterchain.
  for (const [i, to] of receivers.entries()) await origin.send(origin.wallet(i + 1), { to, amount: 2n * coin });
  await origin.rounds(1);
  expect(origin.net.hasWork).toBe(true);
  return origin;
}

describe.each([2, 4] as const)("a fork of a network of %i shards with messages under way", (shards) => {
  it("leaves them there and says how many, or delivers each once", async () => {
    const origin = await openBusy(shards);
    const served = await serveOrigin(origin.net);
    // Without fees for storage, which depend on when a block was made.
    const balances = (chain: TestChain) => receivers.map((to) => (chain.balance(to) + 500_000n) / 1_000_000n);
    const before = balances(origin);
    const folder = mkdtempSync(join(tmpdir(), "tongate-queues-"));
    const left = await kit.open({ fork: { origin: served } });
    const taken = await kit.open({ fork: { origin: served, queues: "deliver" }, folder });
    // The messages of a shard that its last block did not change are not counted.
    expect([left, taken].map(({ net }) => net.fork?.report().messagesLeft === 0)).toEqual([false, true]);
    await taken.rounds(1);
    await taken.net.destroy(new LocalnetError("localnet/closed", "killed"));
    const again = await kit.open({ fork: { origin: served }, folder });
    for (const chain of [origin, left, again]) {
      await chain.rounds(6);
      await chain.net.touch(receivers);
    }
    expect(balances(left)).toEqual(before);
    expect(balances(again)).toEqual(balances(origin));
    expect(balances(again)).not.toEqual(before);
    expect(again.net.hasWork).toBe(false);
    const { ledger, lite } = again.net;
    const chain = new TrustedChain({ start: findInitBlock(ledger), zeroState: ledger.zero.id, proofs: "check" });
    expect((await chain.head(lite, { signal })).block).toEqual(ledger.headId);
    await again.net.close();
    await served.close();
    rmSync(folder, { recursive: true });
  });
});

describe("a fork that is to deliver messages", () => {
  it("refuses a state that is not the one after the block, and an origin that gives none", async () => {
    const origin = await openBusy(2);
    const { zero } = origin.net.ledger;
    for (const lie of [true, false]) {
      const served = await serveOrigin(origin.net, async (query, lite, until) => {
        if (decodeQuery(query).query.id !== getState.id) return lite.ask(query, { signal: until });
        if (!lie) return encode(serverError.boxed, { code: 0, message: "possibly too large" });
        const answer = decode(getState.answer.boxed, await lite.ask(query, { signal: until }));
        return encode(getState.answer.boxed, { ...answer, data: zero.bytes });
      });
      const message = lie ? /a state that is not the one after/ : /messages under way.*leave out --fork-queues/;
      const opening = kit.open({ fork: { origin: served, queues: "deliver" } });
      await expect(opening).rejects.toMatchObject({ message: expect.stringMatching(message) });
      await served.close();
    }
  });
});
