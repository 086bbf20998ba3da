import { describe, expect, it } from "vitest";
import { storeCell } from "../../../../src/cell/codec.ts";
import { findPool, type NominatorPool } from "../../../../src/contracts/families/nominators/pool.ts";
import {
  findValidatorEvent,
  listNominatorEvents,
  type PoolChange,
  type PoolMessage,
} from "../../../../src/contracts/families/nominators/poolEvents.ts";
import { PoolStorage } from "../../../../src/contracts/families/nominators/poolStorage.ts";
import { makeAddress } from "../../../../src/model/Address.ts";
import type { Hash } from "../../../../src/model/Hash.ts";
import { makeStorage } from "../../../kit/contracts/poolStates.ts";

const accounts = { ann: "11", ben: "22" } as const;
type Name = keyof typeof accounts;
const hashOf = (name: Name) => accounts[name].repeat(32) as Hash;
const addressOf = (name: Name) => makeAddress(0, hashOf(name));
const validator = "33".repeat(32) as Hash;

type Positions = Partial<Record<Name, readonly [balance: bigint, pending: bigint, hasRequest?: boolean]>>;

function poolOf(positions: Positions, validatorAmount = 100n, more: Partial<PoolStorage> = {}): NominatorPool {
  const entries = Object.entries(positions) as [Name, NonNullable<Positions[Name]>][];
  const storage = makeStorage({
    ...{ ...more, config: {}, validator, validatorAmount },
    nominators: entries.map(([name, [amount, pendingDeposit]]) => [hashOf(name), { amount, pendingDeposit }]),
    requests: entries.filter(([, [, , hasRequest]]) => hasRequest).map(([name]) => hashOf(name)),
  });
  const pool = findPool(storeCell(PoolStorage, storage));
  if (pool === undefined) throw new Error("the storage is not read");
  return pool;
}

const anyMessage: PoolMessage = { opcode: 0, queryId: undefined, source: undefined, isDone: true };

function changeOf(before: NominatorPool, after: NominatorPool, more: Partial<PoolChange> = {}): PoolChange {
  return { before, after, message: anyMessage, endsRound: false, ...more };
}

const position = (balance: bigint, pendingBalance: bigint, hasRequest = false) => ({
  ...{ balance, pendingBalance, hasRequest },
});

describe("the events of a nominator", () => {
  it("are a reward and the activation of pending coins at the end of a round, each between its own positions", () => {
    const change = changeOf(poolOf({ ann: [100n, 9n] }), poolOf({ ann: [114n, 0n] }), { endsRound: true });
    expect(listNominatorEvents(change)).toEqual([
      {
        ...{ nominator: addressOf("ann"), type: "reward", amount: 5n, balanceDelta: 5n, pendingBalanceDelta: 0n },
        ...{ before: position(100n, 9n), after: position(105n, 9n) },
      },
      {
        ...{ nominator: addressOf("ann"), type: "pending_deposit_activation", amount: 9n },
        ...{ balanceDelta: 9n, pendingBalanceDelta: -9n, before: position(105n, 9n), after: position(114n, 0n) },
      },
    ]);
  });

  it("are activations without a reward after a round without a profit", () => {
    const change = changeOf(
      poolOf({ ann: [100n, 9n, true], ben: [7n, 0n] }),
      poolOf({ ann: [109n, 0n, true], ben: [7n, 0n] }),
      {
        endsRound: true,
      },
    );
    expect(listNominatorEvents(change)).toEqual([
      {
        ...{ nominator: addressOf("ann"), type: "pending_deposit_activation", amount: 9n },
        ...{ balanceDelta: 9n, pendingBalanceDelta: -9n },
        ...{ before: position(100n, 9n, true), after: position(109n, 0n, true) },
      },
    ]);
  });

  it("are negative rewards after a loss", () => {
    const change = changeOf(poolOf({ ann: [100n, 0n] }), poolOf({ ann: [93n, 0n] }), { endsRound: true });
    expect(listNominatorEvents(change)).toEqual([
      {
        ...{ nominator: addressOf("ann"), type: "reward", amount: -7n, balanceDelta: -7n, pendingBalanceDelta: 0n },
        ...{ before: position(100n, 0n), after: position(93n, 0n) },
      },
    ]);
  });

  it("are a deposit into the balance of a new nominator", () => {
    const change = changeOf(poolOf({ ben: [1n, 0n] }), poolOf({ ann: [50n, 0n], ben: [1n, 0n] }));
    expect(listNominatorEvents(change)).toEqual([
      {
        ...{ nominator: addressOf("ann"), type: "deposit", amount: 50n, balanceDelta: 50n, pendingBalanceDelta: 0n },
        ...{ before: position(0n, 0n), after: position(50n, 0n) },
      },
    ]);
  });

  it("are a deposit of pending coins", () => {
    const change = changeOf(poolOf({ ann: [50n, 1n] }), poolOf({ ann: [50n, 4n] }));
    expect(listNominatorEvents(change)).toEqual([
      {
        ...{ nominator: addressOf("ann"), type: "deposit", amount: 3n, balanceDelta: 0n, pendingBalanceDelta: 3n },
        ...{ before: position(50n, 1n), after: position(50n, 4n) },
      },
    ]);
  });

  it("are a withdrawal of everything, with the request that it meets", () => {
    const change = changeOf(poolOf({ ann: [50n, 4n, true] }), poolOf({}));
    expect(listNominatorEvents(change)).toEqual([
      {
        ...{ nominator: addressOf("ann"), type: "withdrawal", amount: 54n },
        ...{ balanceDelta: -50n, pendingBalanceDelta: -4n, before: position(50n, 4n, true), after: position(0n, 0n) },
      },
    ]);
  });

  it("are a request for a withdrawal", () => {
    const change = changeOf(poolOf({ ann: [50n, 0n] }), poolOf({ ann: [50n, 0n, true] }));
    expect(listNominatorEvents(change)).toEqual([
      {
        ...{ nominator: addressOf("ann"), type: "withdrawal_request", amount: 0n },
        ...{ balanceDelta: 0n, pendingBalanceDelta: 0n },
        ...{ before: position(50n, 0n), after: position(50n, 0n, true) },
      },
    ]);
  });

  it("are those of all nominators in the order of addresses", () => {
    const change = changeOf(poolOf({ ben: [5n, 0n] }), poolOf({ ann: [5n, 0n] }));
    expect(listNominatorEvents(change).map(({ nominator, type }) => [nominator, type])).toEqual([
      [addressOf("ann"), "deposit"],
      [addressOf("ben"), "withdrawal"],
    ]);
  });

  it("are none while nothing changes, as after a refused withdrawal, whatever happens to the request and the sum", () => {
    const same = poolOf({ ann: [50n, 4n, true] });
    expect(listNominatorEvents(changeOf(same, same))).toEqual([]);
    expect(listNominatorEvents(changeOf(same, same, { endsRound: true }))).toEqual([]);
    expect(listNominatorEvents(changeOf(same, poolOf({ ann: [50n, 4n] })))).toEqual([]);
    expect(listNominatorEvents(changeOf(poolOf({ ann: [50n, 4n] }), poolOf({ ann: [54n, 0n] })))).toEqual([]);
    expect(
      listNominatorEvents(changeOf(poolOf({ ann: [1n, 0n] }), poolOf({ ann: [1n, 0n, true] }), { endsRound: true })),
    ).toEqual([]);
  });
});

describe("the event of a validator", () => {
  const stakeAt = 4_000_000_000;
  const before = poolOf({}, 100n, { stakeAt });
  const message = (opcode: number, queryId?: bigint): PoolMessage => ({ ...anyMessage, opcode, queryId });
  const common = { validator: makeAddress(-1, validator), balanceBefore: 100n, rewardShare: 4000 };

  it.each([
    ["reward", 106n],
    ["penalty", 94n],
  ])("is a %s at the end of a round, with its election", (type, balanceAfter) => {
    const change = changeOf(before, poolOf({}, balanceAfter), { endsRound: true, message: message(0xf96f7324, 5n) });
    expect(findValidatorEvent(change)).toEqual({ ...common, type, balanceAfter, queryId: 5n, cycleStart: stakeAt });
  });

  it.each([
    [4, "deposit", 150n],
    [5, "withdrawal", 0n],
  ])("of the message %i is a %s", (opcode, type, balanceAfter) => {
    const after = poolOf({}, balanceAfter);
    const event = { ...common, type, balanceAfter, queryId: undefined, cycleStart: undefined };
    expect(findValidatorEvent(changeOf(before, after, { message: message(opcode) }))).toEqual(event);
  });

  it("has no election when no stake was sent", () => {
    const change = changeOf(poolOf({}, 100n), poolOf({}, 101n), { endsRound: true });
    expect(findValidatorEvent(change)).toMatchObject({ type: "reward", cycleStart: undefined });
  });

  it("is none of another message, or when nothing changes", () => {
    expect(findValidatorEvent(changeOf(before, poolOf({}, 101n), { message: message(6) }))).toBeUndefined();
    expect(findValidatorEvent(changeOf(before, before, { message: message(4) }))).toBeUndefined();
    expect(findValidatorEvent(changeOf(before, before, { endsRound: true }))).toBeUndefined();
  });
});
