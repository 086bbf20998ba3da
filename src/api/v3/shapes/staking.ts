import { nominatorEventTypes, validatorEventTypes } from "../../../contracts/families/nominators/poolEvents.ts";
import type { Nomination, NominatorPoolRow } from "../../../history/queries/staking/nominatorPools.ts";
import type { NominatorEventRow, ValidatorEventRow } from "../../../history/queries/staking/poolEvents.ts";
import { bool, decimal, int, list, omittable, shape } from "../../../lib/kit/shape.ts";
import type { Address } from "../../../model/Address.ts";
import { bookFields, type WithBook } from "./book.ts";
import { address, hash, named, word } from "./scalars.ts";

interface ShownNominator {
  readonly address: Address;
  readonly balance: bigint;
  readonly pendingBalance: bigint;
}

const activeNominator = named(
  "NominatorPoolNominator",
  shape<ShownNominator>()({
    address: address("Address of the nominator.", (n) => n.address),
    balance: decimal("Coins that take part in validation, in nanocoins.", (n) => n.balance),
    pending_balance: decimal("Coins that wait for the end of the round, in nanocoins.", (n) => n.pendingBalance),
  }),
);

function nominatorsOf({ nominators, balances, pendingBalances }: NominatorPoolRow): readonly ShownNominator[] {
  return nominators.map((each, index) => ({
    address: each,
    balance: balances[index] ?? 0n,
    pendingBalance: pendingBalances[index] ?? 0n,
  }));
}

export interface ShownPool extends WithBook {
  readonly row: NominatorPoolRow;
}

/** A nominator pool. */
export const nominatorPoolShape = named(
  "NominatorPool",
  shape<ShownPool>()({
    state: int("0: the stakes are in the pool; 1: a stake was sent; 2: the elector accepted it.", (p) => p.row.state),
    stake_amount_sent: decimal("Stake that was sent to the elector, in nanocoins.", (p) => p.row.stakeAmountSent),
    validator_amount: decimal("Coins of the validator in the pool, in nanocoins.", (p) => p.row.validatorAmount),
    validator_address: address("Address of the validator, in the masterchain.", (p) => p.row.validatorAddress),
    validator_reward_share: int(
      "Share of rewards that the validator gets, in ten-thousandths.",
      (p) => p.row.validatorRewardShare,
    ),
    nominators_count: int("Number of nominators.", (p) => p.row.nominatorsCount),
    max_nominators_count: int("Largest number of nominators.", (p) => p.row.maxNominatorsCount),
    min_validator_stake: decimal(
      "Smallest amount that the validator must have in the pool, in nanocoins.",
      (p) => p.row.minValidatorStake,
    ),
    min_nominator_stake: decimal(
      "Smallest amount that a nominator must have in the pool, in nanocoins.",
      (p) => p.row.minNominatorStake,
    ),
    active_nominators: list(activeNominator)("Nominators, by address.", (p) => nominatorsOf(p.row)),
    ...bookFields,
  }),
);

/** The coins of a nominator in a pool. */
export const nomination = named(
  "NominatorPoolPosition",
  shape<Nomination>()({
    pool_address: address("Address of the pool, in raw form.", (n) => n.pool),
    balance: decimal("Coins that take part in validation, in nanocoins.", (n) => n.balance),
    pending_balance: decimal("Coins that wait for the end of the round, in nanocoins.", (n) => n.pendingBalance),
  }),
);

/** The transaction of an event. */
const transactionFields = {
  tx_hash: hash("Hash of the transaction, in base64.", (e: EventTransaction) => e.txHash),
  tx_lt: decimal("Logical time of the transaction.", (e: EventTransaction) => e.txLt),
  utime: int("Time of the transaction, in Unix seconds.", (e: EventTransaction) => e.utime),
};

type EventTransaction = Pick<NominatorEventRow, "txHash" | "txLt" | "utime">;

/** What a transaction of a pool changed for a nominator. */
export const nominatorEvent = named(
  "NominatorPoolEvent",
  shape<NominatorEventRow>()({
    ...transactionFields,
    pool_address: address("Address of the pool, in raw form.", (e) => e.poolAddress),
    nominator_address: address("Address of the nominator that the event is about.", (e) => e.nominatorAddress),
    type: word(...nominatorEventTypes)(
      "Type of the event. An activation makes a pending deposit a part of the balance.",
      (e) => e.type,
    ),
    amount: decimal("Amount in nanocoins; negative only for a reward that is a loss.", (e) => e.amount),
    balance_delta: decimal("Change of the balance, in nanocoins.", (e) => e.balanceDelta),
    pending_balance_delta: decimal("Change of the pending balance, in nanocoins.", (e) => e.pendingBalanceDelta),
    balance_before: decimal("Balance before the event, in nanocoins.", (e) => e.balanceBefore),
    balance_after: decimal("Balance after the event, in nanocoins.", (e) => e.balanceAfter),
    pending_balance_before: decimal("Pending balance before the event, in nanocoins.", (e) => e.pendingBalanceBefore),
    pending_balance_after: decimal("Pending balance after the event, in nanocoins.", (e) => e.pendingBalanceAfter),
    withdraw_request_before: bool(
      "Whether a withdrawal was requested before the event.",
      (e) => e.withdrawRequestBefore,
    ),
    withdraw_request_after: bool("Whether a withdrawal is requested after the event.", (e) => e.withdrawRequestAfter),
  }),
);

/** A nominator's part of the reward of a round. */
export const nominatorReward = named(
  "NominatorPoolReward",
  shape<NominatorEventRow>()({
    utime: transactionFields.utime,
    reward: decimal("Reward in nanocoins; negative for a loss.", (e) => e.amount),
    stake_before: decimal("Balance before the reward, in nanocoins.", (e) => e.balanceBefore),
    tx_hash: transactionFields.tx_hash,
    tx_lt: transactionFields.tx_lt,
  }),
);

/** The change of the validator's own coins. */
export function validatorDelta({ balanceBefore, balanceAfter }: ValidatorEventRow): bigint {
  return balanceAfter - balanceBefore;
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

const validatorFields = {
  query_id: omittable(decimal)(
    "Number that the sender of the message chose; absent if the message has none.",
    (e: ValidatorEventRow) => e.queryId,
  ),
  cycle_start: omittable(int)(
    "Election of the round that ended; only of rewards and penalties.",
    (e: ValidatorEventRow) => e.cycleStart,
  ),
};

/** What a transaction of a pool changed for its validator. */
export const poolValidatorEvent = named(
  "NominatorPoolValidatorEvent",
  shape<ValidatorEventRow>()({
    ...transactionFields,
    pool_address: address("Address of the pool, in raw form.", (e) => e.poolAddress),
    validator_address: address("Address of the validator, in the masterchain.", (e) => e.validatorAddress),
    type: word(...validatorEventTypes)(
      "Type of the event. A penalty is a round that ended with a loss.",
      (e) => e.type,
    ),
    amount: decimal("Amount in nanocoins, never negative.", (e) => absolute(validatorDelta(e))),
    balance_delta: decimal("Change of the validator's coins, in nanocoins.", validatorDelta),
    balance_before: decimal("Coins of the validator before the event, in nanocoins.", (e) => e.balanceBefore),
    balance_after: decimal("Coins of the validator after the event, in nanocoins.", (e) => e.balanceAfter),
    ...validatorFields,
    validator_reward_share: int(
      "Share of rewards that the validator gets, in ten-thousandths.",
      (e) => e.validatorRewardShare,
    ),
  }),
);

/** The validator's part of the reward of a round. */
export const validatorReward = named(
  "NominatorPoolValidatorReward",
  shape<ValidatorEventRow>()({
    utime: transactionFields.utime,
    reward: decimal("Reward in nanocoins.", validatorDelta),
    balance_before: decimal("Coins of the validator before the reward, in nanocoins.", (e) => e.balanceBefore),
    tx_hash: transactionFields.tx_hash,
    tx_lt: transactionFields.tx_lt,
    ...validatorFields,
  }),
);
