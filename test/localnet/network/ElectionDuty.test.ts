import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { electionTimes } from "../../../src/localnet/genesis/genesisConfig.ts";
import { ChainView } from "../../../src/localnet/ledger/ChainView.ts";
import { findConfigParam } from "../../../src/model/config/ConfigParams.ts";
import { type ChainKit, openChainKit, type TestChain } from "../../kit/localnet/localChain.ts";

const coin = 1_000_000_000n;
const { validatorsElectedFor: term, electionsStartBefore, electionsEndBefore } = electionTimes;

let kit: ChainKit;
beforeAll(async () => {
  kit = await openChainKit();
});
afterAll(() => kit.close());

const findSet = ({ net }: TestChain, id: 34 | 36) => findConfigParam(new ChainView(net.ledger).config, id);

describe("validators whose wallets are funded", () => {
  it("stake in an election although the time was moved over its end before a stake arrived", async () => {
    const chain = await kit.open();
    const { net } = chain;
    for (const [index, { wallet }] of net.keys.stakes.entries())
      await chain.send(chain.wallet(index), { to: wallet.address, amount: 300_000n * coin, init: wallet.init });
    await chain.rounds(4);
    const first = findSet(chain, 34);
    const bornAt = first?.sinceAt ?? 0;
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
});
