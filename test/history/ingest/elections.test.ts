import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyCell } from "../../../src/cell/Builder.ts";
import { writeBoc } from "../../../src/cell/boc.ts";
import { storeCell, uint32 } from "../../../src/cell/codec.ts";
import { makeDictionary } from "../../../src/cell/dictionary.ts";
import { hashKey, uintKey } from "../../../src/cell/keys.ts";
import {
  ComplaintStatus,
  type CurrentElection,
  Frozen,
  Member,
  type PastElection,
  ValidatorComplaint,
} from "../../../src/contracts/families/elections/electorStorage.ts";
import { parseScope } from "../../../src/history/scope/parseScope.ts";
import { claimScope } from "../../../src/history/scope/storedScope.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { setMissing } from "../../../src/history/store/schema/missingParts.ts";
import type { Table } from "../../../src/history/store/schema/Table.ts";
import { validatorTables } from "../../../src/history/store/schema/validatorTables.ts";
import { verifySample } from "../../../src/history/verify/verifySample.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import { fetchConfig } from "../../../src/lite/queries/config.ts";
import { type Address, makeAddress } from "../../../src/model/Address.ts";
import { configParam, getConfigParam } from "../../../src/model/config/ConfigParams.ts";
import { ValidatorDescr, type ValidatorSet } from "../../../src/model/config/ValidatorSet.ts";
import { type Hash, zeroHash } from "../../../src/model/Hash.ts";
import { openFresh } from "../../kit/history/database.ts";
import { readTable } from "../../kit/history/databaseRows.ts";
import { type IndexStage, openIndexStage } from "../../kit/history/indexStage.ts";
import { dumpIndex } from "../../kit/history/indexTables.ts";
import { HeldElector, newStakeBody, queryCell } from "../../kit/localnet/HeldElector.ts";
import { type ChainKit, openChainKit, type TestChain } from "../../kit/localnet/localChain.ts";

const coin = 1_000_000_000n;
const digits = (pair: string): Hash => pair.repeat(32) as Hash;
const [keyA, keyB, adnlA, adnlB] = [digits("a1"), digits("a2"), digits("ad"), digits("ae")] as const;
const [holderA, holderB, judge] = [digits("61"), digits("62"), digits("64")] as const;
const electionId = 5_000;

const memberA: Member = { stake: 700n, stakedAt: 1, maxFactor: 65_536, account: holderA, adnlAddress: adnlA };
const memberB: Member = { stake: 900n, stakedAt: 2, maxFactor: 131_072, account: holderB, adnlAddress: adnlB };

function electionOf(members: readonly [Hash, Member][], more: Partial<CurrentElection> = {}): CurrentElection {
  const totalStake = members.reduce((sum, [, { stake }]) => sum + stake, 0n);
  return {
    ...{ electionId, closesAt: 4_000, minStake: 300n, totalStake, failed: false, finished: false },
    members: makeDictionary(hashKey, Member, members),
    ...more,
  };
}

const complaint: ValidatorComplaint = {
  ...{ validatorKey: keyA, description: emptyCell, createdAt: 6_000, severity: 2, rewardAccount: judge },
  ...{ paid: 20n, suggestedFine: 40n, suggestedFinePart: 7 },
};
const complaintHash = storeCell(ValidatorComplaint, complaint).hash();

function complaintOf(voters: readonly [number, number][], setHash: Hash, weightRemaining: bigint): ComplaintStatus {
  return { complaint, voters: makeDictionary(uintKey(16), uint32, voters), setHash, weightRemaining };
}

function setOf(sinceAt: number, ...validators: readonly ValidatorDescr[]): ValidatorSet {
  return {
    ...{ kind: "extended" as const, sinceAt, untilAt: sinceAt + 100, total: validators.length, main: 1 },
    totalWeight: validators.reduce((sum, { weight }) => sum + weight, 0n),
    list: makeDictionary(
      uintKey(16),
      ValidatorDescr,
      validators.map((each, index) => [index, each]),
    ),
  };
}

const validatorA: ValidatorDescr = { kind: "withAddress", publicKey: keyA, weight: 40n, adnlAddress: adnlA };
const validatorB: ValidatorDescr = { kind: "plain", publicKey: keyB, weight: 50n };
const previous = setOf(5_000, validatorA, validatorB);
/** So late that it stays the next set. */
const nextStart = 4_000_000_000;
const next = setOf(nextStart, validatorB);
const previousHash = storeCell(configParam[32], previous).hash();
const nextHash = storeCell(configParam[36], next).hash();

function pastOf(stakes: readonly [Hash, Hash, bigint][], more: Partial<PastElection> = {}): PastElection {
  return {
    ...{ unfreezeAt: 9, stakeHeldFor: 8, setHash: previousHash, bonuses: 0n },
    frozen: makeDictionary(
      hashKey,
      Frozen,
      stakes.map(([key, account, stake]) => [key, { account, weight: 1n, stake, banned: false }]),
    ),
    totalStake: stakes.reduce((sum, [, , stake]) => sum + stake, 0n),
    complaints: makeDictionary(hashKey, ComplaintStatus, []),
    ...more,
  };
}

const whole: readonly [Hash, Hash, bigint][] = [
  [keyA, holderA, 600n],
  [keyB, holderB, 800n],
];
const withComplaint = (status: ComplaintStatus, stakes = whole): PastElection =>
  pastOf(stakes, { complaints: makeDictionary(hashKey, ComplaintStatus, [[complaintHash, status]]) });

const accepted = (to: Address, queryId: bigint) => ({ to, amount: coin, body: queryCell(0xf374484c, queryId) });
const rejected = (to: Address, queryId: bigint, reason: number) => ({
  to,
  amount: 3n * coin,
  body: queryCell(0xee6f454c, queryId, (builder) => builder.storeInt(reason, 32)),
});

/** Elections, refusals, a change of sets, a complaint with votes of two sets, and a fine. */
async function playElections(chain: TestChain): Promise<HeldElector> {
  await chain.rounds(2);
  const elector = await HeldElector.open(chain);
  const to = chain.wallet(0).address;
  await elector.tell([
    newStakeBody(5n, keyA, adnlA, electionId),
    { state: { election: electionOf([[keyA, memberA]]) }, sends: [accepted(to, 5n)] },
  ]);
  // No answer is sent for the query 0.
  const both = electionOf([
    [keyA, memberA],
    [keyB, memberB],
  ]);
  await elector.tell([newStakeBody(0n, keyB, adnlB, electionId), { state: { election: both } }]);
  await elector.tell(
    ...Array.from({ length: 7 }, (_, reason) => {
      const queryId = BigInt(10 + reason);
      return [newStakeBody(queryId, keyA, adnlA, 77), { sends: [rejected(to, queryId, reason)] }] as const;
    }),
    // Without an answer, and with too short a body.
    [newStakeBody(20n, keyA, adnlA, 77), {}],
    [queryCell(0x4e73744b, 0n), {}],
  );
  const finished = {
    election: { ...both, finished: true },
    past: [[electionId, pastOf(whole)]] as [number, PastElection][],
  };
  await elector.tell([queryCell(0xee764f4b, BigInt(electionId)), { state: finished }]);
  await elector.configure(32, previous);
  await elector.tell(
    [queryCell(0x47657424, 30n), { sends: [{ to, amount: 2n * coin, body: queryCell(0xf96f7324, 30n) }] }],
    [queryCell(0x47657424, 31n), { sends: [{ to, amount: coin, body: queryCell(0xfffffffe, 31n) }] }],
  );
  const unvoted = { past: [[electionId, withComplaint(complaintOf([], zeroHash, 0n))]] as [number, PastElection][] };
  const id = (builder: Parameters<NonNullable<Parameters<typeof queryCell>[2]>>[0]) =>
    builder.storeUint(electionId, 32);
  await elector.tell([queryCell(0x52674370, 40n, id), { state: unvoted }]);
  return elector;
}

const votedFor = (setHash: Hash, voter: number, remaining: bigint, stakes = whole) => ({
  past: [[electionId, withComplaint(complaintOf([[voter, 1]], setHash, remaining), stakes)]] as [
    number,
    PastElection,
  ][],
});
const voteBody = queryCell(0x56744370, 41n, (builder) => {
  for (let i = 0; i < 16; i++) builder.storeUint(0, 32);
  return builder.storeUint(0x56744350, 32).storeUint(0, 16).storeUint(electionId, 32).storeHex(complaintHash);
});

let kit: ChainKit;
let chain: TestChain;
let stage: IndexStage;
/** The set of the local network. */
let current: { readonly hash: Hash; readonly sinceAt: number };
const never = new AbortController().signal;

beforeAll(async () => {
  kit = await openChainKit();
  chain = await kit.open();
  const elector = await playElections(chain);
  current = await findCurrentSet();
  await elector.tell([voteBody, { state: votedFor(current.hash, 0, 5n) }]);
  // The next set votes anew, and the complaint passes: the stake becomes smaller.
  const fined: readonly [Hash, Hash, bigint][] = [
    [keyA, holderA, 560n],
    [keyB, holderB, 800n],
  ];
  await elector.configure(36, next);
  await elector.tell([voteBody, { state: votedFor(nextHash, 0, -17n, fined) }]);
  await elector.configure(16, { maxValidators: 7, maxMainValidators: 3, minValidators: 2 });
  // At last the elector forgets the election, and the set stays.
  await elector.tell([queryCell(1, 1n), { state: {} }]);
  await elector.configure(16, { maxValidators: 8, maxMainValidators: 3, minValidators: 2 });
  stage = await openIndexStage(chain.net.ledger);
  await stage.indexer({}).run(never);
});
afterAll(async () => {
  await stage?.close();
  await kit?.close();
});

async function findCurrentSet() {
  const { config } = await fetchConfig(chain.net.lite, chain.net.ledger.headId, { signal: never });
  const set = getConfigParam(config, 34);
  return { hash: storeCell(configParam[34], set).hash(), sinceAt: set.sinceAt };
}

const { events, elections, participants, cycles, members, complaints } = validatorTables;

describe("a chain with elections", () => {
  it("has the stakes that were accepted, rejected for every reason, asked for and given back", async () => {
    const holder = chain.wallet(0).address;
    const rows = (await readTable(stage.database, events)).toSorted((a, b) => Number(a.txLt - b.txLt));
    const shown = rows.map(({ txHash: _hash, txLt: _lt, utime: _utime, mcSeqno: _seqno, ...row }) => row);
    const none = { validatorKey: undefined, adnlAddress: undefined, electionId: undefined, reason: undefined };
    const stake = { stakeHolder: holder, validatorKey: keyA, adnlAddress: adnlA, electionId };
    const answers = Array.from({ length: 7 }, (_, reason) => ({
      ...{ ...stake, electionId: 77, type: "stake_rejected", queryId: BigInt(10 + reason), amount: 3n * coin, reason },
    }));
    expect(shown).toEqual([
      { ...stake, type: "stake_accepted", queryId: 5n, amount: 4n * coin, reason: undefined },
      {
        ...{ ...stake, validatorKey: keyB, adnlAddress: adnlB, type: "stake_accepted", queryId: 0n },
        ...{ amount: 4n * coin, reason: undefined },
      },
      ...answers,
      { ...none, type: "recover_requested", stakeHolder: holder, queryId: 30n, amount: 5n * coin },
      { ...none, type: "recover_requested", stakeHolder: holder, queryId: 31n, amount: 5n * coin },
      { ...none, type: "stake_recovered", stakeHolder: holder, queryId: 30n, amount: expect.any(BigInt) },
      { ...none, type: "recover_failed", stakeHolder: holder, queryId: 31n, amount: expect.any(BigInt) },
    ]);
  });

  it("has the election as it was last, and each member with the block of its last change", async () => {
    const [election, ...others] = await readTable(stage.database, elections);
    expect(others).toEqual([]);
    expect(election).toEqual({
      ...{ electionId, electClose: 4_000, minStake: 300n, totalStake: 1_600n, failed: false, finished: true },
      mcSeqno: expect.any(Number),
    });
    const listed = await readTable(stage.database, participants);
    expect(listed.map(({ mcSeqno: _seqno, ...row }) => row)).toEqual([
      {
        ...{ electionId, validatorKey: keyA, stakeHolder: makeAddress(-1, holderA), stake: 700n, maxFactor: 65_536 },
        adnlAddress: adnlA,
      },
      {
        ...{ electionId, validatorKey: keyB, stakeHolder: makeAddress(-1, holderB), stake: 900n, maxFactor: 131_072 },
        adnlAddress: adnlB,
      },
    ]);
    const [seqnoA = 0, seqnoB = 0] = listed.map(({ mcSeqno }) => mcSeqno);
    // The second member moved the first one in the dictionary; the end of the election changed neither.
    expect([seqnoA, seqnoB < (election?.mcSeqno ?? 0)]).toEqual([seqnoB, true]);
  });

  it("has cycles with the newest configuration, and the largest stakes ever seen", async () => {
    const shown = (await readTable(stage.database, cycles)).map(
      ({ cycleStart, electionId: of, totalStake, total, maxValidators, setHash }) => {
        return { cycleStart, of, totalStake, total, maxValidators, setHash };
      },
    );
    expect(shown).toEqual(
      [
        { cycleStart: 5_000, of: electionId, totalStake: 1_400n, total: 2, maxValidators: 8, setHash: previousHash },
        { cycleStart: nextStart, of: undefined, totalStake: undefined, total: 1, maxValidators: 8, setHash: nextHash },
        {
          ...{ cycleStart: current.sinceAt, of: undefined, totalStake: undefined, total: 1 },
          ...{ maxValidators: 8, setHash: current.hash },
        },
      ].toSorted((a, b) => (String(a.cycleStart) < String(b.cycleStart) ? -1 : 1)),
    );
    const own = (await readTable(stage.database, members)).filter(({ setHash }) => setHash === previousHash);
    expect(own).toEqual([
      {
        ...{ setHash: previousHash, validatorIndex: 0, validatorKey: keyA, adnlAddress: adnlA, weight: 40n },
        ...{ stake: 600n, stakeHolder: makeAddress(-1, holderA) },
      },
      {
        ...{ setHash: previousHash, validatorIndex: 1, validatorKey: keyB, adnlAddress: zeroHash, weight: 50n },
        ...{ stake: 800n, stakeHolder: makeAddress(-1, holderB) },
      },
    ]);
  });

  it("has the complaint with the votes of the last set that voted", async () => {
    expect(await readTable(stage.database, complaints)).toEqual([
      {
        ...{ electionId, complaintHash, createdAt: 6_000, severity: 2, validatorKey: keyA },
        ...{ descriptionBoc: new Uint8Array(writeBoc(emptyCell)), rewardAddress: makeAddress(-1, judge), paid: 20n },
        ...{ suggestedFine: 40n, suggestedFinePart: 7, votingSetHash: nextHash },
        voters: [{ index: 0, key: keyB, adnl: zeroHash, weight: "50" }],
        // Two thirds of 50 are 33.
        ...{ weightRemaining: -17n, approvedPercent: 100, isPassed: true, mcSeqno: expect.any(Number) },
      },
    ]);
  });

  it("is read whole at the first block of an index that starts late", async () => {
    const [participant] = await readTable(stage.database, participants);
    const from = (participant?.mcSeqno ?? 0) + 2;
    const database = await openFresh("postgres");
    try {
      await stage.indexer({ from, to: from }, { database }).run(never);
      const [election, ...others] = await readTable(database, elections);
      expect([election?.finished, election?.mcSeqno, others]).toEqual([false, from, []]);
      expect((await readTable(database, participants)).map(({ validatorKey }) => validatorKey)).toEqual([keyA, keyB]);
      expect((await readTable(database, cycles)).map(({ setHash }) => setHash)).toEqual([current.hash]);
      expect(await readTable(database, events)).toEqual([]);
    } finally {
      await database.close();
    }
  });

  it("is read whole at the first block after those that an older version indexed", async () => {
    const [participant] = await readTable(stage.database, participants);
    const end = (participant?.mcSeqno ?? 0) + 2;
    const database = await openFresh("postgres");
    try {
      await stage.indexer({ to: end - 1 }, { database }).run(never);
      const names = Object.values(validatorTables).map(({ name }) => name);
      await database.write(async (session) => {
        await session.run(names.map((name) => `delete from ${name}`).join(";"));
        await setMissing(session, "validators", [{ firstSeqno: 1, nextSeqno: end }]);
      });
      await stage.indexer({ to: end }, { database }).run(never);
      expect((await readTable(database, participants)).map(({ mcSeqno }) => mcSeqno)).toEqual([end, end]);
      const modules = { ...stage.modules, database, network: "testnet", random: seededRandom("verify") } as const;
      const options = { count: 10_000, accountsPerBlock: 1, tracesPerBlock: 0 };
      expect((await verifySample(modules, options, never)).differences).toEqual([]);
    } finally {
      await database.close();
    }
  });

  it.each([
    ["the holder", () => chain.wallet(0).address, 13],
    ["another account", () => chain.wallet(1).address, 0],
  ] as const)("has all elections, and the stakes of its traces, in an index of %s", async (_who, account, count) => {
    const database = await openFresh("postgres");
    try {
      await claimScope(database, parseScope(JSON.stringify({ accounts: [account()] }), { isTest: true }));
      await stage.indexer({}, { database }).run(never);
      expect((await readTable(database, events)).length).toBe(count);
      for (const table of [elections, participants, cycles, members, complaints])
        expect(await readTable(database, table as Table)).toEqual(await readTable(stage.database, table as Table));
    } finally {
      await database.close();
    }
  });

  it("is the same in whatever order and parts its blocks are indexed", async () => {
    const once = await dumpIndex(stage.database);
    const head = chain.net.ledger.headId.seqno;
    const database = await openFresh("postgres");
    try {
      for (const from of [head - 20, head - 50, 1]) await stage.indexer({ from }, { database }).run(never);
      const parts = await dumpIndex(database);
      const pick = (dump: typeof once) => [events, cycles, members].map(({ name }) => dump[name]);
      expect(pick(parts)).toEqual(pick(once));
      // The block in which a late index first sees an election is another one; the contents are the same.
      for (const table of [elections, participants, complaints]) {
        const plain = async (from: Pick<Database, "query">) =>
          (await readTable(from, table as Table)).map((row) => ({ ...row, mcSeqno: undefined }));
        expect(await plain(database)).toEqual(await plain(stage.database));
      }
    } finally {
      await database.close();
    }
  });

  it("agrees with the chain when it is verified, and differs where a row was changed", async () => {
    const modules = { ...stage.modules, network: "testnet", random: seededRandom("verify") } as const;
    const options = { count: 10_000, accountsPerBlock: 1, tracesPerBlock: 0 };
    expect((await verifySample(modules, options, never)).differences).toEqual([]);
    await stage.database.write((session) =>
      session.run(`update validator_events set amount = 1 where query_id = 30 and type = 'stake_recovered';
        update validator_elections set total_stake = 1;
        delete from validator_participants where stake = 900;
        update validator_members set weight = 41 where weight = 40;
        update validator_cycles set main = 5 where cycle_start = ${nextStart};
        update validator_complaints set is_passed = false`),
    );
    const { differences } = await verifySample(modules, options, never);
    expect(differences.map(({ kind, table, columns }) => [kind, table, columns]).sort()).toEqual([
      ["different", "validator_complaints", ["isPassed"]],
      ["different", "validator_cycles", ["main"]],
      ["different", "validator_elections", ["totalStake"]],
      ["different", "validator_events", ["amount"]],
      ["different", "validator_members", ["weight"]],
      ["missing", "validator_participants", []],
    ]);
  });
});
