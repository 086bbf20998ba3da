import { crcForm, writeBoc } from "../../cell/boc.ts";
import { address, addresses, amount, bool, bytes, int4, int53, nullable } from "../store/schema/columns.ts";
import { keepNewestAndFirstId } from "../store/schema/conflictRule.ts";
import { table } from "../store/schema/Table.ts";
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
  conflict: keepNewestAndFirstId(),
  notVerified: ["id"],
  rows: {
    multisigOrder: (multisigOrder, place) => [
      {
        multisigAddress: multisigOrder.multisig,
        orderSeqno: multisigOrder.orderSeqno,
        threshold: multisigOrder.threshold,
        sentForExecution: multisigOrder.isSentForExecution,
        approvalsMask: multisigOrder.approvalsMask,
        approvalsNum: multisigOrder.approvalsNum,
        expirationDate: multisigOrder.expirationAt,
        orderBoc: writeBoc(multisigOrder.order, crcForm),
        signers: multisigOrder.signers,
        ...place,
      },
    ],
  },
  facts: { findMultisigOrder: (row) => row },
});
