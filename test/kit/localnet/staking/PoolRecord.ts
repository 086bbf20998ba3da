import { type Slice, sliceOf } from "../../../../src/cell/Slice.ts";
import { electorAccount } from "../../../../src/localnet/genesis/genesisConfig.ts";
import { type Address, makeAddress, workchainOf } from "../../../../src/model/Address.ts";
import { type LedgerEvent, PoolLedger, type ValidatorLedgerEvent } from "../../contracts/poolLedger.ts";
import type { Row } from "./ElectionRecord.ts";
import type { ReceivedMessage, ReceivingBlock } from "./receivedMessages.ts";

export interface PoolTerms {
  readonly pool: Address;
  readonly validator: Address;
  readonly rewardShare: number;
  readonly maxNominators: number;
  readonly minValidatorStake: bigint;
  readonly minNominatorStake: bigint;
}

interface Shown<T> {
  readonly event: T;
  readonly message: ReceivedMessage;
}

const elector = makeAddress(-1, electorAccount);
const coin = 1_000_000_000n;

/** How v3 answers for a nominator pool, by the messages that the pool received. */
export class PoolRecord {
  readonly #terms: PoolTerms;
  readonly #ledger: PoolLedger;
  readonly #events: Shown<LedgerEvent>[] = [];
  readonly #validatorEvents: Shown<ValidatorLedgerEvent>[] = [];
  #state: 0 | 1 | 2 = 0;

  constructor(terms: PoolTerms) {
    this.#terms = terms;
    this.#ledger = new PoolLedger(terms.rewardShare);
  }

  readBlock({ received }: ReceivingBlock): void {
    for (const message of received) {
      if (message.kind !== "message" || message.to !== this.#terms.pool) continue;
      const { events, validatorEvents } = this.#ledger;
      const [before, ownBefore] = [events.length, validatorEvents.length];
      this.#receive(message);
      for (const event of events.slice(before)) this.#events.push({ event, message });
      for (const event of validatorEvents.slice(ownBefore)) this.#validatorEvents.push({ event, message });
    }
  }

  pool(): Row {
    const { validator, rewardShare, maxNominators, minValidatorStake, minNominatorStake } = this.#terms;
    const { nominators } = this.#ledger;
    return {
      ...{ state: this.#state, stake_amount_sent: String(this.#ledger.stakeSent) },
      ...{ validator_amount: String(this.#ledger.validatorAmount), validator_address: validator.toUpperCase() },
      ...{ validator_reward_share: rewardShare, nominators_count: nominators.size },
      ...{ max_nominators_count: maxNominators, min_validator_stake: String(minValidatorStake) },
      min_nominator_stake: String(minNominatorStake),
      active_nominators: [...nominators]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([address, { balance, pending }]) => {
          return { address, balance: String(balance), pending_balance: String(pending) };
        }),
    };
  }

  /** The pools of a nominator. */
  positions(nominator: Address): readonly Row[] {
    const account = this.#ledger.nominators.get(nominator.toUpperCase());
    if (account === undefined) return [];
    const { balance, pending } = account;
    return [
      { pool_address: this.#terms.pool.toUpperCase(), balance: String(balance), pending_balance: String(pending) },
    ];
  }

  /** The newest first. */
  nominatorEvents(): readonly Row[] {
    return this.#events.toReversed().map(({ event, message }) => ({
      ...shownTransaction(message),
      ...{ pool_address: this.#terms.pool.toUpperCase(), nominator_address: event.nominator },
      ...{ type: event.type, amount: String(event.amount) },
      balance_delta: String(event.balance[1] - event.balance[0]),
      pending_balance_delta: String(event.pending[1] - event.pending[0]),
      ...{ balance_before: String(event.balance[0]), balance_after: String(event.balance[1]) },
      ...{ pending_balance_before: String(event.pending[0]), pending_balance_after: String(event.pending[1]) },
      ...{ withdraw_request_before: event.request[0], withdraw_request_after: event.request[1] },
    }));
  }

  nominatorRewards(nominator: Address): Row {
    const rewards = this.#events
      .toReversed()
      .filter(({ event }) => event.type === "reward" && event.nominator === nominator.toUpperCase());
    return {
      total_on_page: String(rewards.reduce((sum, { event }) => sum + event.amount, 0n)),
      rewards: rewards.map(({ event, message }) => ({
        ...shownTransaction(message),
        ...{ reward: String(event.amount), stake_before: String(event.balance[0]) },
      })),
    };
  }

  validatorEvents(): readonly Row[] {
    const { pool, validator, rewardShare } = this.#terms;
    return this.#validatorEvents.toReversed().map(({ event, message }) => {
      const [before, after] = event.balance;
      return {
        ...shownTransaction(message),
        ...{ pool_address: pool.toUpperCase(), validator_address: validator.toUpperCase(), type: event.type },
        ...{ amount: String(after > before ? after - before : before - after), balance_delta: String(after - before) },
        ...{ balance_before: String(before), balance_after: String(after), query_id: String(event.queryId) },
        ...{ cycle_start: event.cycleStart, validator_reward_share: rewardShare },
      };
    });
  }

  validatorRewards(): Row {
    const rewards = this.#validatorEvents.toReversed().filter(({ event }) => event.type === "reward");
    return {
      total_on_page: String(rewards.reduce((sum, { event }) => sum + event.balance[1] - event.balance[0], 0n)),
      rewards: rewards.map(({ event, message }) => ({
        ...shownTransaction(message),
        ...{ reward: String(event.balance[1] - event.balance[0]), balance_before: String(event.balance[0]) },
        ...{ cycle_start: event.cycleStart, query_id: String(event.queryId) },
      })),
    };
  }

  #receive(message: ReceivedMessage): void {
    const { from, value, body } = message;
    if (body.bitLength < 32) return;
    const slice = sliceOf(body);
    const opcode = slice.loadUint(32);
    if (opcode === 0) this.#comment(message, String.fromCharCode(slice.loadUint(8)));
    else if (from === elector) this.#answer(opcode, value, slice.loadBigUint(64));
    else if (opcode === 2 && this.#state === 0) this.#ledger.processRequests();
    else if (from === this.#terms.validator) this.#obey(opcode, value, slice);
  }

  #obey(opcode: number, value: bigint, slice: Slice): void {
    const queryId = slice.loadBigUint(64);
    if (opcode === 4) this.#ledger.validatorDeposit(value, queryId);
    if (opcode === 5 && this.#state === 0) this.#ledger.validatorWithdraw(slice.loadCoins(), queryId);
    if (opcode !== 0x4e73744b || this.#state !== 0) return;
    const amount = slice.loadCoins();
    slice.skip(256);
    this.#ledger.newStake(amount, slice.loadUint(32));
    this.#state = 1;
  }

  /** A deposit counts when the nominator has enough with it; a nominator is in the basechain. */
  #comment({ from, value }: ReceivedMessage, letter: string): void {
    if (workchainOf(from) !== 0) return;
    const nominator = from.toUpperCase();
    const { balance, pending } = this.#ledger.nominators.get(nominator) ?? { balance: 0n, pending: 0n };
    const isEnough = balance + pending + value - coin >= this.#terms.minNominatorStake;
    if (letter === "d" && isEnough) this.#ledger.deposit(nominator, value);
    if (letter === "w") this.#ledger.withdraw(nominator);
  }

  #answer(opcode: number, value: bigint, queryId: bigint): void {
    if (opcode === 0xf374484c) this.#state = 2;
    if (opcode === 0xee6f454c) {
      this.#ledger.rejected();
      this.#state = 0;
    }
    if (opcode !== 0xf96f7324) return;
    this.#ledger.returned(value, queryId);
    this.#state = 0;
  }
}

function shownTransaction({ hash, lt, at }: ReceivedMessage): Row {
  return { tx_hash: Buffer.from(hash, "hex").toString("base64"), tx_lt: String(lt), utime: at };
}
