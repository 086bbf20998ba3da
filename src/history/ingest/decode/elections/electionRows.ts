import type { ElectorState } from "../../../../contracts/families/elections/ElectorState.ts";
import type { CurrentElection, PastElection } from "../../../../contracts/families/elections/electorStorage.ts";
import { findStakeEvent } from "../../../../contracts/families/elections/stakeEvent.ts";
import { makeAddress } from "../../../../model/Address.ts";
import { masterchain } from "../../../../model/block/BlockId.ts";
import { type Config, findConfigParam } from "../../../../model/config/ConfigParams.ts";
import type { ElectionRows, ValidatorRow } from "../../../store/schema/validatorTables.ts";
import type { DecodedBatch } from "../DecodedBatch.ts";
import { type ConfiguredSet, findReadable } from "./validatorSets.ts";

/** Stake events of a block. */
export function makeStakeEvents({
  batch,
  transactions,
}: Pick<DecodedBatch, "batch" | "transactions">): readonly ValidatorRow<"events">[] {
  const elector = batch.elector && makeAddress(masterchain, batch.elector);
  if (elector === undefined) return [];
  const rows: ValidatorRow<"events">[] = [];
  for (const { seen: transaction } of transactions) {
    const event = findStakeEvent(transaction, elector);
    if (event === undefined) continue;
    rows.push({
      txHash: transaction.hash,
      txLt: transaction.lt,
      utime: transaction.now,
      mcSeqno: transaction.mcSeqno,
      type: event.type,
      stakeHolder: event.holder,
      validatorKey: event.stake?.validatorKey,
      adnlAddress: event.stake?.adnlAddress,
      electionId: event.stake?.electionId,
      queryId: event.queryId,
      amount: event.amount,
      reason: event.reason,
    });
  }
  return rows;
}

/** The rows of an election; of its members those that an earlier snapshot does not have. */
export function makeElectionRows(
  election: CurrentElection,
  before: CurrentElection | undefined,
  mcSeqno: number,
): Pick<ElectionRows, "elections" | "participants"> {
  const { electionId, closesAt: electClose, minStake, totalStake, failed, finished } = election;
  const known = before?.electionId === electionId ? before.members : undefined;
  const participants = election.members.changedSince(known).map(([validatorKey, member]) => ({
    electionId,
    validatorKey,
    stakeHolder: makeAddress(masterchain, member.account),
    stake: member.stake,
    maxFactor: member.maxFactor,
    adnlAddress: member.adnlAddress,
    mcSeqno,
  }));
  return { elections: [{ electionId, electClose, minStake, totalStake, failed, finished, mcSeqno }], participants };
}

/** The election that gave a set, while the elector has it. */
export function findElectionOf(
  { pastElections }: Pick<ElectorState, "pastElections">,
  { hash }: Pick<ConfiguredSet, "hash">,
): readonly [number, PastElection] | undefined {
  return [...pastElections].find(([, { setHash }]) => setHash === hash);
}

/** The row of a cycle. `keySeqno` is the key block that made the configuration. */
export function makeCycleRow(
  set: ConfiguredSet,
  election: readonly [number, PastElection] | undefined,
  config: Config,
  keySeqno: number,
): ValidatorRow<"cycles"> {
  const timings = findReadable(() => findConfigParam(config, 15));
  const counts = findReadable(() => findConfigParam(config, 16));
  const limits = findReadable(() => findConfigParam(config, 17));
  return {
    cycleStart: set.sinceAt,
    cycleEnd: set.untilAt,
    setHash: set.hash,
    total: set.total,
    main: set.main,
    totalWeight: set.totalWeight,
    electionId: election?.[0],
    electionSeqno: election && keySeqno,
    totalStake: election?.[1].totalStake,
    validatorsElectedFor: timings?.validatorsElectedFor ?? 0,
    electionsStartBefore: timings?.electionsStartBefore ?? 0,
    electionsEndBefore: timings?.electionsEndBefore ?? 0,
    stakeHeldFor: timings?.stakeHeldFor ?? 0,
    maxValidators: counts?.maxValidators ?? 0,
    maxMainValidators: counts?.maxMainValidators ?? 0,
    minValidators: counts?.minValidators ?? 0,
    minStakeLimit: limits?.minStake ?? 0n,
    maxStakeLimit: limits?.maxStake ?? 0n,
    minTotalStake: limits?.minTotalStake ?? 0n,
    maxStakeFactor: limits?.maxStakeFactor ?? 0,
    mcSeqno: keySeqno,
  };
}

/** The members of a set, with what the elector tells of their stakes. */
export function makeMemberRows(set: ConfiguredSet, past: PastElection | undefined): readonly ValidatorRow<"members">[] {
  const frozen = new Map(past?.frozen.entries());
  return set.members.map(({ index, key, adnlAddress, weight }) => {
    const stake = frozen.get(key);
    return {
      setHash: set.hash,
      validatorIndex: index,
      validatorKey: key,
      adnlAddress,
      weight,
      stake: stake?.stake,
      stakeHolder: stake && makeAddress(masterchain, stake.account),
    };
  });
}

/** The accounts that a configuration suspends; a configuration without the list suspends none. */
export function makeSuspendedRow(config: Config, keySeqno: number): ValidatorRow<"suspended"> {
  const list = findReadable(() => findConfigParam(config, 44));
  return { keySeqno, suspendedUntil: list?.suspendedUntilAt ?? 0, accounts: [...(list?.addresses.keys() ?? [])] };
}
