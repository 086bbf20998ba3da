import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Cell } from "../../src/cell/Cell.ts";
import { sliceOf } from "../../src/cell/Slice.ts";
import { type ElectorStorage, findElectorStorage } from "../../src/contracts/families/elections/electorStorage.ts";
import { TrustedChain } from "../../src/lite/queries/TrustedChain.ts";
import { electionTimes, electorAccount } from "../../src/localnet/genesis/genesisConfig.ts";
import { ChainView } from "../../src/localnet/ledger/ChainView.ts";
import { LocalValidator } from "../../src/localnet/rounds/validators.ts";
import { makeSigningKey } from "../../src/localnet/wallets/SigningKey.ts";
import { makeRecover, makeStake, type StakeTerms } from "../../src/localnet/wallets/stake.ts";
import { makeWallet, type Wallet } from "../../src/localnet/wallets/Wallet.ts";
import { accountOf, makeAddress } from "../../src/model/Address.ts";
import { masterchain } from "../../src/model/block/BlockId.ts";
import { findConfigParam } from "../../src/model/config/ConfigParams.ts";
import { zeroHash } from "../../src/model/Hash.ts";
import { checkBlocks, checkTotals } from "../kit/localnet/checkDelivery.ts";
import { listTransactions } from "../kit/localnet/ledgerTransactions.ts";
import { type ChainKit, openChainKit, type TestChain } from "../kit/localnet/localChain.ts";

const coin = 1_000_000_000n;
const elector = makeAddress(masterchain, electorAccount);
const walletOf = (number: number) =>
  makeWallet("v4r2", makeSigningKey(new Uint8Array(32).fill(number)), { workchain: masterchain });
const accepted = 0xf374484c;
const rejected = 0xee6f454c;
const returned = 0xf96f7324;
const nothing = 0xfffffffe;
const { validatorsElectedFor: term, electionsStartBefore, electionsEndBefore, stakeHeldFor } = electionTimes;

let kit: ChainKit;
beforeAll(async () => {
  kit = await openChainKit();
});
afterAll(() => kit.close());

/** A chain with wallets in the masterchain that stake. */
class Elections {
  readonly chain: TestChain;
  readonly holders: readonly [Wallet, Wallet, Wallet];
  readonly bornAt: number;

  private constructor(chain: TestChain, holders: readonly [Wallet, Wallet, Wallet]) {
    this.chain = chain;
    this.holders = holders;
    this.bornAt = getSet(chain, 34).sinceAt;
  }

  static async open(): Promise<Elections> {
    const chain = await kit.open();
    const elections = new Elections(chain, [walletOf(1), walletOf(2), walletOf(3)]);
    for (const [index, { address, init }] of elections.holders.entries())
      await chain.send(chain.wallet(index), { to: address, amount: 900_000n * coin, init });
    await elections.idle();
    return elections;
  }

  async idle(): Promise<void> {
    do await this.chain.rounds(1);
    while (this.chain.net.hasWork);
  }

  /** Goes on to a moment after the birth of the network and makes the rounds of its ticks. */
  async reach(seconds: number): Promise<void> {
    this.chain.net.advanceTime(this.bornAt + seconds - this.chain.net.clock.seconds);
    for (let round = 0; round < 4; round++) await this.chain.net.step();
  }

  get storage(): ElectorStorage {
    const account = this.chain.net.account(elector).account.load();
    const state = account.kind === "account" ? account.storage.state : undefined;
    const storage = state?.kind === "active" && state.init.data && findElectorStorage(state.init.data);
    if (!storage) throw new Error("the storage of the elector is not read");
    return storage;
  }

  get electionId(): number {
    return this.storage.election?.load().electionId ?? 0;
  }

  /** The opcode of the elector's answer and what follows the query id. */
  async ask(by: Wallet, amount: bigint, body: Cell): Promise<readonly [number, number] | undefined> {
    const before = listTransactions(this.chain.net.ledger).length;
    await this.chain.send(by, { to: elector, amount, bounce: true, body });
    await this.idle();
    const answers = listTransactions(this.chain.net.ledger)
      .slice(before)
      .flatMap(({ messages }) => {
        const { info, body: answer } = messages.in ?? {};
        if (info?.kind !== "internal" || info.src !== elector || info.dest !== by.address || !answer) return [];
        const slice = sliceOf(answer);
        const opcode = slice.loadUint(32);
        return [[opcode, slice.remainingBits < 96 ? 0 : slice.skip(64).loadUint(32)] as const];
      });
    expect(answers.length).toBeLessThanOrEqual(1);
    return answers[0];
  }

  stake(by: Wallet, coins: bigint, validator: LocalValidator, terms: Partial<StakeTerms> = {}) {
    const usual = { holder: by.address, electionId: this.electionId, maxFactor: 196_608 };
    return this.ask(by, coins * coin + coin, makeStake(validator, { ...usual, ...terms }));
  }
}

function getSet({ net }: TestChain, id: 32 | 34 | 36) {
  const set = findConfigParam(new ChainView(net.ledger).config, id);
  if (set === undefined) throw new Error(`no parameter ${id}`);
  return { ...set, list: set.list.entries() };
}

function hasSet({ net }: TestChain, id: 32 | 34 | 36): boolean {
  return findConfigParam(new ChainView(net.ledger).config, id) !== undefined;
}

describe("an election on a local network", () => {
  let net: Elections;
  beforeAll(async () => {
    net = await Elections.open();
  });

  it("is announced when the time of the current set runs out, and takes no stakes before", async () => {
    const [holder] = net.holders;
    expect(await net.stake(holder, 100_000n, kit.keys.validators[0])).toEqual([rejected, 0]);
    await net.reach(term - electionsStartBefore);
    const { members, ...election } = net.storage.election?.load() ?? {};
    expect([election, members?.entries()]).toEqual([
      {
        ...{ electionId: net.bornAt + term, closesAt: net.bornAt + term - electionsEndBefore },
        ...{ minStake: 10_000n * coin, totalStake: 0n, failed: false, finished: false },
      },
      [],
    ]);
  });

  it("refuses stakes with their reasons", async () => {
    const [holder, other] = net.holders;
    const [validator] = kit.keys.validators;
    expect(await net.stake(holder, 100_000n, validator, { holder: other.address })).toEqual([rejected, 1]);
    expect(await net.stake(holder, 100_000n, validator, { electionId: net.electionId + 1 })).toEqual([rejected, 3]);
    expect(await net.stake(holder, 9_999n, validator)).toEqual([rejected, 5]);
    expect(await net.stake(holder, 100_000n, validator, { maxFactor: 65_535 })).toEqual([rejected, 6]);
    const outside = net.chain.wallet(4);
    expect(await net.stake(outside, 100_000n, validator)).toEqual([rejected, 0]);
    expect(await net.stake(holder, 100_000n, validator)).toEqual([accepted, 0]);
    expect(await net.stake(holder, 50_000n, validator, { maxFactor: 65_536 })).toEqual([accepted, 0]);
    expect(await net.stake(other, 100_000n, validator)).toEqual([rejected, 4]);
    expect(await net.stake(other, 1n, kit.keys.validators[1])).toEqual([rejected, 2]);
  });

  it("installs the elected set by the configuration, and returns what does not count", async () => {
    const [first, second, third] = kit.keys.validators;
    const [holder, other, last] = net.holders;
    expect(await net.stake(other, 125_000n, second)).toEqual([accepted, 0]);
    expect(await net.stake(last, 350_000n, third)).toEqual([accepted, 0]);
    const before = getSet(net.chain, 34);
    await net.reach(term - electionsEndBefore);
    const elected = getSet(net.chain, 36);
    // The first one counts as much as the smallest stake, the third one up to thrice as much.
    const stakes = [
      [third, 350_000n],
      [first, 125_000n],
      [second, 125_000n],
    ] as const;
    const list = stakes.map(([{ publicKey, adnlAddress }, stake], index) => [
      index,
      { kind: "withAddress", publicKey, weight: (stake << 60n) / 600_000n, adnlAddress },
    ]);
    expect(elected).toEqual({
      ...{ kind: "extended", sinceAt: net.bornAt + term, untilAt: net.bornAt + 2 * term, total: 3, main: 3 },
      ...{ totalWeight: stakes.reduce((sum, [, stake]) => sum + (stake << 60n) / 600_000n, 0n), list },
    });
    expect(net.storage.credits.entries()).toEqual([[accountOf(holder.address), 25_000n * coin]]);
    await net.reach(term);
    expect([getSet(net.chain, 34), getSet(net.chain, 32), hasSet(net.chain, 36)]).toEqual([elected, before, false]);
    expect([net.storage.activeId, net.storage.election]).toEqual([net.bornAt + term, undefined]);
  });

  it("has blocks that a light client proves from the zero state over every change of the set", async () => {
    const { ledger, lite } = net.chain.net;
    expect(ledger.keySeqnos.length).toBeGreaterThanOrEqual(2);
    const trusted = new TrustedChain({ start: ledger.zero.id, zeroState: ledger.zero.id, proofs: "check" });
    const { block } = await trusted.head(lite, { signal: new AbortController().signal });
    expect(block).toEqual(ledger.headId);
    // Each of the three keys signs.
    const made = ledger.block(ledger.getMaster(ledger.headId.seqno)).extra.load().custom?.load();
    expect(
      made?.details.prevBlockSignatures
        .values()
        .map(({ nodeIdShort }) => nodeIdShort)
        .sort(),
    ).toEqual(kit.keys.validators.map(({ id }) => id).sort());
    checkBlocks(ledger);
    checkTotals(ledger);
  });

  it("returns stakes with the fees of the term when the set was replaced and the time to hold them is over", async () => {
    const [holder, other] = net.holders;
    const [validator] = kit.keys.validators;
    expect(await net.ask(holder, 2n * coin, makeRecover())).toEqual([returned, 0]);
    await net.reach(2 * term - electionsStartBefore);
    expect(await net.stake(holder, 200_000n, validator)).toEqual([accepted, 0]);
    await net.reach(2 * term - electionsEndBefore);
    await net.reach(2 * term);
    const past = net.storage.pastElections.find(net.bornAt + term);
    const bonus = ((past?.bonuses ?? 0n) * 125_000n) / 600_000n;
    expect(bonus).toBeGreaterThan(coin);
    await net.reach(2 * term + stakeHeldFor - 30);
    expect(await net.ask(other, 2n * coin, makeRecover())).toEqual([nothing, 0x47657424]);
    await net.reach(2 * term + stakeHeldFor + 30);
    expect(net.storage.credits.find(accountOf(other.address))).toBe(125_000n * coin + bonus);
    expect(await net.ask(other, 2n * coin, makeRecover())).toEqual([returned, 0]);
  });
});

describe("a set of keys that the network does not have", () => {
  it("is refused by the configuration, and its stakes are returned", async () => {
    const net = await Elections.open();
    const [holder] = net.holders;
    await net.reach(term - electionsStartBefore);
    const foreign = new LocalValidator(new Uint8Array(32).fill(9), zeroHash);
    expect(await net.stake(holder, 150_000n, foreign)).toEqual([accepted, 0]);
    const before = getSet(net.chain, 34);
    await net.reach(term - electionsEndBefore);
    await net.reach(term);
    expect([getSet(net.chain, 34), hasSet(net.chain, 36)]).toEqual([before, false]);
    expect(net.storage.pastElections.entries()).toEqual([]);
    expect(net.storage.credits.entries()).toEqual([[accountOf(holder.address), 150_000n * coin]]);
    // The next one is announced at once: the time of the current set is over.
    expect(net.electionId).toBeGreaterThan(net.bornAt + term);
  });
});
