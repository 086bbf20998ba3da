import { accountAddress } from "../../kit/addressFields.ts";
import { type Body, body, choice, group, named } from "../../kit/declare.ts";
import { dictionary, filledDictionary } from "../../kit/dictionaryField.ts";
import { bits256, bool, maybe, queryId, ref, refType, uint8, uint32, uint48, uint256 } from "../../kit/fields.ts";
import { relaxedMessage } from "../../kit/messageFields.ts";

// send_message#f1381e5b mode:uint8 message:^(MessageRelaxed Any)
// update_multisig_param#1d0cfbd3 threshold:uint8 signers:^(Hashmap 8 MsgAddressInt) proposers:(HashmapE 8 MsgAddressInt)
export const multisigAction = choice({
  send_message: ["#f1381e5b", { mode: uint8, message: ref(relaxedMessage) }],
  update_multisig_param: [
    "#1d0cfbd3",
    {
      threshold: uint8,
      signers: ref(filledDictionary(8, accountAddress)),
      proposers: dictionary(8, accountAddress),
    },
  ],
});

// _ _:(Hashmap 8 ^MulisigAction) = MultisigOrder;
export const multisigOrderBody = group({ actions: named("", filledDictionary(8, refType(multisigAction))) });

export const multisigNewOrder = body("mulisig_new_order", 0xf718510f, {
  queryId,
  orderSeqno: uint256,
  signer: bool,
  index: uint8,
  expirationDate: uint48,
  order: ref(multisigOrderBody),
});

export const multisigOrderInit = body("multisig_order_init", 0x9c73fba2, {
  queryId,
  threshold: uint8,
  signers: ref(filledDictionary(8, accountAddress)),
  expirationDate: uint48,
  order: ref(multisigOrderBody),
  signerIndex: maybe(uint8),
});

export const multisigExecuteBody = body("multisig_execute", 0x75097f5d, {
  queryId,
  orderSeqno: uint256,
  expirationDate: uint48,
  approvalsNum: uint8,
  signersHash: bits256,
  order: ref(multisigOrderBody),
});

export const multisigExecuteInternal = body("multisig_execute_internal", 0xa32c59bf, {
  queryId,
  order: ref(multisigOrderBody),
});

export const multisigApproveBody = body("multisig_approve", 0xa762230f, { queryId, signerIndex: uint8 });
export const multisigApproveAccepted = body("multisig_approve_accepted", 0x82609bf6, { queryId });
export const multisigApproveRejected = body("multisig_approve_rejected", 0xafaf283e, { queryId, exitCode: uint32 });

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
