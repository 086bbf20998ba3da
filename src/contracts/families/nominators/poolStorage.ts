import { bool, type Codec, ref, struct, uint8, uint16, uint32, type ValueOf } from "../../../cell/codec.ts";
import { dictionary } from "../../../cell/dictionary.ts";
import { hashKey } from "../../../cell/keys.ts";
import { Coins } from "../../../model/Currency.ts";
import { hash, parseHash } from "../../../model/Hash.ts";

/** The pool of the demo set of local networks, which has the messages and the storage of the standard one. */
export const demoPoolCode = parseHash("0E915F470995F924945A9CA7A19103E1ECE05D9F0D036A01DB56914DBCB9DC28");

/** The codes of the standard nominator pool. A further code of the same contract needs only a line here. */
export const nominatorPoolCodes = [
  parseHash("9A3EC14BC098F6B44064C305222CAEA2800F17DDA85EE6A8198A7095EDE10DCF"),
  parseHash("A78C23DBC9F5093339D17E28AFBE97E28A963411A20286856C9F76AE1EF6F130"),
  demoPoolCode,
];

// config$_ validator_address:uint256 validator_reward_share:uint16 max_nominators_count:uint16
//   min_validator_stake:Grams min_nominator_stake:Grams = PoolConfig
const PoolConfig = struct({
  validator: hash,
  rewardShare: uint16,
  maxNominatorsCount: uint16,
  minValidatorStake: Coins,
  minNominatorStake: Coins,
});

// nominator$_ amount:Grams pending_deposit_amount:Grams = Nominator
const Nominator = struct({ amount: Coins, pendingDeposit: Coins });

const Unit: Codec<true> = { load: () => true, store: () => undefined };

// votes$_ votes:(HashmapE 256 [support:Bool time:uint32]) create_time:uint32 = ProposalVotes
const ProposalVotes = struct({
  votes: dictionary(hashKey, struct({ support: bool, time: uint32 })),
  createTime: uint32,
});

// pool$_ state:uint8 nominators_count:uint16 stake_amount_sent:Grams validator_amount:Grams config:^PoolConfig
//   nominators:(HashmapE 256 Nominator) withdraw_requests:(HashmapE 256 Unit) stake_at:uint32
//   saved_validator_set_hash:uint256 validator_set_changes_count:uint8 validator_set_change_time:uint32
//   stake_held_for:uint32 config_proposal_votings:(HashmapE 256 ProposalVotes) = Pool
export const PoolStorage = struct({
  state: uint8,
  nominatorsCount: uint16,
  stakeAmountSent: Coins,
  validatorAmount: Coins,
  config: ref(PoolConfig),
  nominators: dictionary(hashKey, Nominator),
  withdrawRequests: dictionary(hashKey, Unit),
  stakeAt: uint32,
  savedValidatorSetHash: hash,
  validatorSetChangesCount: uint8,
  validatorSetChangeTime: uint32,
  stakeHeldFor: uint32,
  configProposalVotings: dictionary(hashKey, ProposalVotes),
});
export type PoolStorage = ValueOf<typeof PoolStorage>;
