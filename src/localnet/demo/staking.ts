import { beginCell, emptyCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { storeCell } from "../../cell/codec.ts";
import { sliceOf } from "../../cell/Slice.ts";
import type { ElectorStorage } from "../../contracts/families/elections/electorStorage.ts";
import { findElectorStorage, ValidatorComplaint } from "../../contracts/families/elections/electorStorage.ts";
import { electorOpcodes } from "../../contracts/families/elections/messages.ts";
import { poolOpcodes } from "../../contracts/families/nominators/messages.ts";
import { type Address, accountOf, makeAddress } from "../../model/Address.ts";
import { masterchain } from "../../model/block/BlockId.ts";
import { coin } from "../../model/coins.ts";
import { getConfigParam } from "../../model/config/ConfigParams.ts";
import { zeroHash } from "../../model/Hash.ts";
import { demoCodes } from "../codes/demoCodes.ts";
import { electionTimes, electorAccount } from "../genesis/genesisConfig.ts";
import type { LocalValidator } from "../rounds/validators.ts";
import type { NetworkKeys } from "../wallets/networkKeys.ts";
import { bytesOf, makeRecover, makeStake, type StakeTerms } from "../wallets/stake.ts";
import { makeComment, type Transfer } from "../wallets/transfer.ts";
import { makeWallet } from "../wallets/Wallet.ts";
import { beginBody } from "./body.ts";
import { callMethod, type DemoChain, type DemoPeople, type DemoStage, sends, stage } from "./DemoStage.ts";
import { type ContractInit, makeContract } from "./NewContract.ts";

/** The nominator pool of the demo set. It and its validator are in the masterchain. */
export interface DemoStaking {
  readonly pool: Address;
  /** A wallet with the key of the fifth one. */
  readonly validator: Address;
  /** Who complains about validators: a wallet with the key of the fourth one. */
  readonly observer: Address;
}

const { payRequests, validatorDeposit } = poolOpcodes;
const { newComplaint, complaintVote } = electorOpcodes;
const signedVote = 0x56744350;

const elector = makeAddress(masterchain, electorAccount);
const poolFee = coin;
/** Three: all of the pool's stake counts beside those of the other validators. */
const maxFactor = 196_608;
const fine = 500n * coin;

const { validatorsElectedFor: term, electionsStartBefore, electionsEndBefore } = electionTimes;
/** The election in which the pool takes part last, and whose set is the current one. */
const lastElection = 5;

/** A set becomes active some seconds late, hence stakes of the one before it are returned late, too. */
const lateSeconds = 30;

/** How long the life of the network is that the demo set shows. */
export const demoHistorySeconds = lastElection * term + 60;

type StakingKeys = Pick<NetworkKeys, "validators" | "stakes">;

/**
 * Five elections, in each of which the validators of the network stake. A pool takes part in every second one: the
 * first round ends with a fine, the second one with a reward, the third one has begun. Between them nominators deposit,
 * ask for their coins, and get them.
 */
export function makeStaking(people: DemoPeople, keys: StakingKeys): [DemoStaking, readonly DemoStage[]] {
  const { alice, bob, carol, dave, erin } = people;
  const validator = makeWallet("v4r2", erin.key, { workchain: masterchain });
  const observer = makeWallet("v4r2", dave.key, { workchain: masterchain });
  const [ownStake, otherStake] = keys.stakes;
  const poolKey = keys.validators[2];
  const pool = makePool(validator.address);
  const toPool = (amount: bigint, body: Cell): Transfer => callMethod(pool.address, amount, { body });
  const deposit = (coins: bigint): Transfer => toPool(coins * coin + poolFee, makeComment("d"));
  const withdraw = toPool(coin, makeComment("w"));
  const stake = (coins: bigint) => (chain: DemoChain) =>
    toPool(2n * coin, makeStake(poolKey, { ...stakeTerms(chain, pool.address), value: coins * coin }));
  const refused = (chain: DemoChain): Transfer =>
    callMethod(elector, 5n * coin, { body: makeStake(poolKey, stakeTerms(chain, observer.address)) });
  const recover = toPool(2n * coin, makeRecover());
  const complain = (key: LocalValidator) => (chain: DemoChain) =>
    callMethod(elector, 3n * coin, { body: complaintBody(key, activeElection(chain)) });
  const vote = (voter: LocalValidator, accused: LocalValidator) => (chain: DemoChain) =>
    callMethod(elector, coin, { body: voteBody(chain, voter, accused) });
  const stages = [
    stage(
      sends(erin, fund(validator, 150_100n), fund(pool, 20n), fund(observer, 40n)),
      sends(dave, fund(ownStake.wallet, 350_000n)),
      sends(carol, fund(otherStake.wallet, 300_000n)),
    ),
    stage(
      sends(validator, toPool(150_000n * coin + poolFee, beginBody(validatorDeposit).cell())),
      sends(alice, deposit(120_000n)),
      sends(bob, deposit(60_000n)),
      sends(carol, deposit(40_000n)),
    ),
    opened(1),
    stage(sends(validator, stake(370_000n)), sends(observer, refused)),
    ...elected(1),
    stage(sends(bob, withdraw), sends(dave, deposit(50_000n))),
    stage(sends(observer, complain(poolKey))),
    stage(sends(observer, ...keys.validators.map((voter) => vote(voter, poolKey)))),
    stage(sends(observer, complain(ownStake.validator))),
    stage(sends(observer, vote(otherStake.validator, ownStake.validator))),
    opened(2),
    ...elected(2),
    opened(3),
    stage(sends(validator, recover)),
    stage(sends(validator, toPool(coin, beginBody(payRequests).storeUint(40, 8).cell()), stake(359_000n))),
    ...elected(3),
    opened(4),
    ...elected(4),
    opened(lastElection),
    stage(sends(validator, recover)),
    stage(sends(validator, stake(359_000n))),
    ...elected(lastElection),
    stage(sends(alice, withdraw), sends(carol, deposit(10_000n))),
  ];
  return [{ pool: pool.address, validator: validator.address, observer: observer.address }, stages];
}

function fund({ address, init }: ContractInit, coins: bigint): Transfer {
  return { to: address, amount: coins * coin, init };
}

/** The announcement of an election; stakes of an earlier one are returned. */
function opened(election: number): DemoStage {
  return { kind: "time", after: election * term - electionsStartBefore + lateSeconds, rounds: 3 };
}

/** The election itself, and the moment when its set becomes the current one. */
function elected(election: number): readonly DemoStage[] {
  return [
    { kind: "time", after: election * term - electionsEndBefore, rounds: 1 },
    { kind: "time", after: election * term, rounds: 2 },
  ];
}

// state:uint8 nominators_count:uint16 stake_amount_sent:Coins validator_amount:Coins config:^PoolConfig
//   nominators:(HashmapE 256 Nominator) withdraw_requests:(HashmapE 256 Unit) stake_at:uint32
//   saved_validator_set_hash:uint256 validator_set_changes_count:uint8 validator_set_change_time:uint32
//   stake_held_for:uint32 config_proposal_votings:(HashmapE 256 ProposalVotes)
function makePool(validator: Address): ContractInit {
  const config = beginCell()
    .storeHex(accountOf(validator))
    .storeUint(4_000, 16)
    .storeUint(40, 16)
    .storeCoins(100_000n * coin)
    .storeCoins(10_000n * coin)
    .cell();
  const data = beginCell()
    .storeUint(0, 8)
    .storeUint(0, 16)
    .storeCoins(0n)
    .storeCoins(0n)
    .storeRef(config)
    .storeUint(0, 2)
    .storeUint(0, 32)
    .storeHex(zeroHash)
    .storeUint(0, 8)
    .storeUint(0, 32)
    .storeUint(0, 32)
    .storeBit(false)
    .cell();
  return makeContract(demoCodes.nominatorPool, data, masterchain);
}

/** What a stake names of the open election. */
function stakeTerms(chain: DemoChain, holder: Address): StakeTerms {
  return { holder, electionId: findElector(chain)?.election?.load().electionId ?? 0, maxFactor };
}

function findElector({ findData }: DemoChain): ElectorStorage | undefined {
  const data = findData(elector);
  return data && findElectorStorage(data);
}

/** The election of the current set. */
function activeElection(chain: DemoChain): number {
  return findElector(chain)?.activeId ?? 0;
}

// new_complaint#52674370 query_id:uint64 election_id:uint32 complaint:ValidatorComplaint
function complaintBody({ publicKey }: LocalValidator, electionId: number): Cell {
  const complaint = {
    validatorKey: publicKey,
    description: emptyCell,
    // The elector fills in the time, the account and what was paid.
    createdAt: 0,
    severity: 1,
    rewardAccount: zeroHash,
    paid: 0n,
    suggestedFine: fine,
    suggestedFinePart: 0,
  };
  const content = storeCell(ValidatorComplaint, complaint);
  return beginBody(newComplaint).storeUint(electionId, 32).storeSlice(sliceOf(content)).cell();
}

// complaint_vote#56744370 query_id:uint64 signature:bits512 tag:uint32 idx:uint16 election_id:uint32 hash:bits256
function voteBody(chain: DemoChain, voter: LocalValidator, accused: LocalValidator): Cell {
  const electionId = activeElection(chain);
  const complaints = findElector(chain)?.pastElections.find(electionId)?.complaints.entries() ?? [];
  const [hash] = complaints.find(([, { complaint }]) => complaint.validatorKey === accused.publicKey) ?? [zeroHash];
  const members = getConfigParam(chain.config, 34).list.entries();
  const [index] = members.find(([, { publicKey }]) => publicKey === voter.publicKey) ?? [0];
  const signed = beginCell().storeUint(signedVote, 32).storeUint(index, 16).storeUint(electionId, 32).storeHex(hash);
  return beginBody(complaintVote)
    .storeBytes(voter.signBytes(bytesOf(signed.cell())))
    .storeBuilder(signed)
    .cell();
}
