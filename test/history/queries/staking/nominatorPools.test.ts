import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeBoc } from "../../../../src/cell/boc.ts";
import type { Cell } from "../../../../src/cell/Cell.ts";
import { storeCell } from "../../../../src/cell/codec.ts";
import { nominatorPoolCodes, PoolStorage } from "../../../../src/contracts/families/nominators/poolStorage.ts";
import { contractHistory, History } from "../../../../src/history/queries/kit/History.ts";
import { findNominatorPool, listNominations } from "../../../../src/history/queries/staking/nominatorPools.ts";
import type { Database } from "../../../../src/history/store/Database.ts";
import * as tables from "../../../../src/history/store/schema/tables.ts";
import { type Address, makeAddress } from "../../../../src/model/Address.ts";
import { type Hash, zeroHash } from "../../../../src/model/Hash.ts";
import { makeStorage } from "../../../kit/contracts/poolStates.ts";
import { enginesOfStatements, openFresh } from "../../../kit/history/database.ts";
import { loadRows } from "../../../kit/history/loadRows.ts";
import { loadStakingRows, stakingAt, stakingRows } from "../../../kit/history/stakingRows.ts";

const nominator = "11".repeat(32) as Hash;
const validator = "33".repeat(32) as Hash;
const data = storeCell(
  PoolStorage,
  makeStorage({ validator, nominators: [[nominator, { amount: 5n, pendingDeposit: 6n }]] }),
);
const at = (digit: string): Address => makeAddress(-1, digit.repeat(64));
const [code] = nominatorPoolCodes;

function stateOf(account: Address, codeHash: Hash | undefined, stored: Cell | undefined) {
  return {
    ...{ account, hash: zeroHash, balance: 5n, balanceExtra: undefined, status: "active" as const, timestamp: 50 },
    ...{ lastTransHash: zeroHash, lastTransLt: 9n, frozenHash: undefined, dataHash: data.hash(), codeHash },
    dataBoc: stored && writeBoc(stored),
  };
}

describe.each(enginesOfStatements)("nominator pools of the %s engine", (engine) => {
  let database: Database;
  let history: History;
  beforeAll(async () => {
    database = await openFresh(engine);
    history = new History(contractHistory, { database });
    await loadStakingRows(database);
    await database.write((session) =>
      loadRows(session, tables.latestAccountStates, [
        stateOf(at("a"), code, data),
        stateOf(at("b"), zeroHash, data),
        stateOf(at("c"), code, undefined),
        stateOf(at("d"), code, storeCell(PoolStorage, makeStorage({ validator, nominators: [] })).ref(0)),
      ]),
    );
  });
  afterAll(() => database.close());

  const find = (pool: Address) => history.read({}, (reading) => findNominatorPool(reading, pool));
  const list = (account: Address) => history.read({}, (reading) => listNominations(reading, account));

  it("are the rows of living pools", async () => {
    expect(await find(stakingAt.pool)).toEqual(stakingRows.pools[0]);
    expect(await find(stakingAt.gone)).toBeUndefined();
    expect(await list(stakingAt.ann)).toEqual([
      { pool: stakingAt.pool, balance: 0n, pendingBalance: 11_000_000_000_000n },
    ]);
  });

  it("are read from the state of an account that has had no transaction since pools are kept", async () => {
    expect(await find(at("a"))).toEqual({
      ...{ address: at("a"), state: 0, stakeAmountSent: 0n, validatorAmount: 100n },
      ...{ validatorAddress: makeAddress(-1, validator), validatorRewardShare: 4000, nominatorsCount: 1 },
      ...{ maxNominatorsCount: 40, minValidatorStake: 10n, minNominatorStake: 20n },
      ...{ nominators: [makeAddress(0, nominator)], balances: [5n], pendingBalances: [6n] },
      ...{ codeHash: code, dataHash: data.hash(), lastTransactionLt: 9n },
    });
  });

  it.each([
    ["of another code", at("b")],
    ["whose data is not stored", at("c")],
    ["whose data is not that of a pool", at("d")],
    ["that is not known", at("e")],
  ])("are not accounts %s", async (_, account) => {
    expect(await find(account)).toBeUndefined();
  });
});
