import { beginCell, emptyCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { storeCell } from "../../cell/codec.ts";
import { sliceOf } from "../../cell/Slice.ts";
import { electorOpcodes } from "../../contracts/families/elections/electorOpcodes.ts";
import { findElectorStorage, ValidatorComplaint } from "../../contracts/families/elections/electorStorage.ts";
import { electorNewStake, electorRecoverStakeRequest } from "../../contracts/families/elections/messages.ts";
import { findPool } from "../../contracts/families/nominators/pool.ts";
import { type Address, accountOf, makeAddress } from "../../model/Address.ts";
import { masterchain } from "../../model/block/BlockId.ts";
import { hashFromBytes, zeroHash } from "../../model/Hash.ts";
import { demoCodes } from "../codes/demoCodes.ts";
import { electorAccount } from "../genesis/genesisConfig.ts";
import type { NetworkKeys } from "../wallets/networkKeys.ts";
import { makeComment, type Transfer } from "../wallets/transfer.ts";
import { makeWallet, type Wallet } from "../wallets/Wallet.ts";
import { beginBody, coin } from "./body.ts";
import { callMethod, type DemoChain, type DemoPeople, type DemoStage, sends, stage } from "./DemoStage.ts";
import { type ContractInit, makeContract } from "./NewContract.ts";

/** The nominator pool of the demo set. It and its validator are in the masterchain. */
export interface DemoStaking {
  readonly pool: Address;
  /** A wallet with the key of the fifth one. */
  readonly validator: Address;
  /** Who complains about the validator: a wallet with the key of the fourth one. */
  readonly observer: Address;
}

/** The opcodes of a pool that have no name elsewhere. */
const payRequests = 2;
const validatorDeposit = 4;
/** Of an elector. */
const { newComplaint, complaintVote } = electorOpcodes;
const signedStake = 0x654c5074;
const signedVote = 0x56744350;

const elector = makeAddress(masterchain, electorAccount);
const poolFee = coin;
/** The elector confirms only stakes with a query id. */
const stakeQuery = 1n;
const maxFactor = 65_536;
const fine = 500n * coin;
/** The length of a term, as the configuration has it: rounds of the past are over, that of now is not. */
const term = 65_536;

/**
 * Two rounds of a pool, one with a fine and one with a reward; the third one has begun. Between them nominators deposit,
 * ask for their coins, and get them.
 */
export function makeStaking(
  people: DemoPeople,
  network: Pick<NetworkKeys, "validator">,
): [DemoStaking, readonly DemoStage[]] {
  const { alice, bob, carol, dave, erin } = people;
  const validator = makeWallet("v4r2", erin.key, { workchain: masterchain });
  const observer = makeWallet("v4r2", dave.key, { workchain: masterchain });
  const pool = makePool(validator.address);
  const toPool = (amount: bigint, body: Cell): Transfer => callMethod(pool.address, amount, { body });
  const deposit = (coins: bigint): Transfer => toPool(coins * coin + poolFee, makeComment("d"));
  const withdraw = toPool(coin, makeComment("w"));
  const fund = ({ address, init }: ContractInit, coins: bigint): Transfer => ({
    to: address,
    amount: coins * coin,
    init,
  });
  const stake = (coins: bigint, terms: number) => (chain: DemoChain) =>
    toPool(2n * coin, stakeBody(validator, pool.address, coins * coin, chain.now - terms * term));
  const recover = toPool(2n * coin, beginBody(electorRecoverStakeRequest.opcode).cell());
  const complaint = (chain: DemoChain) =>
    callMethod(elector, 3n * coin, { body: complaintBody(validator, electionOf(chain, pool.address)) });
  const vote = (chain: DemoChain) =>
    callMethod(elector, coin, { body: voteBody(chain, network, electionOf(chain, pool.address)) });
  const stages = [
    stage(sends(erin, fund(validator, 150_100n), fund(pool, 20n), fund(observer, 20n))),
    stage(
      sends(validator, toPool(150_000n * coin + poolFee, beginBody(validatorDeposit).cell())),
      sends(alice, deposit(120_000n)),
      sends(bob, deposit(60_000n)),
      sends(carol, deposit(40_000n)),
    ),
    stage(sends(validator, stake(370_000n, 3))),
    stage(sends(bob, withdraw), sends(dave, deposit(50_000n))),
    stage(sends(observer, complaint)),
    stage(sends(observer, vote)),
    stage(sends(validator, recover)),
    stage(sends(validator, toPool(coin, beginBody(payRequests).storeUint(40, 8).cell()), stake(359_000n, 2))),
    stage(sends(validator, recover)),
    stage(sends(validator, stake(359_000n, 0))),
    stage(sends(alice, withdraw), sends(carol, deposit(10_000n))),
  ];
  return [{ pool: pool.address, validator: validator.address, observer: observer.address }, stages];
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

// new_stake#4e73744b query_id:uint64 value:Coins validator_pubkey:bits256 stake_at:uint32 max_factor:uint32
//   adnl_addr:bits256 signature:^bits512
function stakeBody({ key }: Wallet, pool: Address, value: bigint, stakeAt: number): Cell {
  const terms = beginCell().storeUint(stakeAt, 32).storeUint(maxFactor, 32);
  const signed = beginCell()
    .storeUint(signedStake, 32)
    .storeBuilder(terms)
    .storeHex(accountOf(pool))
    .storeHex(zeroHash)
    .cell();
  return beginCell()
    .storeUint(electorNewStake.opcode, 32)
    .storeBigUint(stakeQuery, 64)
    .storeCoins(value)
    .storeBytes(key.publicKey)
    .storeBuilder(terms)
    .storeHex(zeroHash)
    .storeRef(
      beginCell()
        .storeBytes(key.sign(bytesOf(signed)))
        .cell(),
    )
    .cell();
}

function bytesOf(content: Cell): Uint8Array {
  return sliceOf(content).loadBytes(content.bitLength / 8);
}

/** The election of a pool's current stake. */
function electionOf({ findData }: DemoChain, pool: Address): number {
  const data = findData(pool);
  return (data && findPool(data)?.stakeAt) ?? 0;
}

// new_complaint#52674370 query_id:uint64 election_id:uint32 complaint:^ValidatorComplaint
function complaintBody({ key }: Wallet, electionId: number): Cell {
  const complaint = {
    validatorKey: hashFromBytes(key.publicKey),
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
  return beginBody(newComplaint).storeUint(electionId, 32).storeRef(content).cell();
}

// complaint_vote#56744370 query_id:uint64 signature:bits512 tag:uint32 idx:uint16 election_id:uint32 hash:bits256
function voteBody({ findData }: DemoChain, { validator }: Pick<NetworkKeys, "validator">, electionId: number): Cell {
  const data = findData(elector);
  const past = data && findElectorStorage(data)?.pastElections.find(electionId);
  const [hash = zeroHash] = past?.complaints.keys() ?? [];
  const signed = beginCell().storeUint(signedVote, 32).storeUint(0, 16).storeUint(electionId, 32).storeHex(hash);
  return beginBody(complaintVote)
    .storeBytes(validator.signBytes(bytesOf(signed.cell())))
    .storeBuilder(signed)
    .cell();
}
