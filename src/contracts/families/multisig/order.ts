import type { Cell } from "../../../cell/Cell.ts";
import type { Address } from "../../../model/Address.ts";
import { type EntityContext, entity, type Layout } from "../../kit/entity.ts";
import { loadStandardAddress, notThis, someAddress } from "../../kit/stack.ts";
import { intValue } from "../../kit/stackValues.ts";
import { getOrderAddress, getOrderData, orderCode, readMembers } from "./wallet.ts";

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

// multisig:MsgAddress order_seqno:uint256 threshold:uint8 sent_for_execution:Bool signers:^(Hashmap 8 MsgAddress)
//   approvals_mask:uint256 approvals_num:uint8 expiration_date:uint48 order:^Cell
const v2: Layout<OrderData> = {
  codes: [orderCode],
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
  const known = await asking.other(multisig, getOrderAddress.name, [intValue(orderSeqno)], getOrderAddress.result);
  if (known !== asking.account.address) throw notThis(`${multisig} has another order ${orderSeqno}`);
  return { kind: "multisigOrder", ...order, signers: readMembers(signers) };
}

export const multisigOrder = entity({
  methods: ["get_order_data"],
  run: (asking): Promise<OrderData> => asking.own(getOrderData.name, getOrderData.result),
  layouts: [v2],
  confirm,
});
