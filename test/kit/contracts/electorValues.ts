import fc from "fast-check";
import { uint32 } from "../../../src/cell/codec.ts";
import { hashKey, uintKey } from "../../../src/cell/keys.ts";
import { makeLinked } from "../../../src/cell/linked.ts";
import {
  ComplaintStatus,
  CurrentElection,
  type ElectorStorage,
  Frozen,
  Member,
  PastElection,
  type ValidatorComplaint,
} from "../../../src/contracts/families/elections/electorStorage.ts";
import { Coins } from "../../../src/model/Currency.ts";
import {
  anyCell,
  anyCoins,
  anyHash,
  anySignedBig,
  anyUint8,
  anyUint16,
  anyUint32,
  anyUint64,
} from "../model/modelValues.ts";
import { anyDictionary } from "../model/validatorValues.ts";

export const anyMember: fc.Arbitrary<Member> = fc.record({
  stake: anyCoins,
  stakedAt: anyUint32,
  maxFactor: anyUint32,
  account: anyHash,
  adnlAddress: anyHash,
});

export const anyElection: fc.Arbitrary<CurrentElection> = fc.record({
  electionId: anyUint32,
  closesAt: anyUint32,
  minStake: anyCoins,
  totalStake: anyCoins,
  members: anyDictionary(hashKey, Member, anyHash, anyMember),
  failed: fc.boolean(),
  finished: fc.boolean(),
});

export const anyComplaint: fc.Arbitrary<ValidatorComplaint> = fc.record({
  validatorKey: anyHash,
  description: anyCell,
  createdAt: anyUint32,
  severity: anyUint8,
  rewardAccount: anyHash,
  paid: anyCoins,
  suggestedFine: anyCoins,
  suggestedFinePart: anyUint32,
});

export const anyComplaintStatus: fc.Arbitrary<ComplaintStatus> = fc.record({
  complaint: anyComplaint,
  voters: anyDictionary(uintKey(16), uint32, anyUint16, anyUint32),
  setHash: anyHash,
  weightRemaining: anySignedBig(64),
});

export const anyFrozen: fc.Arbitrary<Frozen> = fc.record({
  account: anyHash,
  weight: anyUint64,
  stake: anyCoins,
  banned: fc.boolean(),
});

export const anyPastElection: fc.Arbitrary<PastElection> = fc.record({
  unfreezeAt: anyUint32,
  stakeHeldFor: anyUint32,
  setHash: anyHash,
  frozen: anyDictionary(hashKey, Frozen, anyHash, anyFrozen),
  totalStake: anyCoins,
  bonuses: anyCoins,
  complaints: anyDictionary(hashKey, ComplaintStatus, anyHash, anyComplaintStatus),
});

export const anyElectorStorage: fc.Arbitrary<ElectorStorage> = fc.record({
  election: fc.option(
    anyElection.map((election) => makeLinked(CurrentElection, election)),
    { nil: undefined },
  ),
  credits: anyDictionary(hashKey, Coins, anyHash, anyCoins),
  pastElections: anyDictionary(uintKey(32), PastElection, anyUint32, anyPastElection),
  coins: anyCoins,
  activeId: anyUint32,
  activeHash: anyHash,
});
