import { addresses, amount, int4, nullable } from "../store/schema/columns.ts";
import { keepNewestAndFirstId } from "../store/schema/conflictRule.ts";
import { table } from "../store/schema/Table.ts";
import { indexedEntity } from "./indexedEntity.ts";
import { listedColumns, nullableStateColumns } from "./sharedColumns.ts";

export const multisigs = table("multisigs", {
  ...listedColumns,
  nextOrderSeqno: nullable(amount),
  threshold: nullable(int4),
  signers: addresses,
  proposers: addresses,
  ...nullableStateColumns,
});

export const multisigEntity = indexedEntity({
  table: multisigs,
  account: "address",
  key: ["address"],
  conflict: keepNewestAndFirstId(),
  notVerified: ["id"],
  rows: {
    multisig: ({ nextOrderSeqno, threshold, signers, proposers }, place) => [
      { nextOrderSeqno, threshold, signers, proposers, ...place },
    ],
  },
});
