import type { Cell } from "../../../cell/Cell.ts";
import type { Address } from "../../../model/Address.ts";
import { parseHash } from "../../../model/Hash.ts";
import { type EntityContext, entity, type Layout } from "../../kit/entity.ts";
import {
  cell,
  flag,
  loadStandardAddress,
  notThis,
  num,
  num32,
  single,
  someAddress,
  stack,
  stackAddress,
  stackInt,
} from "../../kit/stack.ts";
import { intValue } from "../../kit/stackValues.ts";
import { readMembers } from "./wallet.ts";

/** An order that the signers of a multisig wallet approve; the wallet identifies it by its number. */
export interface MultisigOrder {
  readonly kind: "multisigOrder";
  readonly multisig: Address;
  readonly orderSeqno: bigint;
  readonly threshold: number;
  readonly isSentForExecution: boolean;
  readonly signers: readonly Address[];
  /** A bit for each signer, by index. */
  readonly approvalsMask: bigint;
  readonly approvalsNum: number;
  readonly expirationAt: number;
  readonly order: Cell;
}

interface OrderData extends Omit<MultisigOrder, "kind" | "signers"> {
  readonly signers: Cell;
}

const orderData = stack({
  multisig: stackAddress,
  orderSeqno: stackInt,
  threshold: num32,
  isSentForExecution: flag,
  signers: cell,
  approvalsMask: stackInt,
  approvalsNum: num32,
  expirationAt: num,
  order: cell,
});

// multisig:MsgAddress order_seqno:uint256 threshold:uint8 sent_for_execution:Bool signers:^(Hashmap 8 MsgAddress)
//   approvals_mask:uint256 approvals_num:uint8 expiration_date:uint48 order:^Cell
const v2: Layout<OrderData> = {
  codes: [parseHash("YwWoBhyFbCzPBdyw31gVxxR1hwVnyrXwSeNAvPWSUfM=")],
  read: (data) => ({
    multisig: someAddress(loadStandardAddress(data)),
    orderSeqno: data.loadBigUint(256),
    threshold: data.loadUint(8),
    isSentForExecution: data.loadBit(),
    signers: data.loadRef(),
    approvalsMask: data.loadBigUint(256),
    approvalsNum: data.loadUint(8),
    expirationAt: data.loadUint(48),
    order: data.loadRef(),
  }),
};

async function confirm({ signers, ...order }: OrderData, asking: EntityContext): Promise<MultisigOrder> {
  const { multisig, orderSeqno } = order;
  const known = await asking.other(multisig, "get_order_address", [intValue(orderSeqno)], single(stackAddress));
  if (known !== asking.account.address) throw notThis(`${multisig} has another order ${orderSeqno}`);
  return { kind: "multisigOrder", ...order, signers: readMembers(signers) };
}

export const multisigOrder = entity({
  methods: ["get_order_data"],
  run: (asking): Promise<OrderData> => asking.own("get_order_data", orderData),
  layouts: [v2],
  confirm,
});
