import fc from "fast-check";
import { beginCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { loadCell } from "../../../src/cell/codec.ts";
import { sliceOf } from "../../../src/cell/Slice.ts";
import { PoolStorage } from "../../../src/contracts/families/nominators/poolStorage.ts";
import { type Hash, hashFromBytes } from "../../../src/model/Hash.ts";

type Nominator = NonNullable<ReturnType<PoolStorage["nominators"]["find"]>>;
type ProposalVotes = NonNullable<ReturnType<PoolStorage["configProposalVotings"]["find"]>>;

/** What a test says of a pool. */
interface MadePool extends Partial<Omit<PoolStorage, "nominators" | "withdrawRequests" | "config">> {
  readonly validator: Hash;
  readonly config?: Partial<PoolStorage["config"]>;
  readonly nominators: readonly (readonly [Hash, Nominator])[];
  readonly requests?: readonly Hash[];
}

// Written bit by bit, as the contract does.
const emptyConfig = beginCell().storeHex("00".repeat(32)).storeUint(0, 32).storeUint(0, 8).cell();
const emptyStorage = loadStorage(undefined);

/** A storage that has nothing but votes on proposals. */
function loadStorage(proposals: Cell | undefined): PoolStorage {
  const cell = beginCell()
    .storeUint(0, 8 + 16 + 8)
    .storeRef(emptyConfig)
    .storeUint(0, 2 + 32)
    .storeHex("00".repeat(32))
    .storeUint(0, 40)
    .storeUint(0, 32)
    .storeMaybeRef(proposals)
    .cell();
  return loadCell(PoolStorage, cell);
}

/** The storage of a pool. */
export function makeStorage({ validator, config, nominators, requests = [], ...more }: MadePool): PoolStorage {
  const { nominators: none, withdrawRequests: noRequests } = emptyStorage;
  return {
    ...emptyStorage,
    validatorAmount: 100n,
    nominatorsCount: nominators.length,
    ...more,
    config: {
      ...{ validator, rewardShare: 4000, maxNominatorsCount: 40, minValidatorStake: 10n, minNominatorStake: 20n },
      ...config,
    },
    nominators: nominators.reduce((all, [account, nominator]) => all.set(account, nominator), none),
    withdrawRequests: requests.reduce((all, account) => all.set(account, true), noRequests),
  };
}

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(hashFromBytes);
const coins = fc.bigInt({ min: 0n, max: 2n ** 120n - 1n });
const uint = (bits: number) => fc.integer({ min: 0, max: 2 ** bits - 1 });

/** The storage of any pool. */
export const anyPool: fc.Arbitrary<PoolStorage> = fc
  .record({
    ...{ state: uint(8), nominatorsCount: uint(16), stakeAmountSent: coins, validatorAmount: coins, stakeAt: uint(32) },
    ...{ savedValidatorSetHash: hash, validatorSetChangesCount: uint(8), validatorSetChangeTime: uint(32) },
    ...{ stakeHeldFor: uint(32), validator: hash },
    config: fc.record({
      ...{ rewardShare: uint(16), maxNominatorsCount: uint(16), minValidatorStake: coins, minNominatorStake: coins },
    }),
    nominators: fc.array(fc.tuple(hash, fc.record({ amount: coins, pendingDeposit: coins })), { maxLength: 8 }),
    requests: fc.array(hash, { maxLength: 4 }),
    proposals: fc.array(fc.tuple(hash, hash, fc.boolean(), uint(32)), { maxLength: 4 }),
  })
  .map(({ proposals, ...pool }) => {
    const storage = makeStorage(pool);
    return {
      ...storage,
      configProposalVotings: proposals.reduce((all, [proposal, voter, support, time]) => {
        const { votes, createTime } = oneVote(voter, support, time);
        return all.set(proposal, { votes, createTime });
      }, storage.configProposalVotings),
    };
  });

/** Votes on a proposal, written bit by bit: a label of 256 bits, and a vote. */
function oneVote(voter: Hash, support: boolean, time: number): ProposalVotes {
  const leaf = beginCell().storeUint(0b10, 2).storeUint(256, 9).storeHex(voter).storeBit(support).storeUint(time, 32);
  const votes = beginCell().storeBit(true).storeRef(leaf.cell()).storeUint(time, 32).cell();
  // The same bits are the value of a proposal, of which the dictionary knows how to read it.
  const root = beginCell().storeUint(0b10, 2).storeUint(256, 9).storeHex(voter).storeSlice(sliceOf(votes)).cell();
  return loadStorage(root).configProposalVotings.get(voter);
}

/** A storage with its dictionaries as lists. */
export function plainStorage(storage: PoolStorage): unknown {
  const { nominators, withdrawRequests, configProposalVotings, ...rest } = storage;
  return {
    ...rest,
    nominators: nominators.entries(),
    withdrawRequests: withdrawRequests.keys(),
    configProposalVotings: configProposalVotings
      .entries()
      .map(([proposal, { votes, createTime }]) => [proposal, votes.entries(), createTime]),
  };
}
