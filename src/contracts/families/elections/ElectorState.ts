import { emptyCell } from "../../../cell/Builder.ts";
import type { Cell } from "../../../cell/Cell.ts";
import { uint32 } from "../../../cell/codec.ts";
import { Dictionary, makeDictionary } from "../../../cell/dictionary.ts";
import { hashKey, uintKey } from "../../../cell/keys.ts";
import type { Hash } from "../../../model/Hash.ts";
import type { VmValue, VmValues } from "../../../model/vm/VmValue.ts";
import { notThis } from "../../kit/stack.ts";
import { intValue } from "../../kit/stackValues.ts";
import {
  ComplaintStatus,
  type CurrentElection,
  Frozen,
  findElectorStorage,
  Member,
  type PastElection,
  type ValidatorComplaint,
} from "./electorStorage.ts";

/** What an elector tells of elections. */
export interface ElectorState {
  readonly election: CurrentElection | undefined;
  /** By id. */
  readonly pastElections: ReadonlyMap<number, PastElection>;
}

/** Reads the storage; `undefined` for one of another layout. Members and stakes are read on demand. */
export function readElectorState(data: Cell): ElectorState | undefined {
  const storage = findElectorStorage(data);
  if (storage === undefined) return undefined;
  return { election: storage.election?.load(), pastElections: new Map(storage.pastElections.entries()) };
}

/** Runs a get-method of an elector; `undefined` when it has no such method or fails. */
export type AskElector = (method: string, stack: VmValues) => Promise<VmValues | undefined>;

/** The same of an elector with another storage, by its get-methods; `contracts/not-this` for unexpected results. */
export async function askElectorState(ask: AskElector): Promise<ElectorState> {
  const extended = await ask("participant_list_extended", []);
  const past = await ask("past_elections", []);
  const pastElections = new Map<number, PastElection>();
  for (const item of past === undefined ? [] : listItems(past[0])) {
    const [id, election] = readPast(item);
    const complaints = await ask("list_complaints", [intValue(BigInt(id))]);
    const listed = complaints === undefined ? [] : listItems(complaints[0]).map(readComplaint);
    pastElections.set(id, { ...election, complaints: makeDictionary(hashKey, ComplaintStatus, listed) });
  }
  return { election: extended && readElection(extended), pastElections };
}

/** Zeros stand for no election. */
function readElection(stack: VmValues): CurrentElection | undefined {
  const [electionId, closesAt, minStake, totalStake, members, failed, finished] = stack;
  if (intOf(electionId) === 0n) return undefined;
  const listed = listItems(members).map((item): [Hash, Member] => {
    const [key, member] = tupleOf(item);
    const [stake, maxFactor, account, adnlAddress] = tupleOf(member);
    return [
      hashOf(key),
      {
        stake: intOf(stake),
        // Not told, and not shown.
        stakedAt: 0,
        maxFactor: numberOf(maxFactor),
        account: hashOf(account),
        adnlAddress: hashOf(adnlAddress),
      },
    ];
  });
  return {
    electionId: numberOf(electionId),
    closesAt: numberOf(closesAt),
    minStake: intOf(minStake),
    totalStake: intOf(totalStake),
    members: makeDictionary(hashKey, Member, listed),
    failed: intOf(failed) !== 0n,
    finished: intOf(finished) !== 0n,
  };
}

/** The fields follow the id, or are a tuple of their own. */
function readPast(item: VmValue): [number, PastElection] {
  const [id, ...rest] = tupleOf(item);
  const [unfreezeAt, stakeHeldFor, setHash, frozen, totalStake, bonuses] = rest.length === 1 ? tupleOf(rest[0]) : rest;
  return [
    numberOf(id),
    {
      unfreezeAt: numberOf(unfreezeAt),
      stakeHeldFor: numberOf(stakeHeldFor),
      setHash: hashOf(setHash),
      frozen: new Dictionary(cellOf(frozen), hashKey, Frozen, maxItems),
      totalStake: intOf(totalStake),
      bonuses: intOf(bonuses),
      complaints: makeDictionary(hashKey, ComplaintStatus, []),
    },
  ];
}

function readComplaint(item: VmValue): [Hash, ComplaintStatus] {
  const [hash, status] = tupleOf(item);
  const [fields, voters, setHash, weightRemaining] = tupleOf(status);
  const [key, description, createdAt, severity, rewardAccount, paid, suggestedFine, part] = tupleOf(fields);
  const complaint: ValidatorComplaint = {
    validatorKey: hashOf(key),
    description: cellOf(description) ?? emptyCell,
    createdAt: numberOf(createdAt),
    severity: numberOf(severity),
    rewardAccount: hashOf(rewardAccount),
    paid: intOf(paid),
    suggestedFine: intOf(suggestedFine),
    suggestedFinePart: numberOf(part),
  };
  const votes = listItems(voters).map((voter): [number, number] => [numberOf(voter), 0]);
  return [
    hashOf(hash),
    {
      complaint,
      voters: makeDictionary(uintKey(16), uint32, votes),
      setHash: hashOf(setHash),
      weightRemaining: intOf(weightRemaining),
    },
  ];
}

/** Items of a list: more than a validator set can have are none. */
const maxItems = 1 << 16;

/** A list is null, or a pair of its first item and the rest. */
function listItems(list: VmValue | undefined): readonly VmValue[] {
  const items: VmValue[] = [];
  let left = list;
  while (left?.kind === "tuple") {
    const [first, rest] = left.items;
    if (first === undefined || left.items.length !== 2 || items.length === maxItems) throw notThis("no list");
    items.push(first);
    left = rest;
  }
  if (left?.kind !== "null") throw notThis("no list");
  return items;
}

function tupleOf(value: VmValue | undefined): readonly VmValue[] {
  if (value?.kind !== "tuple") throw notThis("no tuple");
  return value.items;
}

function intOf(value: VmValue | undefined): bigint {
  if (value?.kind !== "int") throw notThis("no number");
  return value.value;
}

function numberOf(value: VmValue | undefined): number {
  const number = intOf(value);
  if (number < 0n || number > 0xffff_ffffn) throw notThis(`${number} has more than 32 bits`);
  return Number(number);
}

function hashOf(value: VmValue | undefined): Hash {
  const number = intOf(value);
  if (number < 0n || number >> 256n !== 0n) throw notThis("a number of more than 256 bits");
  return number.toString(16).padStart(64, "0") as Hash;
}

function cellOf(value: VmValue | undefined): Cell | undefined {
  if (value?.kind === "null") return undefined;
  if (value?.kind !== "cell") throw notThis("no cell");
  return value.cell;
}
