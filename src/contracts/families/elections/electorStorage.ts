import type { Cell } from "../../../cell/Cell.ts";
import type { ValueOf } from "../../../cell/codec.ts";
import {
  bigInt,
  bool,
  cell,
  loadCell,
  maybe,
  ref,
  struct,
  tagged,
  uint8,
  uint32,
  uint64,
} from "../../../cell/codec.ts";
import { dictionary } from "../../../cell/dictionary.ts";
import { hashKey, uintKey } from "../../../cell/keys.ts";
import { linked } from "../../../cell/linked.ts";
import { isCoded } from "../../../lib/errors.ts";
import { Coins } from "../../../model/Currency.ts";
import { hash } from "../../../model/Hash.ts";

/** Anybody with the smallest stake may take part: more than a validator set can have. */
const maxMembers = 1 << 16;

// member$_ stake:Grams time:uint32 max_factor:uint32 src_addr:uint256 adnl_addr:uint256 = Member;
export const Member = struct({ stake: Coins, stakedAt: uint32, maxFactor: uint32, account: hash, adnlAddress: hash });
export type Member = ValueOf<typeof Member>;

// current$_ elect_at:uint32 elect_close:uint32 min_stake:Grams total_stake:Grams
//   members:(HashmapE 256 Member) failed:Bool finished:Bool = CurrentElection;
/** Members by their public keys; the id of an election is the time of its first set. */
export const CurrentElection = struct({
  electionId: uint32,
  closesAt: uint32,
  minStake: Coins,
  totalStake: Coins,
  members: dictionary(hashKey, Member, maxMembers),
  failed: bool,
  finished: bool,
});
export type CurrentElection = ValueOf<typeof CurrentElection>;

// validator_complaint#bc validator_pubkey:uint256 description:^Cell created_at:uint32
//   severity:uint8 reward_addr:uint256 paid:Grams suggested_fine:Grams
//   suggested_fine_part:uint32 = ValidatorComplaint;
export const ValidatorComplaint = tagged("#bc", {
  validatorKey: hash,
  description: cell,
  createdAt: uint32,
  severity: uint8,
  rewardAccount: hash,
  paid: Coins,
  suggestedFine: Coins,
  suggestedFinePart: uint32,
});
export type ValidatorComplaint = ValueOf<typeof ValidatorComplaint>;

// complaint_status#2d complaint:^ValidatorComplaint voters:(HashmapE 16 uint32)
//   vset_id:uint256 weight_remaining:int64 = ComplaintStatus;
/** Voters by their places in the set, with the times of their votes. */
export const ComplaintStatus = tagged("#2d", {
  complaint: ref(ValidatorComplaint),
  voters: dictionary(uintKey(16), uint32, maxMembers),
  setHash: hash,
  weightRemaining: bigInt(64),
});
export type ComplaintStatus = ValueOf<typeof ComplaintStatus>;

// frozen$_ addr:uint256 weight:uint64 stake:Grams banned:Bool = Frozen;
export const Frozen = struct({ account: hash, weight: uint64, stake: Coins, banned: bool });
export type Frozen = ValueOf<typeof Frozen>;

// past$_ unfreeze_at:uint32 stake_held:uint32 vset_hash:uint256
//   frozen:(HashmapE 256 Frozen) total_stake:Grams bonuses:Grams
//   complaints:(HashmapE 256 ComplaintStatus) = PastElection;
/** Frozen stakes by public key, complaints by the hash of the complaint. */
export const PastElection = struct({
  unfreezeAt: uint32,
  stakeHeldFor: uint32,
  setHash: hash,
  frozen: dictionary(hashKey, Frozen, maxMembers),
  totalStake: Coins,
  bonuses: Coins,
  complaints: dictionary(hashKey, ComplaintStatus),
});
export type PastElection = ValueOf<typeof PastElection>;

// elector$_ elect:(Maybe ^CurrentElection) credits:(HashmapE 256 Grams)
//   past_elections:(HashmapE 32 PastElection) grams:Grams
//   active_id:uint32 active_hash:uint256
/** Credits by account in the masterchain, past elections by id. */
export const ElectorStorage = struct({
  election: maybe(linked(CurrentElection)),
  credits: dictionary(hashKey, Coins, maxMembers),
  pastElections: dictionary(uintKey(32), PastElection),
  coins: Coins,
  activeId: uint32,
  activeHash: hash,
});
export type ElectorStorage = ValueOf<typeof ElectorStorage>;

/** The storage of an elector, read on demand; `undefined` for data of another layout. */
export function findElectorStorage(data: Cell): ElectorStorage | undefined {
  try {
    return loadCell(ElectorStorage, data);
  } catch (error) {
    if (isCoded(error)) return undefined;
    throw error;
  }
}
