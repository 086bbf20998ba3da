import { writeBoc } from "../../../../cell/boc.ts";
import type { ComplaintStatus, PastElection } from "../../../../contracts/families/elections/electorStorage.ts";
import { electorOpcodes } from "../../../../contracts/families/elections/messages.ts";
import { findQuery } from "../../../../contracts/families/elections/stakeEvent.ts";
import { type Address, makeAddress } from "../../../../model/Address.ts";
import { zeroHash } from "../../../../model/Hash.ts";
import type { TraceTransaction } from "../../../../model/Trace.ts";
import type { StoredVoter, ValidatorRow } from "../../../store/schema/validatorTables.ts";
import type { DecodedTransaction } from "../DecodedBatch.ts";
import type { ConfiguredSet, SetMember } from "./validatorSets.ts";

const { newComplaint, complaintVote: vote } = electorOpcodes;

/** The elections whose complaints a block may have changed: of new complaints and of votes. */
export function listComplainedElections(
  transactions: readonly Pick<DecodedTransaction, "seen">[],
  elector: Address,
): ReadonlySet<number> {
  const ids = new Set<number>();
  for (const { seen } of transactions) {
    const { account, inMessage } = seen;
    if (account !== elector || inMessage?.source === undefined) continue;
    const id = findComplainedElection(inMessage);
    if (id !== undefined) ids.add(id);
  }
  return ids;
}

// new_complaint#52674370 query_id:uint64 election_id:uint32 …
// vote#56744370 query_id:uint64 signature:bits512 tag:uint32 idx:uint16 election_id:uint32 hash:bits256
function findComplainedElection({ body }: NonNullable<TraceTransaction["inMessage"]>): number | undefined {
  const begun = findQuery(body);
  if (begun === undefined || (begun.op !== newComplaint && begun.op !== vote)) return undefined;
  const skipped = begun.op === vote ? 512 + 32 + 16 : 0;
  return begun.rest.remainingBits < skipped + 32 ? undefined : begun.rest.skip(skipped).loadUint(32);
}

/** An election whose set is configured. */
export interface SetElection {
  readonly electionId: number;
  readonly past: PastElection;
  readonly set: ConfiguredSet;
}

/** The complaints of an election, with the sets of the same configuration. */
export function makeComplaintRows(
  { electionId, past, set }: SetElection,
  sets: readonly ConfiguredSet[],
  mcSeqno: number,
): readonly ValidatorRow<"complaints">[] {
  return past.complaints.entries().map(([complaintHash, status]) => {
    const { complaint } = status;
    return {
      electionId,
      complaintHash,
      createdAt: complaint.createdAt,
      severity: complaint.severity,
      validatorKey: complaint.validatorKey,
      descriptionBoc: writeBoc(complaint.description),
      rewardAddress: makeAddress(-1, complaint.rewardAccount),
      paid: complaint.paid,
      suggestedFine: complaint.suggestedFine,
      suggestedFinePart: complaint.suggestedFinePart,
      votingSetHash: status.setHash,
      ...tallyOf(status, set, sets),
      mcSeqno,
    };
  });
}

type Tally = Pick<ValidatorRow<"complaints">, "voters" | "weightRemaining" | "approvedPercent" | "isPassed">;

/** How a vote stands: two thirds of the voting set must agree. */
function tallyOf(status: ComplaintStatus, own: ConfiguredSet, sets: readonly ConfiguredSet[]): Tally {
  const indexes = status.voters.keys();
  const voting = findVotingSet(status, own, sets, indexes.length === 0);
  const members = new Map(voting?.members.map((member) => [member.index, member]));
  const weight = (voting ?? own).totalWeight;
  const required = (2n * weight) / 3n;
  const weightRemaining = indexes.length === 0 ? required : status.weightRemaining;
  return {
    voters: indexes.map((index) => voterOf(index, members.get(index))),
    weightRemaining,
    approvedPercent: percentOf(required - weightRemaining, weight),
    isPassed: status.weightRemaining < 0n,
  };
}

/** The set that the elector names; before the first vote it is the current one that will vote. */
function findVotingSet(
  { setHash }: ComplaintStatus,
  own: ConfiguredSet,
  sets: readonly ConfiguredSet[],
  isUnvoted: boolean,
): ConfiguredSet | undefined {
  const named = setHash === zeroHash ? undefined : sets.find(({ hash }) => hash === setHash);
  if (named !== undefined || !isUnvoted) return named;
  return sets.find(({ param }) => param === 34) ?? own;
}

function voterOf(index: number, member: SetMember | undefined): StoredVoter {
  if (member === undefined) return { index };
  return { index, key: member.key, adnl: member.adnlAddress, weight: String(member.weight) };
}

/** A part of a whole in percent with three decimals, half away from zero. */
function percentOf(part: bigint, whole: bigint): number {
  if (whole === 0n || part === 0n) return 0;
  const size = part < 0n ? -part : part;
  const thousandths = (size * 200_000n + whole) / (2n * whole);
  return Number(part < 0n ? -thousandths : thousandths) / 1000;
}
