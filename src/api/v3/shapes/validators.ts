import type { FullComplaint } from "../../../history/queries/validators/complaints.ts";
import type { CycleMember, FullCycle } from "../../../history/queries/validators/cycles.ts";
import type { FullElection, Participant } from "../../../history/queries/validators/elections.ts";
import type { StoredVoter, ValidatorRow } from "../../../history/store/schema/validatorTables.ts";
import { bool, decimal, int, list, nullable, omittable, shape, text } from "../../../lib/kit/shape.ts";
import type { Hash } from "../../../model/Hash.ts";
import { address, boc, fraction, hash, hexHash, named } from "./scalars.ts";

/** The times that a request asked for. */
export interface AskedTimes {
  readonly startUtime: number | undefined;
  readonly endUtime: number | undefined;
}

export const askedTimeFields = {
  start_utime: omittable(int)("`start_utime` of the request; absent without it.", (a: AskedTimes) => a.startUtime),
  end_utime: omittable(int)("`end_utime` of the request; absent without it.", (a: AskedTimes) => a.endUtime),
};

const keyWords = "Public key of the validator, in hex.";
const adnlWords = "ADNL address of the validator, in hex.";
const factorWords = "Largest ratio to the smallest stake that the validator accepts, multiplied by 65536.";

/** An event of a stake. */
export const validatorEvent = named(
  "ValidatorEvent",
  shape<ValidatorRow<"events">>()({
    tx_hash: hash("Hash of the transaction that shows the event, in base64.", (e) => e.txHash),
    tx_lt: decimal("Logical time of the transaction.", (e) => e.txLt),
    utime: int("Time of the transaction in Unix seconds.", (e) => e.utime),
    type: text(
      "`stake_accepted`, `stake_rejected` or `stake_recovered`; `recover_requested` and `recover_failed` only by request.",
      (e) => e.type,
    ),
    stake_holder_address: address("Account that holds the stake.", (e) => e.stakeHolder),
    validator_pubkey: omittable(hexHash)(
      "Public key that the stake was sent for, in hex; only of accepted and rejected stakes.",
      (e) => e.validatorKey,
    ),
    adnl_addr: omittable(hexHash)(
      "ADNL address that the stake was sent for, in hex; only of accepted and rejected stakes.",
      (e) => e.adnlAddress,
    ),
    election_id: omittable(int)(
      "Election that the stake was sent for; only of accepted and rejected stakes.",
      (e) => e.electionId,
    ),
    query_id: omittable(decimal)("Number that the sender chose to recognise the answer by.", (e) => e.queryId),
    amount: decimal("Amount in nanocoins; of a rejected stake what was sent back.", (e) => e.amount),
    reason: omittable(int)("Why the stake was rejected, as the elector numbers it.", (e) => e.reason),
  }),
);

const participant = named(
  "ElectionParticipant",
  shape<Participant>()({
    validator_pubkey: hexHash(keyWords, (p) => p.row.validatorKey),
    validator_index: omittable(int)(
      "Place in the validator set of this election; absent when not elected or not known.",
      (p) => p.index,
    ),
    stake: decimal("Sent stake in nanocoins; a part of it may be sent back.", (p) => p.row.stake),
    max_factor: int(factorWords, (p) => p.row.maxFactor),
    stake_holder_address: address("Account that holds the stake.", (p) => p.row.stakeHolder),
    adnl_addr: hexHash(adnlWords, (p) => p.row.adnlAddress),
  }),
);

/** An election of validators. */
export const validatorElection = named(
  "ValidatorElection",
  shape<FullElection>()({
    election_id: int("Id of the election: the time at which its validators were to begin.", (e) => e.row.electionId),
    elect_close: int("Time until which stakes are accepted, in Unix seconds.", (e) => e.row.electClose),
    min_stake: decimal("Smallest stake in nanocoins.", (e) => e.row.minStake),
    total_stake: decimal("All stakes together in nanocoins.", (e) => e.row.totalStake),
    total_participants: int("Number of all participants that are known.", (e) => e.totalParticipants),
    failed: bool("Whether no validators could be elected.", (e) => e.row.failed),
    finished: bool("Whether validators are elected.", (e) => e.row.finished),
    participants: omittable(list(participant))(
      "Participants that match, the largest stake first; absent unless asked for.",
      (e) => someOf(e.participants),
    ),
  }),
);

const voter = named(
  "ComplaintVoter",
  shape<StoredVoter>()({
    validator_index: int("Place in the validator set that votes.", (v) => v.index),
    validator_pubkey: omittable(hexHash)("Public key of the voter, in hex.", (v) => v.key as Hash | undefined),
    adnl_addr: omittable(hexHash)("ADNL address of the voter, in hex.", (v) => v.adnl as Hash | undefined),
    weight: omittable(decimal)("Weight of the vote.", (v) => (v.weight === undefined ? undefined : BigInt(v.weight))),
  }),
);

/** A complaint about a validator. */
export const validatorComplaint = named(
  "ValidatorComplaint",
  shape<FullComplaint>()({
    cycle_start: int("Beginning of the cycle that the complaint is about, in Unix seconds.", (c) => c.cycleStart),
    election_id: int("Id of the election of that cycle.", (c) => c.row.electionId),
    complaint_hash: hash("Hash of the complaint, in base64.", (c) => c.row.complaintHash),
    created_at: int("Time of the complaint in Unix seconds.", (c) => c.row.createdAt),
    severity: int("How serious the complaint is, as its author says.", (c) => c.row.severity),
    validator_pubkey: hexHash("Public key of the accused validator, in hex.", (c) => c.row.validatorKey),
    adnl_addr: nullable(hexHash)(
      "ADNL address of the accused, in hex; null when not in the validator set of the cycle.",
      (c) => c.adnlAddress,
    ),
    stake_holder_address: omittable(address)("Account that holds the stake of the accused.", (c) => c.holder),
    description_boc: boc("Description as a bag of cells in base64.", (c) => c.row.descriptionBoc),
    reward_address: address("Account that complained.", (c) => c.row.rewardAddress),
    paid: decimal("What the complaint cost, in nanocoins.", (c) => c.row.paid),
    suggested_fine: decimal("Suggested fine in nanocoins.", (c) => c.row.suggestedFine),
    suggested_fine_part: int(
      "Suggested further fine, as a share of the stake multiplied by 2^32.",
      (c) => c.row.suggestedFinePart,
    ),
    vset_id: hash(
      "Hash of the validator set that votes, in base64; zeros before the first vote.",
      (c) => c.row.votingSetHash,
    ),
    voted_validators: list(voter)("Validators that voted, by their places in the set.", (c) => c.row.voters),
    weight_remaining: decimal(
      "Weight that is missing for the complaint to pass; negative when it has passed.",
      (c) => c.row.weightRemaining,
    ),
    approved_percent: fraction(
      "Part of the weight that voted for the complaint, in percent.",
      (c) => c.row.approvedPercent,
    ),
    is_passed: bool("Whether the complaint has passed.", (c) => c.row.isPassed),
  }),
);

const member = named(
  "CycleValidator",
  shape<CycleMember>()({
    validator_index: int("Place in the validator set.", (m) => m.row.validatorIndex),
    validator_pubkey: hexHash(keyWords, (m) => m.row.validatorKey),
    adnl_addr: hexHash(`${adnlWords} Zeros when it has none.`, (m) => m.row.adnlAddress),
    weight: decimal("Weight of the validator.", (m) => m.row.weight),
    stake_holder_address: omittable(address)("Account that holds the stake.", (m) => m.holder),
    stake: omittable(decimal)("Stake in nanocoins as it was elected, before fines.", (m) => m.row.stake),
    max_factor: omittable(int)(factorWords, (m) => m.maxFactor),
    complaints: list(validatorComplaint)("Complaints about the validator, the newest first.", (m) => m.complaints),
  }),
);

/** A period of one validator set. */
export const validatorCycle = named(
  "ValidatorCycle",
  shape<FullCycle>()({
    election_id: omittable(int)("Id of the election of the validators.", (c) => c.row.electionId),
    cycle_start: int("Beginning of the cycle in Unix seconds.", (c) => c.row.cycleStart),
    cycle_end: int("End of the cycle in Unix seconds.", (c) => c.row.cycleEnd),
    total: int("Number of validators.", (c) => c.row.total),
    main: int("Number of validators that validate the masterchain.", (c) => c.row.main),
    total_weight: decimal("Weight of all validators.", (c) => c.row.totalWeight),
    total_stake: omittable(decimal)(
      "Stakes of all validators as they were elected, in nanocoins.",
      (c) => c.row.totalStake,
    ),
    min_stake: omittable(decimal)("Smallest stake; absent unless all are known.", (c) => c.stakes?.smallest),
    max_stake: omittable(decimal)("Largest stake; absent unless all are known.", (c) => c.stakes?.largest),
    validators_elected_for: int("Length of a cycle in seconds.", (c) => c.row.validatorsElectedFor),
    elections_start_before: int(
      "How many seconds before the end of a cycle the next election begins.",
      (c) => c.row.electionsStartBefore,
    ),
    elections_end_before: int(
      "How many seconds before the end of a cycle the next election ends.",
      (c) => c.row.electionsEndBefore,
    ),
    stake_held_for: int("How many seconds stakes are held after the cycle.", (c) => c.row.stakeHeldFor),
    max_validators: int("Largest number of validators.", (c) => c.row.maxValidators),
    max_main_validators: int("Largest number of validators of the masterchain.", (c) => c.row.maxMainValidators),
    min_validators: int("Smallest number of validators.", (c) => c.row.minValidators),
    min_stake_limit: decimal("Smallest stake that is allowed, in nanocoins.", (c) => c.row.minStakeLimit),
    max_stake_limit: decimal("Largest stake that is allowed, in nanocoins.", (c) => c.row.maxStakeLimit),
    min_total_stake: decimal("Smallest sum of stakes that is allowed, in nanocoins.", (c) => c.row.minTotalStake),
    max_stake_factor: int(
      "Largest ratio of the largest to the smallest stake, multiplied by 65536.",
      (c) => c.row.maxStakeFactor,
    ),
    validators: omittable(list(member))("Validators that match, by their places; absent unless asked for.", (c) =>
      someOf(c.members),
    ),
  }),
);

/** The contract leaves out empty lists. */
function someOf<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length === 0 ? undefined : items;
}
