import { beginCell } from "../../../../src/cell/Builder.ts";
import type { Cell } from "../../../../src/cell/Cell.ts";
import { storeCell } from "../../../../src/cell/codec.ts";
import { makeDictionary } from "../../../../src/cell/dictionary.ts";
import { uintKey } from "../../../../src/cell/keys.ts";
import { sliceOf } from "../../../../src/cell/Slice.ts";
import { ValidatorComplaint } from "../../../../src/contracts/families/elections/electorStorage.ts";
import { type Address, accountOf, workchainOf } from "../../../../src/model/Address.ts";
import { configParam } from "../../../../src/model/config/ConfigParams.ts";
import { ValidatorDescr } from "../../../../src/model/config/ValidatorSet.ts";
import { type Hash, hashToBytes, zeroHash } from "../../../../src/model/Hash.ts";
import { verifyEd25519 } from "../../../../src/tvm/crypto/ed25519.ts";
import type { ReceivedMessage } from "./receivedMessages.ts";

const coin = 1_000_000_000n;

/** The parameters of the network, as its documentation has them. */
export const electionRules = {
  electedFor: 1_200,
  startBefore: 600,
  endBefore: 150,
  heldFor: 600,
  maxValidators: 400,
  maxMain: 100,
  minValidators: 1,
  minStake: 10_000n * coin,
  maxStake: 10_000_000n * coin,
  minTotalStake: 100_000n * coin,
  maxFactor: 196_608,
  deposit: coin,
  bitPrice: 1n,
  cellPrice: 500n,
  /** What the elector has for bonuses when the network is born. */
  firstFees: 900n * coin,
} as const;
const rules = electionRules;

interface Member {
  readonly stake: bigint;
  readonly at: number;
  readonly factor: number;
  readonly holder: Hash;
  readonly adnlAddress: Hash;
}

export interface LedgerElection {
  readonly id: number;
  readonly closesAt: number;
  totalStake: bigint;
  failed: boolean;
  finished: boolean;
  readonly members: Map<Hash, Member>;
}

export interface LedgerSet {
  readonly hash: Hash;
  readonly sinceAt: number;
  readonly untilAt: number;
  readonly main: number;
  readonly totalWeight: bigint;
  readonly members: readonly { readonly publicKey: Hash; readonly adnlAddress: Hash; readonly weight: bigint }[];
}

export interface LedgerComplaint {
  readonly content: ValidatorComplaint;
  voters: number[];
  setHash: Hash;
  weightRemaining: bigint;
}

export interface PastElection {
  unfreezeAt: number;
  readonly setHash: Hash;
  readonly frozen: Map<Hash, { readonly holder: Hash; stake: bigint }>;
  totalStake: bigint;
  bonuses: bigint;
  readonly complaints: Map<Hash, LedgerComplaint>;
}

/** The validator sets of the configuration. */
export interface LedgerSets {
  readonly previous?: LedgerSet | undefined;
  readonly current: LedgerSet;
  readonly next?: LedgerSet | undefined;
}

type StakeRequest = ReturnType<typeof readStake>;

/** What the elector and the configuration decide by the messages that they receive, as their rules describe it. */
export class ElectorLedger {
  sets: LedgerSets;
  election: LedgerElection | undefined;
  readonly past = new Map<number, PastElection>();
  readonly credits = new Map<Hash, bigint>();
  /** The sets that contracts see: those of the block before. */
  #seen: LedgerSets;
  #elected: LedgerSet | undefined;
  #fees: bigint = rules.firstFees;
  #activeId = 0;
  #activeHash: Hash;

  constructor(first: LedgerSet) {
    this.sets = { current: first };
    this.#seen = this.sets;
    this.#activeHash = first.hash;
  }

  beginBlock(): void {
    this.#seen = this.sets;
  }

  /** The elector makes one step of the life of an election. */
  tick(at: number): void {
    if (this.#conduct(at) || this.#announce(at)) return;
    const isActivated = this.#activate(at);
    const isInstalled = this.#install();
    if (!isActivated && !isInstalled) this.#unfreeze(at);
  }

  /** The configuration takes the set that the elector sends, which must be the one of this ledger. */
  takeSet({ body, at }: ReceivedMessage): void {
    const slice = sliceOf(body).skip(32 + 64);
    const hash = slice.loadRef().hash();
    if (hash !== this.#elected?.hash) throw new Error("the elector elected another set than the rules");
    if (this.#elected.sinceAt <= at) throw new Error("the set comes too late");
    this.sets = { ...this.sets, next: this.#elected };
  }

  configTick(at: number): void {
    const { current, next } = this.sets;
    if (this.#seen.next === undefined || next === undefined || next.sinceAt > at) return;
    this.sets = { previous: current, current: next };
  }

  collect(fees: bigint): void {
    const active = this.past.get(this.#activeId);
    if (active === undefined) this.#fees += fees;
    else active.bonuses += fees;
  }

  /** Takes a stake, or gives the reason against it. */
  stake(message: ReceivedMessage): number | undefined {
    const request = readStake(message.body);
    const { election } = this;
    const holder = accountOf(message.from);
    const stake = message.value > coin ? message.value - coin : 0n;
    if (election === undefined || workchainOf(message.from) !== -1) return 0;
    if (!isSigned(request, message.from)) return 1;
    if (request.factor < 65_536) return 6;
    if (stake * 4096n < election.totalStake) return 2;
    if (request.electionId !== election.id) return 3;
    if (election.finished) return 0;
    const before = election.members.get(request.publicKey);
    if (before !== undefined && before.holder !== holder) return 4;
    const together = stake + (before?.stake ?? 0n);
    if (together < rules.minStake) return 5;
    const { factor, adnlAddress } = request;
    election.members.set(request.publicKey, { stake: together, at: message.at, factor, holder, adnlAddress });
    election.totalStake += stake;
    election.failed = false;
    return undefined;
  }

  /** What is returned to an account. */
  recover(from: Address): bigint {
    const credit = this.credits.get(accountOf(from)) ?? 0n;
    this.credits.delete(accountOf(from));
    return credit;
  }

  /** Takes a complaint that its author pays; gives the election. */
  complain({ from, value, body, at }: ReceivedMessage): number {
    const slice = sliceOf(body).skip(32 + 64);
    const electionId = slice.loadUint(32);
    const [bits, references] = [slice.remainingBits, slice.remainingRefs];
    const written = ValidatorComplaint.load(slice);
    const past = this.past.get(electionId);
    const stake = past?.frozen.get(written.validatorKey)?.stake;
    if (past === undefined || stake === undefined || past.unfreezeAt <= at) return electionId;
    const each = BigInt(bits + 1024) * rules.bitPrice + BigInt(references + 2) * rules.cellPrice;
    const paid = rules.deposit + each * BigInt(past.unfreezeAt - at);
    const fine = fineOf(written, stake);
    if (value < paid + (1n << 30n) || fine > stake || fine <= paid) return electionId;
    const content = { ...written, createdAt: at, rewardAccount: accountOf(from), paid };
    const hash = storeCell(ValidatorComplaint, content).hash();
    if (!past.complaints.has(hash))
      past.complaints.set(hash, { content, voters: [], setHash: zeroHash, weightRemaining: 0n });
    return electionId;
  }

  /** Counts a vote of the current set; gives the election. */
  vote({ body }: ReceivedMessage): number {
    const slice = sliceOf(body).skip(32 + 64 + 512 + 32);
    const [index, electionId, hash] = [slice.loadUint(16), slice.loadUint(32), slice.loadHash()];
    const past = this.past.get(electionId);
    const complaint = past?.complaints.get(hash);
    const { current } = this.#seen;
    if (past === undefined || complaint === undefined) return electionId;
    if (complaint.setHash !== current.hash) {
      if (complaint.weightRemaining < 0n) return electionId;
      complaint.setHash = current.hash;
      complaint.voters = [];
      complaint.weightRemaining = (2n * current.totalWeight) / 3n;
    }
    if (complaint.voters.includes(index)) return electionId;
    const hadPassed = complaint.weightRemaining < 0n;
    complaint.voters.push(index);
    complaint.weightRemaining -= current.members[index]?.weight ?? 0n;
    if (!hadPassed && complaint.weightRemaining < 0n) this.#punish(past, complaint.content);
    return electionId;
  }

  #punish(past: PastElection, content: ValidatorComplaint): void {
    const accused = past.frozen.get(content.validatorKey);
    if (accused === undefined) return;
    const fine = smaller(accused.stake, fineOf(content, accused.stake));
    const reward = smaller(fine / 8n, content.paid * 8n);
    accused.stake -= fine;
    past.totalStake -= fine;
    this.#credit(content.rewardAccount, reward);
    this.#fees += fine - reward;
  }

  #announce(at: number): boolean {
    const due = this.#seen.current.untilAt - rules.startBefore;
    if (this.election !== undefined || this.#seen.next !== undefined || at < due) return false;
    const id = (at - due < 60 ? due : at) + rules.startBefore;
    const nothing = { totalStake: 0n, failed: false, finished: false, members: new Map<Hash, Member>() };
    this.election = { id, closesAt: id - rules.endBefore, ...nothing };
    return true;
  }

  #conduct(at: number): boolean {
    const { election } = this;
    if (election === undefined || election.finished || election.failed || at < election.closesAt) return false;
    if (election.totalStake < rules.minTotalStake) return false;
    const elected = electMembers(election);
    election.failed = elected === undefined;
    election.finished = elected !== undefined;
    if (elected === undefined) return true;
    const sinceAt = Math.max(at + rules.endBefore - 60, election.id);
    const set = makeSet(election, elected, sinceAt);
    this.#elected = set;
    const totalStake = sum(elected.map(([, stake]) => stake));
    const frozen = new Map(
      elected.map(([key, stake]) => [key, { holder: election.members.get(key)?.holder ?? zeroHash, stake }]),
    );
    for (const [key, { holder, stake }] of election.members)
      this.#credit(holder, stake - (frozen.get(key)?.stake ?? 0n));
    const unfreezeAt = set.untilAt + rules.heldFor;
    this.past.set(election.id, {
      ...{ unfreezeAt, setHash: set.hash, frozen, totalStake, bonuses: 0n, complaints: new Map() },
    });
    return true;
  }

  #install(): boolean {
    const setHash = this.election?.finished === true ? this.past.get(this.election.id)?.setHash : undefined;
    const { current, next } = this.#seen;
    if (setHash === undefined || (setHash !== current.hash && setHash !== next?.hash)) return false;
    this.election = undefined;
    return true;
  }

  #activate(at: number): boolean {
    const { hash } = this.#seen.current;
    if (this.#activeHash === hash) return false;
    const before = this.past.get(this.#activeId);
    if (before !== undefined) before.unfreezeAt = at + rules.heldFor;
    this.#activeHash = hash;
    this.#activeId = [...this.past].find(([, { setHash }]) => setHash === hash)?.[0] ?? 0;
    const active = this.past.get(this.#activeId);
    if (active === undefined) return true;
    const bonus = this.#fees / 8n;
    this.#fees -= bonus;
    active.bonuses += bonus;
    return true;
  }

  #unfreeze(at: number): void {
    const due = [...this.past].sort(([a], [b]) => a - b);
    const [id, past] = due.find(([each, { unfreezeAt }]) => unfreezeAt <= at && each !== this.#activeId) ?? [];
    if (id === undefined || past === undefined) return;
    this.past.delete(id);
    let left = past.bonuses;
    for (const { holder, stake } of past.frozen.values()) {
      const bonus = past.totalStake === 0n ? 0n : (past.bonuses * stake) / past.totalStake;
      this.#credit(holder, stake + bonus);
      left -= bonus;
    }
    this.#fees += left;
  }

  #credit(account: Hash, amount: bigint): void {
    if (amount > 0n) this.credits.set(account, (this.credits.get(account) ?? 0n) + amount);
  }
}

/** What counts of each elected stake, the largest first; `undefined` when it is too little. */
function electMembers({ members }: LedgerElection): readonly (readonly [Hash, bigint])[] | undefined {
  const ranked = [...members]
    .map(([key, member]) => ({ key, ...member, stake: smaller(member.stake, rules.maxStake) }))
    .sort((a, b) => compare(b.stake, a.stake) || a.at - b.at || (a.key < b.key ? 1 : -1));
  const chosen = ranked.slice(0, rules.maxValidators).map(({ stake: smallest }, last) =>
    ranked.slice(0, last + 1).map(({ key, stake, factor }) => {
      const most = (BigInt(Math.min(factor, rules.maxFactor)) * smallest) >> 16n;
      return [key, smaller(stake, most)] as const;
    }),
  );
  const totals = chosen.map((stakes) => sum(stakes.map(([, stake]) => stake)));
  const most = totals.reduce((best, total) => (total > best ? total : best), 0n);
  return most < rules.minTotalStake ? undefined : chosen[totals.indexOf(most)];
}

function makeSet(
  { members }: LedgerElection,
  elected: readonly (readonly [Hash, bigint])[],
  sinceAt: number,
): LedgerSet {
  const total = sum(elected.map(([, stake]) => stake));
  const list = elected.map(([publicKey, stake]) => {
    const adnlAddress = members.get(publicKey)?.adnlAddress ?? zeroHash;
    return { publicKey, adnlAddress, weight: (stake << 60n) / total };
  });
  const set = {
    ...{ sinceAt, untilAt: sinceAt + rules.electedFor, main: Math.min(list.length, rules.maxMain) },
    totalWeight: sum(list.map(({ weight }) => weight)),
  };
  const stored = list.map((each, index): [number, ValidatorDescr] => [index, { kind: "withAddress", ...each }]);
  const dictionary = makeDictionary(uintKey(16), ValidatorDescr, stored);
  const content = { kind: "extended" as const, ...set, total: list.length, list: dictionary };
  return { ...set, hash: storeCell(configParam[36], content).hash(), members: list };
}

/** The parts of a request to stake. */
export function readStake(body: Cell) {
  const slice = sliceOf(body).skip(32 + 64);
  const publicKey = slice.loadHash();
  const [electionId, factor] = [slice.loadUint(32), slice.loadUint(32)];
  return { publicKey, electionId, factor, adnlAddress: slice.loadHash(), signature: slice.loadRef() };
}

function isSigned({ publicKey, electionId, factor, adnlAddress, signature }: StakeRequest, holder: Address): boolean {
  const signed = beginCell()
    .storeUint(0x654c5074, 32)
    .storeUint(electionId, 32)
    .storeUint(factor, 32)
    .storeHex(accountOf(holder))
    .storeHex(adnlAddress)
    .cell();
  const bytes = sliceOf(signed).loadBytes(signed.bitLength / 8);
  return verifyEd25519(bytes, sliceOf(signature).loadBytes(64), hashToBytes(publicKey));
}

function fineOf({ suggestedFine, suggestedFinePart }: ValidatorComplaint, stake: bigint): bigint {
  return suggestedFine + ((stake * BigInt(suggestedFinePart)) >> 32n);
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);
