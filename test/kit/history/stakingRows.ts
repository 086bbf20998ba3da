import { nominatorPools } from "../../../src/history/entities/nominatorPools.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { nominatorPoolEvents, poolValidatorEvents } from "../../../src/history/store/schema/poolTables.ts";
import type { Row } from "../../../src/history/store/schema/Table.ts";
import * as tables from "../../../src/history/store/schema/tables.ts";
import { type Address, makeAddress } from "../../../src/model/Address.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { loadRows } from "./loadRows.ts";

const digits = (pair: string): Hash => pair.repeat(32) as Hash;
const at = (pair: string, workchain = 0): Address => makeAddress(workchain, digits(pair));

/** Pools: two that live, and one whose account changed since; nominators and validators. */
export const stakingAt = {
  pool: at("61", -1),
  small: at("60", -1),
  gone: at("62", -1),
  ann: at("63"),
  ben: at("64"),
  validator: at("65", -1),
  other: at("66", -1),
} as const;
const { pool, small, gone, ann, ben, validator, other } = stakingAt;

type PoolRow = Row<typeof nominatorPools>;

function poolRow(address: Address, more: Partial<PoolRow> = {}): PoolRow {
  return {
    address,
    state: 2,
    stakeAmountSent: 700_000_000_000_000n,
    validatorAmount: 10n ** 30n,
    validatorAddress: validator,
    validatorRewardShare: 4000,
    nominatorsCount: 2,
    maxNominatorsCount: 40,
    minValidatorStake: 1_000_000_000_000n,
    minNominatorStake: 10_000_000_000_000n,
    nominators: [ann, ben],
    balances: [0n, 20_000_000_000_000n],
    pendingBalances: [11_000_000_000_000n, 0n],
    codeHash: digits("01"),
    dataHash: digits("02"),
    lastTransactionLt: 77n,
    ...more,
  };
}

/** The account of a pool without its code, which the address book would show. */
function stateRow(account: Address, lastTransLt: bigint): Row<typeof tables.latestAccountStates> {
  return {
    ...{ account, hash: digits("03"), balance: 5n, balanceExtra: undefined, status: "active", timestamp: 50 },
    ...{ lastTransHash: digits("04"), lastTransLt, frozenHash: undefined, dataHash: undefined, codeHash: undefined },
    dataBoc: undefined,
  };
}

type NominatorRow = Row<typeof nominatorPoolEvents>;
type ValidatorRow = Row<typeof poolValidatorEvents>;

function transaction(lt: number, utime: number) {
  return { txLt: BigInt(lt), txHash: lt.toString(16).padStart(64, "0") as Hash, utime, mcSeqno: 5 };
}

function nominatorEvent(
  [lt, utime, eventIndex]: readonly [number, number, number],
  nominatorAddress: Address,
  event: Pick<NominatorRow, "type" | "amount"> & Partial<NominatorRow>,
): NominatorRow {
  return {
    poolAddress: pool,
    ...transaction(lt, utime),
    ...{ eventIndex, nominatorAddress, balanceDelta: event.amount, pendingBalanceDelta: 0n },
    ...{ balanceBefore: 100n, balanceAfter: 100n + event.amount, pendingBalanceBefore: 0n, pendingBalanceAfter: 0n },
    ...{ withdrawRequestBefore: false, withdrawRequestAfter: false },
    ...event,
  };
}

function validatorEvent(
  [lt, utime]: readonly [number, number],
  type: ValidatorRow["type"],
  [balanceBefore, balanceAfter]: readonly [bigint, bigint],
  more: Partial<ValidatorRow> = {},
): ValidatorRow {
  return {
    ...{ poolAddress: pool, ...transaction(lt, utime), validatorAddress: validator, type, balanceBefore, balanceAfter },
    ...{ queryId: undefined, cycleStart: undefined, validatorRewardShare: 4000, ...more },
  };
}

/** Rows of nominator pools and their events. */
export const stakingRows = {
  pools: [
    poolRow(pool),
    poolRow(small, { state: 0, nominatorsCount: 1, nominators: [ben], balances: [7n], pendingBalances: [8n] }),
    poolRow(gone),
  ],
  states: [stateRow(pool, 77n), stateRow(small, 77n), stateRow(gone, 78n)],
  nominatorEvents: [
    nominatorEvent([1001, 60, 0], ann, { type: "deposit", amount: 100n, balanceBefore: 0n, balanceAfter: 100n }),
    nominatorEvent([1002, 61, 0], ann, {
      ...{ type: "deposit", amount: 9n, balanceDelta: 0n, balanceAfter: 100n, pendingBalanceDelta: 9n },
      pendingBalanceAfter: 9n,
    }),
    nominatorEvent([1003, 62, 0], ann, {
      type: "reward",
      amount: 5n,
      pendingBalanceBefore: 9n,
      pendingBalanceAfter: 9n,
    }),
    nominatorEvent([1003, 62, 1], ann, {
      ...{ type: "pending_deposit_activation", amount: 9n, pendingBalanceDelta: -9n, balanceBefore: 105n },
      ...{ balanceAfter: 114n, pendingBalanceBefore: 9n },
    }),
    nominatorEvent([1003, 62, 2], ben, { type: "reward", amount: -3n }),
    nominatorEvent([1004, 62, 0], ann, { type: "withdrawal_request", amount: 0n, withdrawRequestAfter: true }),
    nominatorEvent([1005, 64, 0], ann, { type: "reward", amount: 7n, withdrawRequestBefore: true }),
    nominatorEvent([1006, 65, 0], ben, { type: "withdrawal", amount: 97n, balanceDelta: -97n, balanceAfter: 3n }),
  ] as readonly NominatorRow[],
  validatorEvents: [
    validatorEvent([1000, 59], "deposit", [0n, 50n], { queryId: 2n ** 64n - 1n }),
    validatorEvent([1003, 62], "reward", [50n, 56n], { queryId: 5n, cycleStart: 4_000_000_000 }),
    validatorEvent([1004, 63], "penalty", [56n, 46n], { cycleStart: 1_700_000_000 }),
    validatorEvent([1005, 64], "reward", [46n, 49n]),
    validatorEvent([1007, 65], "withdrawal", [49n, 0n]),
    validatorEvent([1007, 65], "deposit", [0n, 4n], { poolAddress: small, txHash: digits("0a") }),
    validatorEvent([1008, 66], "deposit", [0n, 1n], { poolAddress: gone, validatorAddress: other }),
  ] as readonly ValidatorRow[],
} as const;

export async function loadStakingRows(database: Pick<Database, "write">): Promise<void> {
  await database.write(async (session) => {
    await loadRows(session, nominatorPools, stakingRows.pools);
    await loadRows(session, tables.latestAccountStates, stakingRows.states);
    await loadRows(session, nominatorPoolEvents, stakingRows.nominatorEvents);
    await loadRows(session, poolValidatorEvents, stakingRows.validatorEvents);
  });
}
