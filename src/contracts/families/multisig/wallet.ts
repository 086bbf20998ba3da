import type { Cell } from "../../../cell/Cell.ts";
import type { Codec } from "../../../cell/codec.ts";
import { Dictionary } from "../../../cell/dictionary.ts";
import { uintKey } from "../../../cell/keys.ts";
import type { Address } from "../../../model/Address.ts";
import { parseHash } from "../../../model/Hash.ts";
import { internalAddress } from "../../../model/messageAddress.ts";
import type { AbiType } from "../../abi/Abi.ts";
import { contract } from "../../kit/contract.ts";
import { describedData } from "../../kit/dataLayout.ts";
import { entity, type Layout } from "../../kit/entity.ts";
import { describedMethod, getMethod } from "../../kit/getMethod.ts";
import {
  cell,
  flag,
  listBounded,
  loadStandardAddress,
  notThis,
  num,
  num32,
  orNull,
  single,
  someAddress,
  stack,
  stackAddress,
  stackBeginning,
  stackInt,
} from "../../kit/stack.ts";
import * as messages from "./messages.ts";

/** A standard address as the value of a dictionary. */
export const addressLeaf: Codec<Address> = {
  load: (slice) => someAddress(loadStandardAddress(slice)),
  store: internalAddress.store,
};

/** Addresses by index. */
const members: AbiType = { dict: { key: "uint8", value: "address" } };

const getMultisigData = getMethod(
  "get_multisig_data",
  stackBeginning({
    nextOrderSeqno: stackInt,
    threshold: num32,
    signers: { ...orNull(cell), abi: members },
    proposers: { ...orNull(cell), abi: members },
  }),
);
export const getOrderAddress = getMethod("get_order_address", single(stackAddress, "order"), { orderSeqno: stackInt });
const getOrderEstimate = describedMethod(
  "get_order_estimate",
  { fee: "coins" },
  { order: "cell", expirationDate: "uint48" },
);

export const getOrderData = getMethod(
  "get_order_data",
  stack({
    multisig: stackAddress,
    orderSeqno: stackInt,
    threshold: num32,
    isSentForExecution: flag,
    signers: { ...cell, abi: members },
    approvalsMask: stackInt,
    approvalsNum: num32,
    expirationAt: num,
    order: cell,
  }),
);

/** Accounts refer to it as a library. */
export const orderCode = parseHash("YwWoBhyFbCzPBdyw31gVxxR1hwVnyrXwSeNAvPWSUfM=");

export const multisigV2 = contract({
  name: "multisig_v2",
  codes: ["09FNqaYn8Ow1MzQYKXYq+SuVQLIb8DZl+sCcK0bqu6w="],
  methods: [getMultisigData, getOrderAddress],
  furtherMethods: [getOrderEstimate],
  receives: [messages.multisigNewOrder, messages.multisigExecuteBody, messages.multisigExecuteInternal],
  sends: [messages.multisigOrderInit],
  storage: [
    describedData({
      nextOrderSeqno: "uint256",
      threshold: "uint8",
      signers: { hashmap: { key: "uint8", value: "address" } },
      signersNum: "uint8",
      proposers: members,
      allowArbitrarySeqno: "bool",
    }),
  ],
  errors: { 1007: "the sender may not create orders", 1008: "the new order is invalid" },
});

export const multisigOrderV2 = contract({
  name: "multisig_order_v2",
  codes: ["oB4Ff71CiEArmJjXjWe9TpAlTJPFhmh5vC0dEoZUNrw="],
  methods: [getOrderData],
  receives: [messages.multisigOrderInit, messages.multisigApproveBody],
  sends: [messages.multisigExecuteBody, messages.multisigApproveAccepted, messages.multisigApproveRejected],
  storage: [
    describedData(
      {
        multisig: "address",
        orderSeqno: "uint256",
        threshold: "uint8",
        sentForExecution: "bool",
        signers: { hashmap: { key: "uint8", value: "address" } },
        approvalsMask: "uint256",
        approvalsNum: "uint8",
        expirationDate: "uint48",
        order: "cell",
      },
      [orderCode],
    ),
  ],
});

/** A multisig wallet. */
export interface Multisig {
  readonly kind: "multisig";
  /** −1 where orders may have any number. */
  readonly nextOrderSeqno: bigint;
  readonly threshold: number;
  readonly signers: readonly Address[];
  readonly proposers: readonly Address[];
}

interface MultisigData {
  readonly nextOrderSeqno: bigint;
  readonly threshold: number;
  readonly signers: Cell | undefined;
  readonly proposers: Cell | undefined;
}

// next_order_seqno:uint256 threshold:uint8 signers:^(Hashmap 8 MsgAddress) signers_num:uint8
//   proposers:(HashmapE 8 MsgAddress) allow_arbitrary_seqno:Bool
const v2: Layout<MultisigData> = {
  codes: multisigV2.codes,
  read: (data) => {
    const nextOrderSeqno = data.loadBigUint(256);
    const threshold = data.loadUint(8);
    const signers = data.loadRef();
    const signersNum = data.loadUint(8);
    const proposers = data.loadMaybeRef();
    // The code returns nothing when these do not hold.
    if (threshold === 0 || threshold > signersNum || countMembers(signers) !== signersNum)
      throw notThis(`${threshold} of ${signersNum} signers`);
    countMembers(proposers);
    return { nextOrderSeqno: data.loadBit() ? -1n : nextOrderSeqno, threshold, signers, proposers };
  },
};

/** Addresses by index, as both the wallet and its orders store them. */
export function readMembers(root: Cell | undefined): readonly Address[] {
  return listBounded(new Dictionary(root, uintKey(8), addressLeaf)).map(([, member]) => member);
}

/** The number of entries; gaps are refused. */
function countMembers(root: Cell | undefined): number {
  const places = new Dictionary(root, uintKey(8), addressLeaf).keys();
  if (places.some((place, index) => place !== index)) throw notThis("places that are left out");
  return places.length;
}

export const multisig = entity({
  methods: ["get_multisig_data"],
  run: (asking): Promise<MultisigData> => asking.own(getMultisigData.name, getMultisigData.result),
  layouts: [v2],
  confirm: ({ nextOrderSeqno, threshold, signers, proposers }): Multisig => ({
    kind: "multisig",
    nextOrderSeqno,
    threshold,
    signers: readMembers(signers),
    proposers: readMembers(proposers),
  }),
});
