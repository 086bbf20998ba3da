import type { Cell } from "../../../cell/Cell.ts";
import { sliceOf } from "../../../cell/Slice.ts";
import type { Address } from "../../../model/Address.ts";
import { type Hash, hashToBase64 } from "../../../model/Hash.ts";
import { kind } from "../../engine/kind.ts";
import { made, matcher } from "../../engine/matcher.ts";
import { bodyOf, cellOf, destinationOf, known, messageOf, sourceOf } from "../../engine/messageParts.ts";
import { isCall, isTonTransfer } from "../../engine/nodes.ts";
import { call, firstOf, where } from "../../engine/pattern.ts";
import type { TraceNode } from "../../engine/TraceNode.ts";
import { refusable } from "../../kit/entity.ts";
import {
  multisigApproveBody as approveBody,
  multisigExecuteBody as executeBody,
  multisigApproveAccepted,
  multisigApproveRejected,
  multisigNewOrder,
  multisigOrderInit,
} from "./messages.ts";

interface CreatedOrder {
  readonly queryId: bigint;
  readonly seqno: bigint;
  readonly isBySigner: boolean;
  readonly isSignedByCreator: boolean;
  readonly creatorIndex: number;
  readonly expiresAt: number;
  readonly order: Cell;
  readonly creator: Address;
  readonly multisig: Address;
  readonly orderContract: Address;
}

export const multisigCreateOrder = kind<CreatedOrder>({
  type: "multisig_create_order",
  showsParts: true,
  parties: (o) => ({ source: o.creator, destination: o.multisig, destinationSecondary: o.orderContract }),
  details: (f) => ({
    query_id: f.amount("Number that the sender chose to recognise the answer by.", (o) => o.queryId),
    order_seqno: f.amount("Number of the order.", (o) => o.seqno),
    is_created_by_signer: f.bool("Whether a signer created the order; otherwise a proposer.", (o) => o.isBySigner),
    is_signed_by_creator: f.bool("Whether its creator has approved the order.", (o) => o.isSignedByCreator),
    creator_index: f.number(
      "Number of the order's creator in the list of signers or proposers.",
      (o) => o.creatorIndex,
    ),
    expiration_date: f.number("Time until which the order can be approved, in Unix seconds.", (o) => o.expiresAt),
    order_boc: f.bareBoc("Order, as a bag of cells in base64.", (o) => o.order),
    source: f.address("Address of the sender.", (o) => o.creator),
    destination: f.address("Address of the multisig wallet.", (o) => o.multisig),
    destination_order: f.address("Address of the order contract.", (o) => o.orderContract),
  }),
});

const initialised = call(multisigOrderInit);
const ordered = call(multisigNewOrder, { child: initialised });

export const multisigCreateMatcher = matcher({
  name: "multisig_create_order",
  pattern: ordered,
  build: (match, facts) => {
    const node = match.get(ordered);
    const init = match.get(initialised);
    const fact = facts.findMultisigOrder(destinationOf(init));
    if (fact === undefined) return undefined;
    // query_id:uint64 order_seqno:uint256 signer:uint1 index:uint8 expiration:uint48 ^order
    const head = sliceOf(cellOf(node)).skip(32);
    const data: CreatedOrder = {
      queryId: head.loadBigUint(64),
      seqno: head.loadBigUint(256),
      isBySigner: head.loadBit(),
      creatorIndex: head.loadUint(8),
      expiresAt: head.loadUint(48),
      ...readInit(init),
      creator: sourceOf(node),
      multisig: destinationOf(node),
      orderContract: destinationOf(init),
    };
    return made(multisigCreateOrder, data, { from: [node, init], mentions: fact.signers });
  },
});

// query_id:uint64 threshold:uint8 ^signers expiration:uint48 ^order approve_on_init:uint1
function readInit(node: TraceNode): { readonly order: Cell; readonly isSignedByCreator: boolean } {
  const init = sliceOf(cellOf(node)).skip(32 + 64 + 8);
  init.loadRef();
  const order = init.skip(48).loadRef();
  return { order, isSignedByCreator: init.loadBit() };
}

interface Approval {
  readonly signer: Address;
  readonly order: Address;
  readonly signerIndex: number;
  readonly exitCode: number;
}

export const multisigApprove = kind<Approval>({
  type: "multisig_approve",
  showsParts: true,
  parties: (a) => ({ source: a.signer, destination: a.order }),
  details: (f) => ({
    signer_index: f.number("Number of the signer.", (a) => a.signerIndex),
    exit_code: f.number("Exit code of the virtual machine; 0 and 1 mean success.", (a) => a.exitCode),
    source: f.address("Address of the sender.", (a) => a.signer),
    destination: f.address("Address of the receiver.", (a) => a.order),
  }),
});

const accepted = call(multisigApproveAccepted);
const rejected = call(multisigApproveRejected);
const approved = where(
  (node) =>
    (isCall(node) && node.data.opcode === approveBody.opcode) ||
    (isTonTransfer(node) && node.data.comment === "approve"),
  { child: firstOf([accepted, rejected]) },
);

export const multisigApproveMatcher = matcher({
  name: "multisig_approve",
  pattern: approved,
  build: (match, facts) => {
    const node = match.get(approved);
    const message = messageOf(node);
    const order = known(message.destination);
    const fact = facts.findMultisigOrder(order);
    if (fact === undefined) return undefined;
    const acceptance = match.find(accepted);
    const refusal = acceptance === undefined ? match.get(rejected) : undefined;
    const data = {
      signer: known(message.source),
      order,
      // A vote by comment does not identify the signer.
      signerIndex: refusable(() => sliceOf(message.body).skip(96).loadUint(8)) ?? -1,
      exitCode: refusal === undefined ? 0 : bodyOf(refusal, multisigApproveRejected).exitCode,
    };
    return made(multisigApprove, data, {
      from: [node, known(acceptance ?? refusal)],
      failed: refusal !== undefined,
      mentions: fact.signers,
    });
  },
});

interface Execution {
  readonly queryId: bigint;
  readonly seqno: bigint;
  readonly expiresAt: number;
  readonly approvals: number;
  readonly signersHash: Hash;
  readonly order: Cell;
  readonly orderContract: Address;
  readonly multisig: Address;
}

export const multisigExecute = kind<Execution>({
  type: "multisig_execute",
  showsParts: true,
  parties: (e) => ({ source: e.orderContract, destination: e.multisig }),
  details: (f) => ({
    query_id: f.amount("Number that the sender chose to recognise the answer by.", (e) => e.queryId),
    order_seqno: f.amount("Number of the order.", (e) => e.seqno),
    expiration_date: f.number("Time until which the order can be approved, in Unix seconds.", (e) => e.expiresAt),
    approvals_num: f.number("Number of signers that have approved.", (e) => e.approvals),
    signers_hash: f.text("Hash of the list of signers.", (e) => hashToBase64(e.signersHash)),
    order_boc: f.bareBoc("Order, as a bag of cells in base64.", (e) => e.order),
    source: f.address("Address of the sender.", (e) => e.orderContract),
    destination: f.address("Address of the receiver.", (e) => e.multisig),
  }),
});

const executed = call(executeBody);

export const multisigExecuteMatcher = matcher({
  name: "multisig_execute",
  pattern: executed,
  build: (match, facts) => {
    const node = match.get(executed);
    const fact = facts.findMultisigOrder(sourceOf(node));
    if (fact === undefined) return undefined;
    // query_id:uint64 order_seqno:uint256 expiration:uint48 approvals:uint8 signers_hash:bits256 ^order
    const body = sliceOf(cellOf(node)).skip(32);
    const data: Execution = {
      queryId: body.loadBigUint(64),
      seqno: body.loadBigUint(256),
      expiresAt: body.loadUint(48),
      approvals: body.loadUint(8),
      signersHash: body.loadHash(),
      order: body.loadRef(),
      orderContract: sourceOf(node),
      multisig: destinationOf(node),
    };
    return made(multisigExecute, data, { failed: node.failed, mentions: fact.signers });
  },
});
