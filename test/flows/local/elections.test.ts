import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { storeCell } from "../../../src/cell/codec.ts";
import { sliceOf } from "../../../src/cell/Slice.ts";
import { ValidatorComplaint } from "../../../src/contracts/families/elections/electorStorage.ts";
import { PoolStorage } from "../../../src/contracts/families/nominators/poolStorage.ts";
import { demoCodes } from "../../../src/localnet/codes/demoCodes.ts";
import { makeContract } from "../../../src/localnet/demo/NewContract.ts";
import { electorAccount } from "../../../src/localnet/genesis/genesisConfig.ts";
import { ChainView } from "../../../src/localnet/ledger/ChainView.ts";
import type { LocalValidator } from "../../../src/localnet/rounds/validators.ts";
import { makeSigningKey } from "../../../src/localnet/wallets/SigningKey.ts";
import { bytesOf, makeRecover, makeStake, type StakeTerms } from "../../../src/localnet/wallets/stake.ts";
import { makeComment } from "../../../src/localnet/wallets/transfer.ts";
import { makeWallet, type Wallet } from "../../../src/localnet/wallets/Wallet.ts";
import { type Address, accountOf, makeAddress } from "../../../src/model/Address.ts";
import { configParam, getConfigParam } from "../../../src/model/config/ConfigParams.ts";
import { type Hash, zeroHash } from "../../../src/model/Hash.ts";
import { type DemoStage, type Json, openDemoStage } from "../../kit/api/demoStage.ts";
import { makeStorage } from "../../kit/contracts/poolStates.ts";
import type { TestChain } from "../../kit/localnet/localChain.ts";
import { ElectionRecord } from "../../kit/localnet/staking/ElectionRecord.ts";
import { electionRules, type LedgerSet } from "../../kit/localnet/staking/ElectorLedger.ts";
import { PoolRecord } from "../../kit/localnet/staking/PoolRecord.ts";
import { listReceived } from "../../kit/localnet/staking/receivedMessages.ts";

const coin = 1_000_000_000n;
const elector = makeAddress(-1, electorAccount);
const walletOf = (number: number) =>
  makeWallet("v4r2", makeSigningKey(new Uint8Array(32).fill(number)), { workchain: -1 });
/** They stake; the last one only complains. */
const holders = [walletOf(1), walletOf(2), walletOf(3)] as const;
const poolValidator = walletOf(4);
const [holderA, holderB, observer] = holders;

const minValidatorStake = 100_000n * coin;
const minNominatorStake = 10_000n * coin;
const poolStorage = makeStorage({
  validator: accountOf(poolValidator.address),
  config: { minValidatorStake, minNominatorStake },
  validatorAmount: 0n,
  nominators: [],
});
const { address: pool, init: poolInit } = makeContract(
  demoCodes.nominatorPool,
  storeCell(PoolStorage, poolStorage),
  -1,
);

const { electedFor: term, startBefore, endBefore } = electionRules;
const whole = 65_536;
/** Seconds after which a change that was due is made. */
const late = 30;

const request = (opcode: number) => beginCell().storeUint(opcode, 32).storeBigUint(7n, 64);
const payRequests = request(2).storeUint(40, 8).cell();

const deposit = (coins: bigint) => ({ to: pool, amount: coins * coin + coin, bounce: true, body: makeComment("d") });
const withdraw = { to: pool, amount: coin, bounce: true, body: makeComment("w") };

/** Several terms with a pool. A sender knows of the chain what the ledger knows. */
class Play {
  readonly #chain: TestChain;
  readonly #keys: readonly [LocalValidator, LocalValidator, LocalValidator];

  constructor(chain: TestChain) {
    this.#chain = chain;
    this.#keys = chain.net.keys.validators;
  }

  async run(): Promise<void> {
    await this.#begin();
    await this.#firstTerm();
    await this.#complaints();
    await this.#failedElection();
    await this.#secondRound();
    await this.#reward();
  }

  async #begin(): Promise<void> {
    const funds = [...holders, poolValidator].map(({ address, init }) => ({
      to: address,
      amount: 900_000n * coin,
      init,
    }));
    for (const [index, transfer] of funds.entries()) await this.#chain.send(this.#chain.wallet(index), transfer);
    await this.#chain.send(this.#chain.wallet(6), {
      to: pool,
      amount: 20n * coin,
      init: poolInit,
      body: request(1).cell(),
    });
    await this.#idle();
    await this.#toPool(150_001n, request(4).cell());
    for (const [index, coins] of [120_000n, 60_000n, 40_000n, 9_999n].entries())
      await this.#chain.send(this.#chain.wallet(4 + index), deposit(coins));
    await this.#stake(holderA, 0, 100_000n);
  }

  async #firstTerm(): Promise<void> {
    await this.#reach(term - startBefore);
    const electionId = this.#ledger.election?.id ?? 0;
    await this.#stake(holderA, 0, 100_000n, { holder: holderB.address });
    await this.#stake(holderA, 0, 100_000n, { electionId: electionId + 1 });
    await this.#stake(holderA, 0, 9_999n);
    await this.#stake(holderA, 0, 100_000n, { maxFactor: whole - 1 });
    await this.#stake(this.#chain.wallet(5), 0, 50_000n);
    await this.#stake(holderA, 0, 100_000n);
    // The factor of the last message counts.
    await this.#stake(holderA, 0, 50_000n, { maxFactor: whole });
    await this.#stake(holderB, 0, 100_000n);
    await this.#stake(holderB, 1, 1n);
    await this.#stake(holderB, 1, 125_000n);
    await this.#poolStake(370_000n);
    await this.#reach(term - endBefore);
    // What did not count of a stake is returned at once.
    await this.#recover(holderA);
    await this.#recover(observer);
    await this.#reach(term);
    await this.#chain.send(this.#chain.wallet(5), withdraw);
    await this.#chain.send(this.#chain.wallet(7), deposit(50_000n));
    await this.#idle();
  }

  /**
   * The first complaint passes, the second one waits for votes, nobody votes for the third one, and two are refused.
   */
  async #complaints(): Promise<void> {
    await this.#complain(2, 500n * coin, 1);
    await this.#vote(0, 1);
    await this.#vote(2, 1);
    await this.#vote(2, 1);
    await this.#complain(0, 1_000n * coin, 2);
    await this.#vote(1, 2);
    await this.#complain(1, 300n * coin, 3);
    await this.#complain(1, 125_001n * coin, 4);
    await this.#complain(1, coin / 2n, 5);
  }

  /** Two stakes of which too little counts, until one of them grows. The set begins later than it was to. */
  async #failedElection(): Promise<void> {
    await this.#reach(2 * term - startBefore);
    await this.#stake(holderA, 0, 60_000n, { maxFactor: whole });
    await this.#stake(holderB, 1, 45_000n, { maxFactor: whole });
    await this.#reach(2 * term - endBefore);
    expect(this.#ledger.election?.failed).toBe(true);
    await this.#reach(2 * term - endBefore + 100);
    await this.#stake(holderB, 1, 20_000n, { maxFactor: whole });
    await this.#chain.rounds(4);
    expect(this.#ledger.sets.next?.sinceAt).toBeGreaterThan(firstSet(this.#chain).sinceAt + 2 * term);
    await this.#goTo(this.#ledger.sets.next?.sinceAt ?? 0);
    // Another set votes: the votes of the one before do not count any more.
    await this.#vote(0, 2);
    await this.#vote(1, 2);
  }

  async #secondRound(): Promise<void> {
    await this.#reachOpening();
    await this.#recoverPool();
    for (const by of holders) await this.#recover(by);
    await this.#toPool(1n, payRequests);
    await this.#poolStake(359_000n, 1);
    await this.#poolStake(359_000n);
    await this.#stake(holderA, 0, 130_000n);
    await this.#stake(holderB, 1, 125_000n);
    await this.#reachTerm();
    await this.#chain.send(this.#chain.wallet(4), withdraw);
    await this.#chain.send(this.#chain.wallet(6), deposit(10_000n));
    await this.#toPool(1_001n, request(4).cell());
  }

  /** The pool gets its stake and a reward; the last election stays open. */
  async #reward(): Promise<void> {
    await this.#reachOpening();
    await this.#stake(holderA, 0, 200_000n);
    await this.#stake(holderB, 1, 150_000n);
    await this.#reachTerm();
    await this.#recoverPool();
    await this.#reachOpening();
    await this.#recoverPool();
    await this.#toPool(1n, payRequests);
    await this.#toPool(
      1n,
      request(5)
        .storeCoins(2_000n * coin)
        .cell(),
    );
    await this.#stake(holderA, 0, 60_000n);
  }

  get #record(): ElectionRecord {
    return recordOf(this.#chain, new ElectionRecord(firstSet(this.#chain)));
  }

  get #ledger() {
    return this.#record.ledger;
  }

  async #idle(): Promise<void> {
    do await this.#chain.rounds(1);
    while (this.#chain.net.hasWork);
  }

  /** Goes to a moment after the beginning of the network. */
  async #reach(seconds: number): Promise<void> {
    await this.#goTo(firstSet(this.#chain).sinceAt + seconds);
  }

  async #goTo(moment: number): Promise<void> {
    const { net } = this.#chain;
    net.advanceTime(moment - net.clock.seconds);
    await this.#chain.rounds(4);
  }

  /** Goes to the announcement of the next election; stakes of the set before the current one are returned. */
  #reachOpening(): Promise<void> {
    return this.#goTo(this.#ledger.sets.current.untilAt - startBefore + late);
  }

  /** Goes to the end of the open election, then to the term of the elected. */
  async #reachTerm(): Promise<void> {
    await this.#goTo(this.#ledger.election?.closesAt ?? 0);
    await this.#goTo(this.#ledger.sets.next?.sinceAt ?? 0);
  }

  async #ask(by: Wallet, to: Address, amount: bigint, body: Cell): Promise<void> {
    await this.#chain.send(by, { to, amount, bounce: true, body });
    await this.#idle();
  }

  async #stake(by: Wallet, key: 0 | 1, coins: bigint, terms: Partial<StakeTerms> = {}): Promise<void> {
    const usual = { holder: by.address, electionId: this.#ledger.election?.id ?? 0, maxFactor: 3 * whole };
    await this.#ask(by, elector, (coins + 1n) * coin, makeStake(this.#keys[key], { ...usual, ...terms }));
  }

  async #poolStake(coins: bigint, wrongBy = 0): Promise<void> {
    const electionId = (this.#ledger.election?.id ?? 0) + wrongBy;
    const terms = { holder: pool, electionId, maxFactor: 3 * whole, value: coins * coin };
    await this.#toPool(2n, makeStake(this.#keys[2], terms));
  }

  #recover(by: Wallet): Promise<void> {
    return this.#ask(by, elector, 2n * coin, makeRecover());
  }

  #recoverPool(): Promise<void> {
    return this.#toPool(2n, makeRecover());
  }

  #toPool(coins: bigint, body: Cell): Promise<void> {
    return this.#ask(poolValidator, pool, coins * coin, body);
  }

  /** Complaints are told apart by their severity. */
  async #complain(accused: 0 | 1 | 2, suggestedFine: bigint, severity: number): Promise<void> {
    const complaint = {
      ...{ validatorKey: this.#keys[accused].publicKey, description: emptyCell, createdAt: 0, severity },
      ...{ rewardAccount: zeroHash, paid: 0n, suggestedFine, suggestedFinePart: 0 },
    };
    const electionId = this.#findPast(this.#ledger.sets.current.hash);
    const content = sliceOf(storeCell(ValidatorComplaint, complaint));
    await this.#ask(
      observer,
      elector,
      4n * coin,
      request(0x52674370).storeUint(electionId, 32).storeSlice(content).cell(),
    );
  }

  async #vote(voter: 0 | 1 | 2, severity: number): Promise<void> {
    const { past, sets } = this.#ledger;
    const key = this.#keys[voter];
    const index = sets.current.members.findIndex(({ publicKey }) => publicKey === key.publicKey);
    const known = [...past].flatMap(([id, { complaints }]) => [...complaints].map((each) => [id, ...each] as const));
    const [electionId, hash] = known.find(([, , { content }]) => content.severity === severity) ?? [0, zeroHash];
    const signed = beginCell().storeUint(0x56744350, 32).storeUint(index, 16).storeUint(electionId, 32).storeHex(hash);
    const body = request(0x56744370).storeBytes(key.signBytes(bytesOf(signed.cell())));
    await this.#ask(observer, elector, coin, body.storeBuilder(signed).cell());
  }

  #findPast(hash: Hash): number {
    return [...this.#ledger.past].find(([, { setHash }]) => setHash === hash)?.[0] ?? 0;
  }
}

/** The set with which the network begins. */
function firstSet({ net }: TestChain): LedgerSet {
  const stored = getConfigParam(new ChainView(net.ledger, net.ledger.zero.id).config, 34);
  const { sinceAt, untilAt, main, list } = stored;
  const members = list.values().map((each) => ({ adnlAddress: zeroHash, ...each }));
  const hash = storeCell(configParam[34], stored).hash();
  return { hash, sinceAt, untilAt, main, totalWeight: 17n, members };
}

function recordOf<T extends ElectionRecord | PoolRecord>({ net }: TestChain, record: T): T {
  for (const block of listReceived(net.ledger)) record.readBlock(block);
  return record;
}

let stage: DemoStage;
let elections: ElectionRecord;
let nominators: PoolRecord;

beforeAll(async () => {
  stage = await openDemoStage({ play: (chain) => new Play(chain).run() });
  elections = recordOf(stage.chain, new ElectionRecord(firstSet(stage.chain)));
  nominators = recordOf(
    stage.chain,
    new PoolRecord({
      ...{ pool, validator: poolValidator.address, rewardShare: 4_000, maxNominators: 40 },
      ...{ minValidatorStake, minNominatorStake },
    }),
  );
});
afterAll(() => stage?.close());

/** An answer without its address book, which has the addresses of the answer and of the request. */
async function ask(name: string, args: Readonly<Record<string, string>> = {}): Promise<Json> {
  const { address_book: book, ...answer } = await stage.ask(name, { limit: "100", ...args });
  const shown = `${JSON.stringify(answer)} ${Object.values(args).join(" ").toUpperCase()}`;
  const addresses = new Set(shown.match(/(?:-1|\b0):[0-9A-F]{64}/g));
  expect(Object.keys(Object(book)).sort()).toEqual([...addresses].sort());
  return answer;
}

describe("elections over several terms", () => {
  it("have the stakes that were accepted, rejected and returned", async () => {
    const expected = elections.events("stake_accepted", "stake_rejected", "stake_recovered");
    expect(await ask("validators/events")).toEqual({ events: expected });
    expect(new Set(expected.map(({ reason }) => reason))).toEqual(new Set([undefined, 0, 1, 2, 3, 4, 5, 6]));
    for (const type of ["recover_requested", "recover_failed"])
      expect(await ask("validators/events", { type })).toEqual({ events: elections.events(type) });
  });

  it("have the participants with all that they sent", async () => {
    const expected = elections.elections();
    expect(await ask("validators/elections", { return_participants: "true" })).toEqual({ elections: expected });
    expect(expected.map(({ finished }) => finished)).toEqual([false, true, true, true, true]);
  });

  it("have cycles of those who won, with what counts of their stakes", async () => {
    const expected = elections.cycles();
    expect(await ask("validators/cycles", { return_validators: "true" })).toEqual({ cycles: expected });
    expect(expected.map(({ total }) => total)).toEqual([2, 3, 2, 3, 1]);
  });

  it("have complaints with the votes of the last set that voted", async () => {
    const expected = elections.complaints();
    expect(await ask("validators/complaints")).toEqual({ complaints: expected });
    const outcomes = expected.map(({ severity, is_passed: isPassed }) => [severity, isPassed]);
    expect(outcomes).toEqual([
      [3, false],
      [2, true],
      [1, true],
    ]);
  });
});

describe("a nominator pool over several terms", () => {
  const path = "staking/nominatorPools";

  it("has the state and the positions that its messages leave", async () => {
    expect(await ask(`${path}/pool`, { pool })).toEqual(nominators.pool());
    for (const index of [4, 5, 6, 7]) {
      const { address } = stage.chain.wallet(index);
      expect(await ask(`${path}/nominator`, { nominator: address })).toEqual({
        nominator_pools: nominators.positions(address),
      });
    }
  });

  it("has every event of its nominators", async () => {
    const expected = nominators.nominatorEvents();
    expect(await ask(`${path}/nominatorEvents`, { pool })).toEqual({ events: expected });
    const types = ["deposit", "withdrawal", "withdrawal_request", "reward", "pending_deposit_activation"];
    expect(new Set(expected.map(({ type }) => type))).toEqual(new Set(types));
    for (const index of [4, 5, 6, 7]) {
      const { address } = stage.chain.wallet(index);
      expect(await ask(`${path}/nominatorRewards`, { pool, nominator: address })).toEqual(
        nominators.nominatorRewards(address),
      );
    }
  });

  it("has every event of its validator", async () => {
    const expected = nominators.validatorEvents();
    expect(await ask(`${path}/validatorEvents`, { pool })).toEqual({ events: expected });
    expect(expected.map(({ type }) => type)).toEqual(["withdrawal", "reward", "deposit", "penalty", "deposit"]);
    const { address: validator } = poolValidator;
    expect(await ask(`${path}/validatorRewards`, { pool, validator })).toEqual(nominators.validatorRewards());
  });
});
