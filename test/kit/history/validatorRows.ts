import { beginCell } from "../../../src/cell/Builder.ts";
import { writeBoc } from "../../../src/cell/boc.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { type ValidatorRow, validatorTables } from "../../../src/history/store/schema/validatorTables.ts";
import { makeAddress } from "../../../src/model/Address.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { loadRows } from "./loadRows.ts";

const digits = (pair: string): Hash => pair.repeat(32) as Hash;

/** Synthetic holders of stakes, their keys and ADNL addresses. */
export const holders = {
  one: makeAddress(-1, digits("61")),
  two: makeAddress(-1, digits("62")),
  three: makeAddress(-1, digits("63")),
  /** Who complains. */
  judge: makeAddress(-1, digits("64")),
} as const;
/** Accounts without a state that the configuration suspended before, and suspends now. */
export const suspended = { before: makeAddress(0, digits("d1")), now: makeAddress(0, digits("d2")) } as const;
export const keys = { one: digits("a1"), two: digits("a2"), three: digits("a3") } as const;
export const adnls = { one: digits("ad"), two: digits("ae"), three: digits("af") } as const;
export const sets = { first: digits("51"), second: digits("52") } as const;
export const complaintHashes = { open: digits("c1"), passed: digits("c2"), unlisted: digits("c3") } as const;
/** The ids of elections; the last needs 32 bits. */
export const elections = { first: 1_000_000, second: 1_065_536, late: 3_000_000_000 } as const;
export const cycleStarts = { first: 1_000_000, second: 1_065_600 } as const;
export const describedBy = writeBoc(beginCell().storeUint(7, 8).cell());

type EventRow = ValidatorRow<"events">;

function event(at: number, type: EventRow["type"], stakeHolder: EventRow["stakeHolder"], more: Partial<EventRow> = {}) {
  return {
    ...{ txHash: digits((0x10 + at).toString(16)), txLt: BigInt(500 + at), utime: 1_000_000 + at, mcSeqno: 5 },
    ...{ type, stakeHolder, validatorKey: undefined, adnlAddress: undefined, electionId: undefined },
    ...{ queryId: BigInt(at), amount: BigInt(at) * 1_000_000_000n, reason: undefined },
    ...more,
  };
}

const sent = (of: keyof typeof keys, electionId: number = elections.first) => {
  return { validatorKey: keys[of], adnlAddress: adnls[of], electionId };
};

function participant(of: keyof typeof keys, electionId: number, stake: bigint, mcSeqno = 5) {
  const own = { validatorKey: keys[of], stakeHolder: holders[of], adnlAddress: adnls[of] };
  return { electionId, ...own, stake, maxFactor: 196_608, mcSeqno };
}

const configured = {
  ...{ validatorsElectedFor: 65_536, electionsStartBefore: 32_768, electionsEndBefore: 8_192, stakeHeldFor: 32_768 },
  ...{ maxValidators: 400, maxMainValidators: 100, minValidators: 75 },
  ...{ minStakeLimit: 300n, maxStakeLimit: 10_000n, minTotalStake: 75_000n, maxStakeFactor: 196_608 },
};

const complaint = {
  ...{ createdAt: 1_010_000, severity: 3, descriptionBoc: describedBy, rewardAddress: holders.judge },
  ...{ paid: 20n, suggestedFine: 40n, suggestedFinePart: 4_294_967_295, mcSeqno: 6 },
};

/** Synthetic rows of elections and validator sets, for cases that no recorded chain covers. */
export const validatorRows = {
  events: [
    event(1, "stake_accepted", holders.one, sent("one")),
    event(2, "stake_rejected", holders.two, { ...sent("two"), reason: 5 }),
    event(3, "recover_requested", holders.one),
    event(4, "stake_recovered", holders.one),
    event(5, "recover_failed", holders.three),
    event(6, "stake_accepted", holders.three, { ...sent("three", elections.late), queryId: 2n ** 64n - 1n }),
  ],
  elections: [
    {
      ...{ electionId: elections.first, electClose: 991_808, minStake: 300n, totalStake: 900n },
      ...{ failed: false, finished: true, mcSeqno: 5 },
    },
    {
      ...{ electionId: elections.second, electClose: 1_057_344, minStake: 300n, totalStake: 100n },
      ...{ failed: true, finished: false, mcSeqno: 6 },
    },
    {
      ...{ electionId: elections.late, electClose: 2_999_999_000, minStake: 300n, totalStake: 0n },
      ...{ failed: false, finished: false, mcSeqno: 7 },
    },
  ],
  participants: [
    participant("one", elections.first, 300n),
    participant("two", elections.first, 400n),
    participant("three", elections.first, 400n),
    participant("three", elections.second, 100n),
  ],
  cycles: [
    {
      ...{ cycleStart: cycleStarts.first, cycleEnd: 1_065_536, setHash: sets.first, total: 2, main: 1 },
      ...{
        totalWeight: 90n,
        electionId: elections.first,
        electionSeqno: 5,
        totalStake: 700n,
        ...configured,
        mcSeqno: 5,
      },
    },
    {
      ...{ cycleStart: cycleStarts.second, cycleEnd: 1_131_072, setHash: sets.second, total: 2, main: 2 },
      ...{ totalWeight: 2n, electionId: undefined, electionSeqno: undefined, totalStake: undefined },
      ...{ ...configured, mcSeqno: 6 },
    },
  ],
  members: [
    {
      ...{ setHash: sets.first, validatorIndex: 0, validatorKey: keys.two, adnlAddress: adnls.two, weight: 50n },
      ...{ stake: 400n, stakeHolder: holders.two },
    },
    {
      ...{ setHash: sets.first, validatorIndex: 1, validatorKey: keys.one, adnlAddress: adnls.one, weight: 40n },
      ...{ stake: 300n, stakeHolder: holders.one },
    },
    {
      ...{ setHash: sets.second, validatorIndex: 0, validatorKey: keys.one, adnlAddress: digits("00"), weight: 1n },
      ...{ stake: 250n, stakeHolder: holders.one },
    },
    {
      ...{ setHash: sets.second, validatorIndex: 1, validatorKey: keys.three, adnlAddress: adnls.three, weight: 1n },
      ...{ stake: undefined, stakeHolder: undefined },
    },
  ],
  complaints: [
    {
      ...{ ...complaint, electionId: elections.first, complaintHash: complaintHashes.open, validatorKey: keys.one },
      ...{ votingSetHash: digits("00"), voters: [], weightRemaining: 60n, approvedPercent: 0, isPassed: false },
    },
    {
      ...{ ...complaint, electionId: elections.first, complaintHash: complaintHashes.passed, validatorKey: keys.three },
      ...{
        createdAt: 1_020_000,
        votingSetHash: sets.first,
        weightRemaining: -30n,
        approvedPercent: 100,
        isPassed: true,
      },
      voters: [{ index: 0, key: keys.two, adnl: adnls.two, weight: "50" }, { index: 7 }],
    },
    // The cycle of its election is not known.
    {
      ...{ ...complaint, electionId: elections.late, complaintHash: complaintHashes.unlisted, validatorKey: keys.one },
      ...{ votingSetHash: digits("00"), voters: [], weightRemaining: 0n, approvedPercent: 0, isPassed: false },
    },
  ],
  // The newer list counts.
  suspended: [
    { keySeqno: 1, suspendedUntil: 0xffff_ffff, accounts: [suspended.before, holders.two] },
    { keySeqno: 2, suspendedUntil: 0xffff_ffff, accounts: [holders.two, suspended.now] },
  ],
} as const satisfies { readonly [Name in keyof typeof validatorTables]: readonly ValidatorRow<Name>[] };

export async function loadValidatorRows(database: Pick<Database, "write">): Promise<void> {
  await database.write(async (session) => {
    await loadRows(session, validatorTables.events, validatorRows.events);
    await loadRows(session, validatorTables.elections, validatorRows.elections);
    await loadRows(session, validatorTables.participants, validatorRows.participants);
    await loadRows(session, validatorTables.cycles, validatorRows.cycles);
    await loadRows(session, validatorTables.members, validatorRows.members);
    await loadRows(session, validatorTables.complaints, validatorRows.complaints);
    await loadRows(session, validatorTables.suspended, validatorRows.suspended);
  });
}
