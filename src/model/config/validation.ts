import { maybe, ref, struct, tagged, uint16, uint32 } from "../../cell/codec.ts";
import { Coins } from "../Currency.ts";
import { checked } from "../checked.ts";
import { hash } from "../Hash.ts";
import { CryptoSignature, SigPubKey } from "./Signature.ts";

// burning_config#01 blackhole_addr:(Maybe bits256) fee_burn_num:# fee_burn_denom:#
//   { fee_burn_num <= fee_burn_denom } { fee_burn_denom >= 1 } = BurningConfig;
export const BurningConfig = checked(
  tagged("#01", { blackholeAccount: maybe(hash), feeBurnNum: uint32, feeBurnDenom: uint32 }),
  (b) => b.feeBurnNum <= b.feeBurnDenom && b.feeBurnDenom >= 1,
  "fee_burn_num <= fee_burn_denom, fee_burn_denom >= 1",
);

// _ validators_elected_for:uint32 elections_start_before:uint32 elections_end_before:uint32 stake_held_for:uint32
//   = ConfigParam 15;
/** In seconds. */
export const ElectionTimings = struct({
  validatorsElectedFor: uint32,
  electionsStartBefore: uint32,
  electionsEndBefore: uint32,
  stakeHeldFor: uint32,
});

// _ max_validators:(## 16) max_main_validators:(## 16) min_validators:(## 16)
//   { max_validators >= max_main_validators } { max_main_validators >= min_validators } { min_validators >= 1 }
//   = ConfigParam 16;
export const ValidatorCounts = checked(
  struct({ maxValidators: uint16, maxMainValidators: uint16, minValidators: uint16 }),
  (c) => c.maxValidators >= c.maxMainValidators && c.maxMainValidators >= c.minValidators && c.minValidators >= 1,
  "max_validators >= max_main_validators >= min_validators >= 1",
);

// _ min_stake:Grams max_stake:Grams min_total_stake:Grams max_stake_factor:uint32 = ConfigParam 17;
export const StakeLimits = struct({ minStake: Coins, maxStake: Coins, minTotalStake: Coins, maxStakeFactor: uint32 });

// validator_temp_key#3 adnl_addr:bits256 temp_public_key:SigPubKey seqno:# valid_until:uint32 = ValidatorTempKey;
const ValidatorTempKey = tagged("#3", {
  adnlAddress: hash,
  tempPublicKey: SigPubKey,
  seqno: uint32,
  validUntilAt: uint32,
});

// signed_temp_key#4 key:^ValidatorTempKey signature:CryptoSignature = ValidatorSignedTempKey;
export const ValidatorSignedTempKey = tagged("#4", { key: ref(ValidatorTempKey), signature: CryptoSignature });

// misbehaviour_punishment_config_v1#01 default_flat_fine:Grams default_proportional_fine:uint32
//   severity_flat_mult:uint16 severity_proportional_mult:uint16 unpunishable_interval:uint16
//   long_interval:uint16 long_flat_mult:uint16 long_proportional_mult:uint16
//   medium_interval:uint16 medium_flat_mult:uint16 medium_proportional_mult:uint16 = MisbehaviourPunishmentConfig;
export const MisbehaviourPunishmentConfig = tagged("#01", {
  defaultFlatFine: Coins,
  defaultProportionalFine: uint32,
  severityFlatMult: uint16,
  severityProportionalMult: uint16,
  unpunishableInterval: uint16,
  longInterval: uint16,
  longFlatMult: uint16,
  longProportionalMult: uint16,
  mediumInterval: uint16,
  mediumFlatMult: uint16,
  mediumProportionalMult: uint16,
});
