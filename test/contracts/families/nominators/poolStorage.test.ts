import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { beginCell, emptyCell } from "../../../../src/cell/Builder.ts";
import { loadCell, storeCell } from "../../../../src/cell/codec.ts";
import { sliceOf } from "../../../../src/cell/Slice.ts";
import { findPool, nominatorPool } from "../../../../src/contracts/families/nominators/pool.ts";
import { nominatorPoolCodes, PoolStorage } from "../../../../src/contracts/families/nominators/poolStorage.ts";
import { EntityContext } from "../../../../src/contracts/kit/entity.ts";
import { makeAddress } from "../../../../src/model/Address.ts";
import type { Hash } from "../../../../src/model/Hash.ts";
import { FakeCaller } from "../../../kit/contracts/FakeCaller.ts";
import { anyPool, makeStorage, plainStorage } from "../../../kit/contracts/poolStates.ts";

const [ann, ben] = ["11", "22"].map((pair) => pair.repeat(32) as Hash) as [Hash, Hash];
const validator = "33".repeat(32) as Hash;

const storage = makeStorage({
  validator,
  nominators: [
    [ben, { amount: 5n, pendingDeposit: 6n }],
    [ann, { amount: 7n, pendingDeposit: 0n }],
  ],
  requests: [ben],
});

describe("the storage of a nominator pool", () => {
  it("is the same after it was stored and loaded", () => {
    fc.assert(
      fc.property(anyPool, (pool) => {
        const cell = storeCell(PoolStorage, pool);
        const back = loadCell(PoolStorage, cell);
        expect(plainStorage(back)).toEqual(plainStorage(pool));
        expect(storeCell(PoolStorage, back).hash()).toBe(cell.hash());
      }),
    );
  });

  it("is read as a pool with its nominators in the order of addresses", () => {
    expect(findPool(storeCell(PoolStorage, storage))).toEqual({
      kind: "nominatorPool",
      state: 0,
      stakeAmountSent: 0n,
      validatorAmount: 100n,
      validator: makeAddress(-1, validator),
      rewardShare: 4000,
      nominatorsCount: 2,
      maxNominatorsCount: 40,
      minValidatorStake: 10n,
      minNominatorStake: 20n,
      stakeAt: 0,
      nominators: [
        { address: makeAddress(0, ann), balance: 7n, pendingBalance: 0n, hasRequest: false },
        { address: makeAddress(0, ben), balance: 5n, pendingBalance: 6n, hasRequest: true },
      ],
    });
  });

  it.each([
    ["empty data", emptyCell],
    [
      "data that goes on",
      beginCell()
        .storeSlice(sliceOf(storeCell(PoolStorage, storage)))
        .storeBit(true)
        .cell(),
    ],
  ])("is no pool when it is %s", async (_, data) => {
    expect(findPool(data)).toBeUndefined();
    const [codeHash] = nominatorPoolCodes;
    if (codeHash === undefined) throw new Error("no code is known");
    const account = { address: makeAddress(-1, ann), code: emptyCell, codeHash, data, methods: [] };
    expect(await nominatorPool.find(new EntityContext(account, new FakeCaller({})))).toBeUndefined();
  });

  it("is read only with the codes of the pool", () => {
    const data = storeCell(PoolStorage, storage);
    const mayBe = (codeHash: Hash) =>
      nominatorPool.mayBe({ address: makeAddress(-1, ann), code: emptyCell, codeHash, data, methods: [] });
    expect([...nominatorPoolCodes, emptyCell.hash()].map(mayBe)).toEqual([true, true, true, false]);
  });
});
