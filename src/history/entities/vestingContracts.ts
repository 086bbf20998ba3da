import { address, amount, int53, nullable } from "../store/schema/columns.ts";
import { keepNewestAndFirstId } from "../store/schema/conflictRule.ts";
import { table } from "../store/schema/Table.ts";
import { indexedEntity } from "./indexedEntity.ts";
import { listedColumns, nullableStateColumns } from "./sharedColumns.ts";

export const vestingContracts = table("vesting_contracts", {
  ...listedColumns,
  startTime: nullable(int53),
  totalDuration: nullable(int53),
  unlockPeriod: nullable(int53),
  cliffDuration: nullable(int53),
  totalAmount: nullable(amount),
  senderAddress: nullable(address),
  ownerAddress: nullable(address),
  ...nullableStateColumns,
});

export const vestingContractEntity = indexedEntity({
  table: vestingContracts,
  account: "address",
  key: ["address"],
  conflict: keepNewestAndFirstId(),
  notVerified: ["id"],
  rows: {
    vesting: (vesting, place) => [
      {
        startTime: vesting.startAt,
        totalDuration: vesting.totalDuration,
        unlockPeriod: vesting.unlockPeriod,
        cliffDuration: vesting.cliffDuration,
        totalAmount: vesting.totalAmount,
        senderAddress: vesting.sender,
        ownerAddress: vesting.owner,
        ...place,
      },
    ],
  },
});
