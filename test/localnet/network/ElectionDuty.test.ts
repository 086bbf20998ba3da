import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "../../../src/lib/random.ts";
import { electionTimes } from "../../../src/localnet/genesis/genesisConfig.ts";
import { ChainView } from "../../../src/localnet/ledger/ChainView.ts";
import { findConfigParam } from "../../../src/model/config/ConfigParams.ts";
import { type ChainKit, openChainKit, type TestChain } from "../../kit/localnet/localChain.ts";
import { repeats } from "../../kit/suite/everything.ts";

const coin = 1_000_000_000n;
const { validatorsElectedFor: term, electionsStartBefore, electionsEndBefore } = electionTimes;

let kit: ChainKit;
beforeAll(async () => {
  kit = await openChainKit();
});
afterAll(() => kit.close());

const findSet = ({ net }: TestChain, id: 34 | 36) => findConfigParam(new ChainView(net.ledger).config, id);

const seeds = Array.from({ length: repeats({ usual: 1, all: 8 }) }, (_, number) => `steps ${number}`);

/** A chain whose validators can stake twice. */
async function openFunded(): Promise<TestChain> {
  const chain = await kit.open();
  for (const [index, { wallet }] of chain.net.keys.stakes.entries())
    await chain.send(chain.wallet(index), { to: wallet.address, amount: 350_000n * coin, init: wallet.init });
  await chain.rounds(4);
  return chain;
}

describe("validators whose wallets are funded", () => {
  it("stake in an election although the time was moved over its end before a stake arrived", async () => {
    const chain = await openFunded();
    const { net } = chain;
    const bornAt = findSet(chain, 34)?.sinceAt ?? 0;
    net.advanceTime(bornAt + term - electionsStartBefore - net.clock.seconds);
    // It is announced, and stakes are sent that the next block would have.
    await net.step();
    net.advanceTime(electionsStartBefore - electionsEndBefore + 100);
    await chain.rounds(8);
    const next = findSet(chain, 36);
    expect(next?.list.values().map(({ publicKey }) => publicKey)).toEqual(
      net.keys.stakes.map(({ validator }) => validator.publicKey),
    );
    net.advanceTime((next?.sinceAt ?? 0) - net.clock.seconds);
    await chain.rounds(3);
    expect(findSet(chain, 34)).toEqual(next);
  });

  it.each(seeds)("are elected again after any steps of time (seed %s)", async (seed) => {
    const chain = await openFunded();
    const random = seededRandom(seed);
    for (let step = 0; step < 20; step++) {
      const [span = 0, rounds = 0] = random.bytes(2);
      chain.net.advanceTime(span * 10);
      await chain.rounds(1 + (rounds % 4));
    }
    const { seconds } = chain.net.clock;
    const isLater = () => (findSet(chain, 34)?.sinceAt ?? 0) > seconds;
    for (let minutes = 0; minutes < 60 && !isLater(); minutes++) {
      chain.net.advanceTime(60);
      await chain.rounds(2);
    }
    expect(isLater()).toBe(true);
  });
});
