import { bool, maybe, ref, tagged, uint, uint8, uint16, uint32, union } from "../../cell/codec.ts";
import { dictionary } from "../../cell/dictionary.ts";
import { uintKey } from "../../cell/keys.ts";
import { checked } from "../checked.ts";

const lifetimes = {
  mcCatchainLifetime: uint32,
  shardCatchainLifetime: uint32,
  shardValidatorsLifetime: uint32,
  shardValidatorsNum: uint32,
};

// catchain_config#c1 mc_catchain_lifetime:(## 32) { mc_catchain_lifetime >= 1 } shard_catchain_lifetime:(## 32)
//   { shard_catchain_lifetime >= 1 } shard_validators_lifetime:(## 32) { shard_validators_lifetime >= 1 }
//   shard_validators_num:(## 32) { shard_validators_num >= 1 } = CatchainConfig;
// catchain_config_new#c2 flags:(## 7) { flags = 0 } shuffle_mc_validators:Bool … = CatchainConfig;
export const CatchainConfig = checked(
  union({
    plain: ["#c1", lifetimes],
    shuffled: ["#c2", { flags: uint(7), shuffleMcValidators: bool, ...lifetimes }],
  }),
  (c) =>
    c.mcCatchainLifetime >= 1 &&
    c.shardCatchainLifetime >= 1 &&
    c.shardValidatorsLifetime >= 1 &&
    c.shardValidatorsNum >= 1 &&
    (c.kind === "plain" || c.flags === 0),
  "flags = 0 and all lifetimes >= 1",
);

const rounds = {
  nextCandidateDelayMs: uint32,
  consensusTimeoutMs: uint32,
  fastAttempts: uint32,
  attemptDuration: uint32,
  catchainMaxDeps: uint32,
  maxBlockBytes: uint32,
  maxCollatedBytes: uint32,
};

// consensus_config#d6 round_candidates:# { round_candidates >= 1 } next_candidate_delay_ms:uint32
//   consensus_timeout_ms:uint32 fast_attempts:uint32 attempt_duration:uint32 catchain_max_deps:uint32
//   max_block_bytes:uint32 max_collated_bytes:uint32 = ConsensusConfig;
// consensus_config_new#d7 flags:(## 7) { flags = 0 } new_catchain_ids:Bool round_candidates:(## 8)
//   { round_candidates >= 1 } … = ConsensusConfig;
// consensus_config_v3#d8 … proto_version:uint16 = ConsensusConfig;
// consensus_config_v4#d9 flags:(## 6) { flags = 0 } use_quic:Bool new_catchain_ids:Bool …
//   proto_version:uint16 catchain_max_blocks_coeff:uint32 = ConsensusConfig;
export const ConsensusConfig = checked(
  union({
    v1: ["#d6", { roundCandidates: uint32, ...rounds }],
    v2: ["#d7", { flags: uint(7), newCatchainIds: bool, roundCandidates: uint8, ...rounds }],
    v3: ["#d8", { flags: uint(7), newCatchainIds: bool, roundCandidates: uint8, ...rounds, protoVersion: uint16 }],
    v4: [
      "#d9",
      {
        flags: uint(6),
        useQuic: bool,
        newCatchainIds: bool,
        roundCandidates: uint8,
        ...rounds,
        protoVersion: uint16,
        catchainMaxBlocksCoeff: uint32,
      },
    ],
  }),
  (c) => c.roundCandidates >= 1 && (c.kind === "v1" || c.flags === 0),
  "flags = 0 and round_candidates >= 1",
);

// simplex_config#21 flags:(## 7) use_quic:Bool target_rate_ms:uint32 slots_per_leader_window:(## 32)
//   { slots_per_leader_window >= 1 } first_block_timeout_ms:uint32 max_leader_window_desync:uint32
//   = NewConsensusConfig;
// simplex_config_v2#22 flags:(## 5) protocol_version:(## 2) use_quic:Bool slots_per_leader_window:(## 32)
//   { slots_per_leader_window >= 1 } noncritical_params:(HashmapE 8 uint32) = NewConsensusConfig;
const NewConsensusConfig = checked(
  union({
    simplex: [
      "#21",
      {
        flags: uint(7),
        useQuic: bool,
        targetRateMs: uint32,
        slotsPerLeaderWindow: uint32,
        firstBlockTimeoutMs: uint32,
        maxLeaderWindowDesync: uint32,
      },
    ],
    simplexV2: [
      "#22",
      {
        flags: uint(5),
        protocolVersion: uint(2),
        useQuic: bool,
        slotsPerLeaderWindow: uint32,
        noncriticalParams: dictionary(uintKey(8), uint32),
      },
    ],
  }),
  (c) => c.slotsPerLeaderWindow >= 1,
  "slots_per_leader_window >= 1",
);

// new_consensus_config_all#10 mc:(Maybe ^NewConsensusConfig) shard:(Maybe ^NewConsensusConfig) = NewConsensusConfigAll;
export const NewConsensusConfigAll = tagged("#10", {
  mc: maybe(ref(NewConsensusConfig)),
  shard: maybe(ref(NewConsensusConfig)),
});
