import { accountAddress } from "../../kit/addressFields.ts";
import { type Body, choice, group, named } from "../../kit/declare.ts";
import { dictionary, filledDictionary } from "../../kit/dictionaryField.ts";
import { bits256, bool, maybe, ref, refType, uint8, uint32, uint48, uint256 } from "../../kit/fields.ts";
import { relaxedMessage } from "../../kit/messageFields.ts";
import { queryBody } from "../../kit/queryBody.ts";

// send_message#f1381e5b mode:uint8 message:^(MessageRelaxed Any)
// update_multisig_param#1d0cfbd3 threshold:uint8 signers:^(Hashmap 8 MsgAddressInt) proposers:(HashmapE 8
// MsgAddressInt)
export const multisigAction = choice({
  send_message: ["#f1381e5b", { mode: uint8, message: ref(relaxedMessage) }],
  update_multisig_param: [
    "#1d0cfbd3",
    { threshold: uint8, signers: ref(filledDictionary(8, accountAddress)), proposers: dictionary(8, accountAddress) },
  ],
});

// _ _:(Hashmap 8 ^MulisigAction) = MultisigOrder;
export const multisigOrderBody = group({ actions: named("", filledDictionary(8, refType(multisigAction))) });

export const multisigNewOrder = queryBody("mulisig_new_order", 0xf718510f, {
  orderSeqno: uint256,
  signer: bool,
  index: uint8,
  expirationDate: uint48,
  order: ref(multisigOrderBody),
});

export const multisigOrderInit = queryBody("multisig_order_init", 0x9c73fba2, {
  threshold: uint8,
  signers: ref(filledDictionary(8, accountAddress)),
  expirationDate: uint48,
  order: ref(multisigOrderBody),
  signerIndex: maybe(uint8),
});

export const multisigExecuteBody = queryBody("multisig_execute", 0x75097f5d, {
  orderSeqno: uint256,
  expirationDate: uint48,
  approvalsNum: uint8,
  signersHash: bits256,
  order: ref(multisigOrderBody),
});

export const multisigExecuteInternal = queryBody("multisig_execute_internal", 0xa32c59bf, {
  order: ref(multisigOrderBody),
});

export const multisigApproveBody = queryBody("multisig_approve", 0xa762230f, { signerIndex: uint8 });
export const multisigApproveAccepted = queryBody("multisig_approve_accepted", 0x82609bf6);
export const multisigApproveRejected = queryBody("multisig_approve_rejected", 0xafaf283e, { exitCode: uint32 });

/** In the order they are tried. */
export const multisigBodies: readonly Body<unknown>[] = [
  multisigNewOrder,
  multisigOrderInit,
  multisigExecuteBody,
  multisigExecuteInternal,
  multisigApproveBody,
  multisigApproveAccepted,
  multisigApproveRejected,
];
