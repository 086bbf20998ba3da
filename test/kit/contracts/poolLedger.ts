import type { NominatorEventType, ValidatorEventType } from "../../../src/contracts/families/nominators/poolEvents.ts";

const coin = 1_000_000_000n;

interface Account {
  balance: bigint;
  pending: bigint;
  hasRequest: boolean;
}

type Figures = readonly [before: bigint, after: bigint];

/** An event as the ledger expects it: balance, pending balance and request before and after. */
export interface LedgerEvent {
  readonly nominator: string;
  readonly type: NominatorEventType;
  readonly amount: bigint;
  readonly balance: Figures;
  readonly pending: Figures;
  readonly request: readonly [before: boolean, after: boolean];
}

export interface ValidatorLedgerEvent {
  readonly type: ValidatorEventType;
  readonly balance: Figures;
  readonly queryId: bigint;
  readonly cycleStart: number | undefined;
}

/** The accounts of a nominator pool by the messages that it receives, as its documentation describes them. */
export class PoolLedger {
  readonly nominators = new Map<string, Account>();
  readonly events: LedgerEvent[] = [];
  readonly validatorEvents: ValidatorLedgerEvent[] = [];
  validatorAmount = 0n;
  stakeSent = 0n;
  #isStaking = false;
  #stakeAt = 0;
  readonly #share: bigint;

  constructor(share: number) {
    this.#share = BigInt(share);
  }

  deposit(name: string, amount: bigint): void {
    const account = this.nominators.get(name) ?? { balance: 0n, pending: 0n, hasRequest: false };
    const before = { ...account };
    if (this.#isStaking) account.pending += amount - coin;
    else account.balance += amount - coin;
    this.nominators.set(name, account);
    this.#note(name, "deposit", amount - coin, before, account);
  }

  withdraw(name: string): void {
    const account = this.nominators.get(name);
    if (account === undefined) return;
    if (this.#isStaking) this.#request(name, account);
    else this.#pay(name, account);
  }

  /** Pays everybody who asked, in the order of addresses. */
  processRequests(): void {
    for (const name of [...this.nominators.keys()].sort()) {
      const account = this.nominators.get(name);
      if (account?.hasRequest === true) this.#pay(name, account);
    }
  }

  validatorDeposit(amount: bigint, queryId: bigint): void {
    this.#change("deposit", this.validatorAmount + amount - coin, queryId, undefined);
  }

  validatorWithdraw(amount: bigint, queryId: bigint): void {
    const left = this.validatorAmount - amount;
    this.#change("withdrawal", left < 0n ? 0n : left, queryId, undefined);
  }

  newStake(amount: bigint, stakeAt: number): void {
    this.#isStaking = true;
    this.stakeSent = amount - coin;
    this.#stakeAt = stakeAt;
  }

  /** The elector did not take the stake: the coins are at home again. */
  rejected(): void {
    this.#isStaking = false;
  }

  /** The elector returned coins: the difference to the stake is shared. */
  returned(value: bigint, queryId: bigint): void {
    const reward = value - this.stakeSent;
    const own = reward > 0n ? (reward * this.#share) / 10_000n : reward;
    const validatorAfter = this.validatorAmount + own;
    const rest = reward > 0n ? reward - own : validatorAfter < 0n ? validatorAfter : 0n;
    const total = [...this.nominators.values()].reduce((sum, { balance }) => sum + balance, 0n);
    for (const name of [...this.nominators.keys()].sort()) {
      const account = this.nominators.get(name);
      if (account !== undefined)
        this.#settle(name, account, total === 0n ? 0n : floorDivide(rest * account.balance, total));
    }
    const type = own > 0n ? "reward" : "penalty";
    this.#change(type, validatorAfter < 0n ? 0n : validatorAfter, queryId, this.#stakeAt);
    this.#isStaking = false;
    this.stakeSent = 0n;
  }

  #settle(name: string, account: Account, reward: bigint): void {
    const before = { ...account };
    account.balance = account.balance + reward < 0n ? 0n : account.balance + reward;
    if (account.balance !== before.balance)
      this.#note(name, "reward", account.balance - before.balance, before, account);
    if (account.pending === 0n) return;
    const rewarded = { ...account };
    account.balance += account.pending;
    account.pending = 0n;
    this.#note(name, "pending_deposit_activation", rewarded.pending, rewarded, account);
  }

  #request(name: string, account: Account): void {
    const before = { ...account };
    account.hasRequest = true;
    this.#note(name, "withdrawal_request", 0n, before, account);
  }

  #pay(name: string, account: Account): void {
    this.nominators.delete(name);
    const nothing = { balance: 0n, pending: 0n, hasRequest: false };
    this.#note(name, "withdrawal", account.balance + account.pending, account, nothing);
  }

  #note(nominator: string, type: NominatorEventType, amount: bigint, before: Account, after: Account): void {
    this.events.push({
      nominator,
      type,
      amount,
      balance: [before.balance, after.balance],
      pending: [before.pending, after.pending],
      request: [before.hasRequest, after.hasRequest],
    });
  }

  #change(type: ValidatorEventType, after: bigint, queryId: bigint, cycleStart: number | undefined): void {
    const before = this.validatorAmount;
    this.validatorAmount = after;
    if (after !== before) this.validatorEvents.push({ type, balance: [before, after], queryId, cycleStart });
  }
}

/** Divides as the machine does, towards minus infinity. */
function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}
