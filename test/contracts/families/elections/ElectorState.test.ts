import { describe, expect, it } from "vitest";
import { emptyCell } from "../../../../src/cell/Builder.ts";
import { storeCell, uint32 } from "../../../../src/cell/codec.ts";
import { makeDictionary } from "../../../../src/cell/dictionary.ts";
import { hashKey, uintKey } from "../../../../src/cell/keys.ts";
import { makeLinked } from "../../../../src/cell/linked.ts";
import {
  askElectorState,
  type ElectorState,
  readElectorState,
} from "../../../../src/contracts/families/elections/ElectorState.ts";
import {
  ComplaintStatus,
  CurrentElection,
  ElectorStorage,
  Frozen,
  Member,
  PastElection,
} from "../../../../src/contracts/families/elections/electorStorage.ts";
import { Coins } from "../../../../src/model/Currency.ts";
import { type Hash, zeroHash } from "../../../../src/model/Hash.ts";
import type { VmValue, VmValues } from "../../../../src/model/vm/VmValue.ts";
import { plainValue } from "../../../kit/cell/checkCodec.ts";

const digits = (pair: string): Hash => pair.repeat(32) as Hash;
const int = (value: bigint | number | Hash): VmValue => ({
  kind: "int",
  value: typeof value === "string" ? BigInt(`0x${value}`) : BigInt(value),
});
const none: VmValue = { kind: "null" };
const tuple = (...items: VmValue[]): VmValue => ({ kind: "tuple", items });
const listOf = (...items: VmValue[]): VmValue => items.reduceRight((rest, item) => tuple(item, rest), none);

// The time of a stake is not told by get-methods.
const member = { stake: 9n, stakedAt: 0, maxFactor: 65_536, account: digits("61"), adnlAddress: digits("ad") };
const election: CurrentElection = {
  ...{ electionId: 5, closesAt: 4, minStake: 3n, totalStake: 9n, failed: false, finished: true },
  members: makeDictionary(hashKey, Member, [[digits("a1"), member]]),
};
const status: ComplaintStatus = {
  complaint: {
    ...{ validatorKey: digits("a1"), description: emptyCell, createdAt: 6, severity: 2, rewardAccount: digits("64") },
    ...{ paid: 20n, suggestedFine: 40n, suggestedFinePart: 7 },
  },
  voters: makeDictionary(uintKey(16), uint32, [[3, 0]]),
  setHash: digits("51"),
  weightRemaining: -1n,
};
const frozen = makeDictionary(hashKey, Frozen, [
  [digits("a1"), { account: digits("61"), weight: 1n, stake: 8n, banned: false }],
]);
const past: PastElection = {
  ...{ unfreezeAt: 9, stakeHeldFor: 8, setHash: digits("51"), frozen, totalStake: 8n, bonuses: 1n },
  complaints: makeDictionary(hashKey, ComplaintStatus, [[digits("c1"), status]]),
};
const state: ElectorState = { election, pastElections: new Map([[5, past]]) };

const complaintFields = tuple(
  ...[int(digits("a1")), { kind: "cell", cell: emptyCell } as VmValue, int(6), int(2), int(digits("64"))],
  ...[int(20), int(40), int(7)],
);
const pastFields = [
  ...[int(9), int(8), int(digits("51")), { kind: "cell", cell: frozen.root ?? emptyCell } as VmValue],
  ...[int(8), int(1), none],
];

function answers(item: VmValue): Readonly<Record<string, VmValues>> {
  const listed = tuple(int(digits("a1")), tuple(int(9), int(65_536), int(digits("61")), int(digits("ad"))));
  return {
    participant_list_extended: [int(5), int(4), int(3), int(9), listOf(listed), int(0), int(-1)],
    past_elections: [listOf(item)],
    list_complaints: [
      listOf(tuple(int(digits("c1")), tuple(complaintFields, listOf(int(3)), int(digits("51")), int(-1)))),
    ],
  };
}

const ask = (known: Readonly<Record<string, VmValues>>) => askElectorState(async (method) => known[method]);

describe("the state of an elector", () => {
  it("is read from its storage", () => {
    const storage: ElectorStorage = {
      election: makeLinked(CurrentElection, election),
      credits: makeDictionary(hashKey, Coins, []),
      pastElections: makeDictionary(uintKey(32), PastElection, [[5, past]]),
      ...{ coins: 0n, activeId: 5, activeHash: zeroHash },
    };
    expect(plainValue(readElectorState(storeCell(ElectorStorage, storage)))).toEqual(plainValue(state));
    expect(readElectorState(emptyCell)).toBeUndefined();
  });

  it.each([
    ["flat", tuple(int(5), ...pastFields)],
    ["nested", tuple(int(5), tuple(...pastFields))],
  ])("is the same by get-methods, with past elections as %s tuples", async (_form, item) => {
    expect(plainValue(await ask(answers(item)))).toEqual(plainValue(state));
  });

  it("has no election where get-methods tell zeros, or are not there", async () => {
    const zeros = [int(0), int(0), int(0), int(0), none, int(0), int(0)];
    const nothing = { election: undefined, pastElections: new Map() };
    expect(await ask({ participant_list_extended: zeros })).toEqual(nothing);
    expect(await ask({})).toEqual(nothing);
  });

  it.each([
    ["a list that is none", { past_elections: [int(1)] }],
    ["a number of more than 32 bits", { past_elections: [listOf(tuple(int(2n ** 32n), ...pastFields))] }],
    ["no tuple", { past_elections: [listOf(int(1))] }],
  ])("is refused with %s", async (_what, known) => {
    await expect(ask(known)).rejects.toMatchObject({ code: "contracts/not-this" });
  });
});
