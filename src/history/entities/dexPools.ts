import { address, amount, double, nullable, text } from "../store/schema/columns.ts";
import { keepNewest } from "../store/schema/conflictRule.ts";
import { table } from "../store/schema/Table.ts";
import { indexedEntity } from "./indexedEntity.ts";
import { stateColumns } from "./sharedColumns.ts";

export const dexPools = table("dex_pools", {
  address: address,
  dex: text(),
  asset0: nullable(address),
  asset1: nullable(address),
  reserve0: amount,
  reserve1: amount,
  poolType: text(),
  fee: double,
  ...stateColumns,
});

export const dexPoolEntity = indexedEntity({
  table: dexPools,
  account: "address",
  key: ["address"],
  conflict: keepNewest("lastTransactionLt"),
  rows: {
    dedustPool: (dedustPool, { address, codeHash, dataHash, lastTransactionLt }) => [
      {
        address,
        dex: "dedust",
        asset0: dedustPool.assets[0],
        asset1: dedustPool.assets[1],
        reserve0: dedustPool.reserves[0],
        reserve1: dedustPool.reserves[1],
        poolType: dedustPool.type,
        fee: Number(dedustPool.feeNumerator) / Number(dedustPool.feeDenominator),
        codeHash,
        dataHash,
        lastTransactionLt,
      },
    ],
  },
  facts: {
    findDedustPool: (row) => (row.dex === "dedust" ? { assets: [row.asset0, row.asset1] } : undefined),
  },
});
