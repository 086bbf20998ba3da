import {
  address,
  addresses,
  amount,
  bool,
  bytes,
  double,
  hash,
  int4,
  int8,
  int53,
  json,
  nullable,
  text,
} from "./columns.ts";
import { keepExisting, keepNewest, mergeColumns } from "./conflictRule.ts";
import { droppedBy, indexTable, inEveryIndex, kept, partOf } from "./indexTable.ts";
import { onEveryMachine } from "./placement.ts";
import type { Row } from "./Table.ts";

export type StoredStakeEvent =
  | "stake_accepted"
  | "stake_rejected"
  | "stake_recovered"
  | "recover_requested"
  | "recover_failed";

/** Who voted for a complaint: the place in the set, and the validator there when the set is known. */
export type StoredVoter = {
  readonly index: number;
  readonly key?: string;
  readonly adnl?: string;
  readonly weight?: string;
};

/** What a transaction shows of a stake; see `contracts/families/elections/stakeEvent.ts`. */
export const validatorEvents = indexTable({
  name: "validator_events",
  key: ["txHash"],
  source: partOf("transaction", "txHash"),
  retention: droppedBy("mcSeqno"),
  placement: onEveryMachine,
  columns: {
    txHash: hash,
    txLt: int8,
    utime: int53,
    mcSeqno: int4,
    type: text<StoredStakeEvent>(),
    stakeHolder: address,
    validatorKey: nullable(hash),
    adnlAddress: nullable(hash),
    electionId: nullable(int53),
    queryId: amount,
    amount: amount,
    reason: nullable(int4),
  },
});

/** The same in every index, and never removed. */
const ofElections = { source: inEveryIndex, retention: kept, placement: onEveryMachine } as const;

/** An election as the elector had it last. */
const validatorElections = indexTable({
  name: "validator_elections",
  key: ["electionId"],
  ...ofElections,
  conflict: keepNewest("mcSeqno"),
  columns: {
    electionId: int53,
    electClose: int53,
    minStake: amount,
    totalStake: amount,
    failed: bool,
    finished: bool,
    mcSeqno: int4,
  },
});

const validatorParticipants = indexTable({
  name: "validator_participants",
  key: ["electionId", "validatorKey", "stakeHolder"],
  ...ofElections,
  conflict: keepNewest("mcSeqno"),
  columns: {
    electionId: int53,
    validatorKey: hash,
    stakeHolder: address,
    stake: amount,
    maxFactor: int53,
    adnlAddress: hash,
    mcSeqno: int4,
  },
});

/** A validator set with the configuration of the last key block that had it. */
const validatorCycles = indexTable({
  name: "validator_cycles",
  key: ["cycleStart"],
  ...ofElections,
  // A cycle is seen at every key block of its life, at last without its election.
  conflict: mergeColumns({ newest: "mcSeqno", largest: ["totalStake"], first: ["electionSeqno", "electionId"] }),
  columns: {
    cycleStart: int53,
    cycleEnd: int53,
    setHash: hash,
    total: int4,
    main: int4,
    totalWeight: amount,
    electionId: nullable(int53),
    /** The key block whose elector said so. */
    electionSeqno: nullable(int4),
    /** The largest one seen: fines make it smaller. */
    totalStake: nullable(amount),
    validatorsElectedFor: int53,
    electionsStartBefore: int53,
    electionsEndBefore: int53,
    stakeHeldFor: int53,
    maxValidators: int4,
    maxMainValidators: int4,
    minValidators: int4,
    minStakeLimit: amount,
    maxStakeLimit: amount,
    minTotalStake: amount,
    maxStakeFactor: int53,
    mcSeqno: int4,
  },
});

/** A member of a set, which never changes but for what the elector tells of its stake. */
const validatorMembers = indexTable({
  name: "validator_members",
  key: ["setHash", "validatorIndex"],
  ...ofElections,
  conflict: mergeColumns({ largest: ["stake", "stakeHolder"] }),
  columns: {
    setHash: hash,
    validatorIndex: int4,
    validatorKey: hash,
    adnlAddress: hash,
    weight: amount,
    /** The largest one seen: fines make it smaller. */
    stake: nullable(amount),
    stakeHolder: nullable(address),
  },
});

const validatorComplaints = indexTable({
  name: "validator_complaints",
  key: ["electionId", "complaintHash"],
  ...ofElections,
  conflict: keepNewest("mcSeqno"),
  columns: {
    electionId: int53,
    complaintHash: hash,
    createdAt: int53,
    severity: int4,
    validatorKey: hash,
    descriptionBoc: bytes,
    rewardAddress: address,
    paid: amount,
    suggestedFine: amount,
    suggestedFinePart: int53,
    votingSetHash: hash,
    voters: json<readonly StoredVoter[]>(),
    weightRemaining: amount,
    approvedPercent: double,
    isPassed: bool,
    mcSeqno: int4,
  },
});

/** The accounts that the configuration of a key block suspends. */
const suspendedLists = indexTable({
  name: "suspended_lists",
  key: ["keySeqno"],
  ...ofElections,
  conflict: keepExisting,
  columns: {
    keySeqno: int4,
    suspendedUntil: int53,
    accounts: addresses,
  },
});

/** The tables of elections, validator sets and suspended accounts, by the names of their rows in `ElectionRows`. */
export const electionTables = {
  elections: validatorElections,
  participants: validatorParticipants,
  cycles: validatorCycles,
  members: validatorMembers,
  complaints: validatorComplaints,
  suspended: suspendedLists,
};

/** These tables and that of stake events. */
export const validatorTables = { events: validatorEvents, ...electionTables };

type Tables = typeof validatorTables;

/** A row of one of these tables. */
export type ValidatorRow<Name extends keyof Tables> = Row<Tables[Name]>;

/** What a block tells of elections and of the configuration, besides stake events. */
export type ElectionRows = {
  readonly [Name in keyof typeof electionTables]: readonly ValidatorRow<Name>[];
};

/** A block that tells nothing of them. */
export const noElections = Object.fromEntries(
  Object.keys(electionTables).map((name) => [name, []]),
) as unknown as ElectionRows;
