import { writeBoc } from "../../../../src/cell/boc.ts";
import { sliceOf } from "../../../../src/cell/Slice.ts";
import { configAccount, electorAccount } from "../../../../src/localnet/genesis/genesisConfig.ts";
import { type Address, makeAddress } from "../../../../src/model/Address.ts";
import { type Hash, zeroHash } from "../../../../src/model/Hash.ts";
import {
  ElectorLedger,
  electionRules,
  type LedgerComplaint,
  type LedgerElection,
  type LedgerSet,
  type PastElection,
  readStake,
} from "./ElectorLedger.ts";
import type { ReceivedMessage, ReceivingBlock } from "./receivedMessages.ts";

export type Row = Readonly<Record<string, unknown>>;

interface StakeEvent {
  readonly message: ReceivedMessage;
  readonly type: string;
  readonly holder: Address;
  readonly amount: bigint;
  readonly reason?: number | undefined;
}

interface Cycle {
  readonly set: LedgerSet;
  readonly electionId: number | undefined;
  /** As they were elected. */
  readonly stakes: ReadonlyMap<Hash, bigint>;
}

const elector = makeAddress(-1, electorAccount);
const config = makeAddress(-1, configAccount);
const fees = makeAddress(-1, zeroHash);
const coin = 1_000_000_000n;

const hex = (hash: Hash): string => hash.toUpperCase();
const base64 = (hash: Hash): string => Buffer.from(hash, "hex").toString("base64");
const inMasterchain = (account: Hash): string => makeAddress(-1, account).toUpperCase();

/** How v3 answers for elections, by the messages that the elector and the configuration received. */
export class ElectionRecord {
  readonly ledger: ElectorLedger;
  readonly #events: StakeEvent[] = [];
  readonly #elections = new Map<number, LedgerElection>();
  readonly #cycles = new Map<Hash, Cycle>();
  readonly #complaints = new Map<Hash, Row>();
  /** The elections whose complaints are read after the block. */
  readonly #touched = new Set<number>();
  /** What the elector owed to an account, and what came with the request. The elector pays no fees. */
  readonly #requests = new Map<Address, { readonly credit: bigint; readonly value: bigint }>();

  constructor(first: LedgerSet) {
    this.ledger = new ElectorLedger(first);
  }

  readBlock({ workchain, received }: ReceivingBlock): void {
    const { sets } = this.ledger;
    if (workchain === -1) this.ledger.beginBlock();
    for (const each of received) {
      if (each.kind === "message") this.#receive(each);
      else if (each.to === elector) this.ledger.tick(each.at);
      else if (each.to === config) this.ledger.configTick(each.at);
    }
    if (workchain !== -1) return;
    if (this.ledger.sets !== sets || this.#cycles.size === 0) this.#noteSets();
    const { election } = this.ledger;
    if (election !== undefined) this.#elections.set(election.id, { ...election, members: new Map(election.members) });
    for (const id of this.#touched) this.#noteComplaints(id);
    this.#touched.clear();
  }

  /** The newest first, as they are answered by default. */
  events(...types: readonly string[]): readonly Row[] {
    return this.#events
      .filter(({ type }) => types.includes(type))
      .sort((a, b) => (a.message.lt < b.message.lt ? 1 : -1))
      .map(({ message, type, holder, amount, reason }) => {
        const slice = sliceOf(message.body).skip(32);
        const isStake = type === "stake_accepted" || type === "stake_rejected";
        const { publicKey, adnlAddress, electionId } = isStake ? readStake(message.body) : noStake;
        return {
          ...{ tx_hash: base64(message.hash), tx_lt: String(message.lt), utime: message.at, type },
          stake_holder_address: holder.toUpperCase(),
          validator_pubkey: publicKey && hex(publicKey),
          adnl_addr: adnlAddress && hex(adnlAddress),
          election_id: electionId,
          query_id: String(slice.loadBigUint(64)),
          amount: String(amount),
          reason,
        };
      });
  }

  elections(): readonly Row[] {
    return [...this.#elections.values()].reverse().map((election) => ({
      ...{ election_id: election.id, elect_close: election.closesAt, min_stake: String(electionRules.minStake) },
      ...{ total_stake: String(election.totalStake), total_participants: election.members.size },
      ...{ failed: election.failed, finished: election.finished },
      participants: election.members.size === 0 ? undefined : this.#participants(election),
    }));
  }

  #participants({ id, members }: LedgerElection): readonly Row[] {
    const set = this.#cycleOf(id)?.set.members ?? [];
    return [...members]
      .sort(([keyA, a], [keyB, b]) => Number(b.stake - a.stake) || (keyA < keyB ? -1 : 1))
      .map(([key, { stake, factor, holder, adnlAddress }]) => {
        const index = set.findIndex(({ publicKey }) => publicKey === key);
        return {
          ...{ validator_pubkey: hex(key), validator_index: index < 0 ? undefined : index, stake: String(stake) },
          ...{ max_factor: factor, stake_holder_address: inMasterchain(holder), adnl_addr: hex(adnlAddress) },
        };
      });
  }

  cycles(): readonly Row[] {
    return [...this.#cycles.values()]
      .sort((a, b) => b.set.sinceAt - a.set.sinceAt)
      .map((cycle) => ({
        ...{ election_id: cycle.electionId, cycle_start: cycle.set.sinceAt, cycle_end: cycle.set.untilAt },
        ...{ total: cycle.set.members.length, main: cycle.set.main, total_weight: String(cycle.set.totalWeight) },
        ...stakesOf(cycle),
        ...rulesRow,
        validators: this.#validators(cycle),
      }));
  }

  #validators({ set, electionId, stakes }: Cycle): readonly Row[] {
    const election = electionId === undefined ? undefined : this.#elections.get(electionId);
    const complaints = this.complaints();
    return set.members.map(({ publicKey, adnlAddress, weight }, index) => {
      const member = election?.members.get(publicKey);
      return {
        ...{ validator_index: index, validator_pubkey: hex(publicKey), adnl_addr: hex(adnlAddress) },
        weight: String(weight),
        stake_holder_address: member && inMasterchain(member.holder),
        stake: stakes.get(publicKey)?.toString(),
        max_factor: member?.factor,
        complaints: complaints.filter(
          (each) => each.election_id === electionId && each.validator_pubkey === hex(publicKey),
        ),
      };
    });
  }

  /** The newest first; of equal times by their hashes. */
  complaints(): readonly Row[] {
    return [...this.#complaints]
      .sort(([a, left], [b, right]) => Number(right.created_at) - Number(left.created_at) || (a < b ? -1 : 1))
      .map(([, row]) => row);
  }

  #receive(message: ReceivedMessage): void {
    const { to, from, value, body } = message;
    if (to === elector && from === fees) this.ledger.collect(value);
    if (body.bitLength < 96 || from === fees) return;
    const opcode = sliceOf(body).loadUint(32);
    if (to === config && from === elector && opcode === 0x4e565354) this.ledger.takeSet(message);
    if (to === elector) this.#ask(message, opcode);
    if (from === elector) this.#answer(message, opcode);
  }

  #ask(message: ReceivedMessage, opcode: number): void {
    const { from, value } = message;
    if (opcode === 0x4e73744b) {
      const reason = this.ledger.stake(message);
      const type = reason === undefined ? "stake_accepted" : "stake_rejected";
      this.#events.push({ message, type, holder: from, amount: reason === undefined ? value - coin : value, reason });
    }
    if (opcode === 0x47657424) {
      this.#events.push({ message, type: "recover_requested", holder: from, amount: value });
      this.#requests.set(from, { credit: this.ledger.recover(from), value });
    }
    if (opcode === 0x52674370) this.#touched.add(this.ledger.complain(message));
    if (opcode === 0x56744370) this.#touched.add(this.ledger.vote(message));
  }

  /** The transaction that shows that coins were returned; a request that finds nothing returns its own. */
  #answer(message: ReceivedMessage, opcode: number): void {
    if (opcode !== 0xf96f7324 && opcode !== 0xfffffffe) return;
    const { credit, value } = this.#requests.get(message.to) ?? { credit: 0n, value: 0n };
    const type = credit > 0n ? "stake_recovered" : "recover_failed";
    this.#events.push({ message, type, holder: message.to, amount: credit + value });
  }

  #noteSets(): void {
    const { previous, current, next } = this.ledger.sets;
    for (const set of [previous, current, next]) {
      if (set === undefined || this.#cycles.has(set.hash)) continue;
      const [electionId, past] = [...this.ledger.past].find(([, { setHash }]) => setHash === set.hash) ?? [];
      const stakes = new Map([...(past?.frozen ?? [])].map(([key, { stake }]) => [key, stake]));
      this.#cycles.set(set.hash, { set, electionId, stakes });
    }
    for (const id of this.ledger.past.keys()) this.#touched.add(id);
  }

  /** Of an election whose set is the current one or the one before. */
  #noteComplaints(electionId: number): void {
    const past = this.ledger.past.get(electionId);
    const { previous, current } = this.ledger.sets;
    if (past === undefined || ![previous?.hash, current.hash].includes(past.setHash)) return;
    for (const [hash, complaint] of past.complaints)
      this.#complaints.set(hash, this.#complaintRow(electionId, past, hash, complaint));
  }

  #complaintRow(electionId: number, past: PastElection, hash: Hash, complaint: LedgerComplaint): Row {
    const { content, voters, setHash, weightRemaining } = complaint;
    const { previous, current, next } = this.ledger.sets;
    const own = this.#cycleOf(electionId)?.set;
    const named = [current, next, previous].find((set) => set?.hash === setHash);
    const voting = named ?? (voters.length === 0 ? current : undefined);
    const weight = (voting ?? own)?.totalWeight ?? 0n;
    const required = (2n * weight) / 3n;
    const remaining = voters.length === 0 ? required : weightRemaining;
    const holder = past.frozen.get(content.validatorKey)?.holder;
    const accused = own?.members.find(({ publicKey }) => publicKey === content.validatorKey);
    return {
      ...{ cycle_start: own?.sinceAt, election_id: electionId, complaint_hash: base64(hash) },
      ...{ created_at: content.createdAt, severity: content.severity, validator_pubkey: hex(content.validatorKey) },
      adnl_addr: accused === undefined ? null : hex(accused.adnlAddress),
      stake_holder_address: holder && inMasterchain(holder),
      description_boc: Buffer.from(writeBoc(content.description)).toString("base64"),
      reward_address: inMasterchain(content.rewardAccount),
      ...{ paid: String(content.paid), suggested_fine: String(content.suggestedFine) },
      suggested_fine_part: content.suggestedFinePart,
      vset_id: base64(setHash),
      voted_validators: voters.toSorted((a, b) => a - b).map((index) => voterRow(voting, index)),
      weight_remaining: String(remaining),
      approved_percent: Math.round((Number(required - remaining) / Number(weight)) * 100_000) / 1000,
      is_passed: weightRemaining < 0n,
    };
  }

  #cycleOf(electionId: number): Cycle | undefined {
    return [...this.#cycles.values()].find((cycle) => cycle.electionId === electionId);
  }
}

const noStake = { publicKey: undefined, adnlAddress: undefined, electionId: undefined };

/** The configuration as it is shown with a cycle. */
const rulesRow: Row = {
  validators_elected_for: electionRules.electedFor,
  elections_start_before: electionRules.startBefore,
  elections_end_before: electionRules.endBefore,
  stake_held_for: electionRules.heldFor,
  max_validators: electionRules.maxValidators,
  max_main_validators: electionRules.maxMain,
  min_validators: electionRules.minValidators,
  min_stake_limit: String(electionRules.minStake),
  max_stake_limit: String(electionRules.maxStake),
  min_total_stake: String(electionRules.minTotalStake),
  max_stake_factor: electionRules.maxFactor,
};

function stakesOf({ electionId, stakes }: Cycle): Row {
  if (electionId === undefined) return {};
  const ordered = [...stakes.values()].sort((a, b) => Number(a - b));
  const total = ordered.reduce((sum, stake) => sum + stake, 0n);
  return { total_stake: String(total), min_stake: String(ordered[0]), max_stake: String(ordered.at(-1)) };
}

function voterRow(set: LedgerSet | undefined, index: number): Row {
  const voter = set?.members[index];
  if (voter === undefined) return { validator_index: index };
  const { publicKey, adnlAddress, weight } = voter;
  return {
    ...{ validator_index: index, validator_pubkey: hex(publicKey), adnl_addr: hex(adnlAddress) },
    weight: String(weight),
  };
}
