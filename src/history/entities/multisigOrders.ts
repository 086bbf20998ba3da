import { crcForm, writeBoc } from "../../cell/boc.ts";
import { address, addresses, amount, bool, bytes, int4, int53, nullable } from "../store/columns.ts";
import { keepNewestAndFirstId } from "../store/conflictRule.ts";
import { table } from "../store/Table.ts";
import { indexedEntity } from "./indexedEntity.ts";
import { listedColumns, nullableStateColumns } from "./sharedColumns.ts";

export const multisigOrders = table("multisig_orders", {
  ...listedColumns,
  multisigAddress: address,
  orderSeqno: nullable(amount),
  threshold: nullable(int4),
  sentForExecution: nullable(bool),
  approvalsMask: nullable(amount),
  approvalsNum: nullable(int4),
  expirationDate: nullable(int53),
  orderBoc: nullable(bytes),
  signers: addresses,
  ...nullableStateColumns,
});

export const multisigOrderEntity = indexedEntity({
  table: multisigOrders,
  account: "address",
  key: ["address"],
  conflict: keepNewestAndFirstId(["address"]),
  notVerified: ["id"],
  rows: {
    multisigOrder: (found, place) => [
      {
        multisigAddress: found.multisig,
        orderSeqno: found.orderSeqno,
        threshold: found.threshold,
        sentForExecution: found.isSentForExecution,
        approvalsMask: found.approvalsMask,
        approvalsNum: found.approvalsNum,
        expirationDate: found.expirationAt,
        orderBoc: writeBoc(found.order, crcForm),
        signers: found.signers,
        ...place,
      },
    ],
  },
  facts: { findMultisigOrder: (row) => row },
});
