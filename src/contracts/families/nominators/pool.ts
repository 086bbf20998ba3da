import type { Cell } from "../../../cell/Cell.ts";
import { loadCell } from "../../../cell/codec.ts";
import { type Address, makeAddress } from "../../../model/Address.ts";
import { entity, refusable } from "../../kit/entity.ts";
import { listBounded, notThis } from "../../kit/stack.ts";
import { nominatorPoolCodes, PoolStorage } from "./poolStorage.ts";

/** A nominator's coins in a pool. */
export interface PoolNominator {
  readonly address: Address;
  readonly balance: bigint;
  /** Waits for the end of the round. */
  readonly pendingBalance: bigint;
  /** Whether the nominator asked for the coins. */
  readonly hasRequest: boolean;
}

/** A nominator pool: a validator stakes its own coins and those of nominators. */
export interface NominatorPool {
  readonly kind: "nominatorPool";
  /** 0: the stakes are at home; 1: a stake was sent; 2: the elector has it. */
  readonly state: number;
  readonly stakeAmountSent: bigint;
  /** The validator's own coins. */
  readonly validatorAmount: bigint;
  readonly validator: Address;
  /** The validator's part of rewards, of 10000. */
  readonly rewardShare: number;
  readonly nominatorsCount: number;
  readonly maxNominatorsCount: number;
  readonly minValidatorStake: bigint;
  readonly minNominatorStake: bigint;
  /** The election for which the last stake was sent; 0 for none. */
  readonly stakeAt: number;
  /** By address. */
  readonly nominators: readonly PoolNominator[];
}

/** Pools and validators are in the masterchain, nominators are not. */
const validatorAt = (account: string): Address => makeAddress(-1, account);
const nominatorAt = (account: string): Address => makeAddress(0, account);

function readPool(storage: PoolStorage): NominatorPool {
  const { validator, ...config } = storage.config;
  const requests = new Set(listBounded(storage.withdrawRequests).map(([account]) => account));
  return {
    kind: "nominatorPool",
    state: storage.state,
    stakeAmountSent: storage.stakeAmountSent,
    validatorAmount: storage.validatorAmount,
    validator: validatorAt(validator),
    ...config,
    nominatorsCount: storage.nominatorsCount,
    stakeAt: storage.stakeAt,
    nominators: listBounded(storage.nominators).map(([account, { amount, pendingDeposit }]) => ({
      address: nominatorAt(account),
      balance: amount,
      pendingBalance: pendingDeposit,
      hasRequest: requests.has(account),
    })),
  };
}

/** The pool in the data of an account with one of its codes; `undefined` when it cannot be read. */
export function findPool(data: Cell): NominatorPool | undefined {
  return refusable(() => readPool(loadCell(PoolStorage, data)));
}

export const nominatorPool = entity({
  codes: nominatorPoolCodes,
  methods: [],
  // Not by get-methods: the storage has more than they return.
  run: async ({ account }): Promise<NominatorPool> => {
    const pool = findPool(account.data);
    if (pool === undefined) throw notThis("data that is not that of a nominator pool");
    return pool;
  },
  confirm: (pool) => pool,
});
