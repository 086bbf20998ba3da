import { sliceOf } from "../../../cell/Slice.ts";
import { type Address, parseAddress } from "../../../model/Address.ts";
import { between, kind } from "../../engine/kind.ts";
import { made, matcher } from "../../engine/matcher.ts";
import { bodyOf, cellOf, destinationOf, known, sourceOf } from "../../engine/messageParts.ts";
import type { CallNode } from "../../engine/nodes.ts";
import { call, type Match } from "../../engine/pattern.ts";
import { payloadFields, type TransferPayload } from "../../engine/payloadFields.ts";
import { type Comment, findComment } from "../../kit/comment.ts";
import { servedPayload } from "../../kit/servedPayload.ts";
import {
  jettonBurnShort as burnBody,
  jettonBurnNotification,
  jettonInternalTransfer,
  jettonInternalTransferPlain,
  jettonNotify,
  jettonTransferBody as transferBody,
} from "./messages.ts";

/** Wrapped TON of the ston.fi exchange, whose wallets forward transfers without a wallet on the other side. */
export const ptonMasters: ReadonlySet<Address> = new Set(
  [
    "0:8cdc1d7640ad5ee326527fc1ad0514f468b30dc84b0173f0e155f451b4e11f7c",
    "0:671963027f7f85659ab55b821671688601cdcf1ee674fc7fbbb1a776a18d34a3",
    "0:949c4c66760c002800e2fa3d8a3ca4e1c90a9373b53ae7472033483bf14cd95e",
  ].map((master) => parseAddress(master).address),
);

export interface JettonTransfer extends TransferPayload {
  readonly sender: Address;
  readonly senderWallet: Address | undefined;
  /** Wrapped TON may be sent to nobody. */
  readonly receiver: Address | undefined;
  readonly receiverWallet: Address | undefined;
  readonly asset: Address | undefined;
  /** The received amount, if known. */
  readonly amount: bigint;
  /** As it was sent. */
  readonly sentAmount: bigint;
  readonly comment: Comment | undefined;
  /** False where the asset itself does not move, as with wrapped TON. */
  readonly hasInternalTransfer: boolean;
}

export const jettonTransfer = kind<JettonTransfer>({
  type: "jetton_transfer",
  parties: (t) => between([t.sender, t.senderWallet], [t.receiver, t.receiverWallet]),
  details: (f) => ({
    asset: f.address("Address of the jetton's master; null for coins.", (t) => t.asset),
    sender: f.address("Address of the sender.", (t) => t.sender),
    receiver: f.address("Address of the receiver.", (t) => t.receiver),
    sender_jetton_wallet: f.address("Address of the jetton wallet of the sender.", (t) => t.senderWallet),
    receiver_jetton_wallet: f.address("Address of the jetton wallet of the receiver.", (t) => t.receiverWallet),
    amount: f.amount("Amount in the smallest units of the asset.", (t) => t.amount),
    comment: f.text("Text comment of the transfer; null without one.", (t) => t.comment?.text),
    is_encrypted_comment: f.bool("Whether the text is encrypted.", (t) => t.comment?.encrypted ?? false),
    ...payloadFields(f),
  }),
});

/** The fields of a transfer's own message. */
export function readTransfer(node: CallNode) {
  const body = bodyOf(node, transferBody);
  const payload = servedPayload(cellOf(node), body);
  // A payload without bits counts as none, whatever it refers to.
  const forwardPayload = payload === undefined || payload.bitLength === 0 ? undefined : payload;
  return {
    amount: body.amount,
    sentAmount: body.amount,
    forwardAmount: body.forwardTonAmount,
    queryId: body.queryId,
    receiver: body.destination,
    responseDestination: body.responseDestination,
    customPayload: body.customPayload,
    forwardPayload,
    comment: forwardPayload === undefined || forwardPayload.isExotic ? undefined : findComment(sliceOf(forwardPayload)),
  };
}

/** The opcode at the beginning of a transfer's payload. */
export function payloadOpcode({ forwardPayload }: JettonTransfer): number | undefined {
  if (forwardPayload === undefined || forwardPayload.isExotic || forwardPayload.bitLength < 32) return undefined;
  return sliceOf(forwardPayload).loadUint(32);
}

/** The received amount; wallets differ in how they write the payload after it. */
export function findReceived(node: CallNode) {
  return jettonInternalTransfer.find(cellOf(node)) ?? jettonInternalTransferPlain.find(cellOf(node));
}

const received = call(jettonInternalTransfer, { child: call(jettonNotify, { optional: true }) });
const sent = call(transferBody, { child: received });

export const jettonTransferMatcher = matcher({
  name: "jetton_transfer",
  pattern: sent,
  build: (match, facts) => {
    const node = match.get(sent);
    const arrival = match.get(received);
    const wallet = facts.findJettonWallet(destinationOf(arrival));
    if (wallet === undefined) return undefined;
    const { receiver, ...transfer } = readTransfer(node);
    known(receiver);
    const arrived = findReceived(arrival);
    const data: JettonTransfer = {
      ...transfer,
      sender: sourceOf(node),
      senderWallet: destinationOf(node),
      receiver: wallet.owner,
      receiverWallet: destinationOf(arrival),
      asset: wallet.jetton,
      amount: arrived?.amount ?? transfer.amount,
      forwardAmount: arrived?.forwardTonAmount ?? transfer.forwardAmount,
      hasInternalTransfer: true,
    };
    return made(jettonTransfer, data, { failed: node.failed || arrival.failed });
  },
});

const ptonSent = call(transferBody, { child: call(jettonNotify, { optional: true }) });

export const ptonTransferMatcher = matcher({
  name: "pton_transfer",
  pattern: ptonSent,
  build: (match, facts) => {
    const node = match.get(ptonSent);
    const wallet = facts.findJettonWallet(destinationOf(node));
    if (wallet === undefined || !ptonMasters.has(wallet.jetton)) return undefined;
    const { receiver, ...transfer } = readTransfer(node);
    const data: JettonTransfer = {
      ...transfer,
      sender: sourceOf(node),
      senderWallet: undefined,
      receiver,
      receiverWallet: undefined,
      asset: wallet.jetton,
      hasInternalTransfer: false,
    };
    return made(jettonTransfer, data, { failed: node.failed });
  },
});

/** Among the messages that a failed external message would have sent, only the transfer itself exists. */
const ghostSent = call(transferBody);

export const failedTransferMatcher = matcher({
  name: "failed_jetton_transfer",
  pattern: ghostSent,
  build: (match, facts) => {
    const node = match.get(ghostSent);
    const { receiver, ...transfer } = readTransfer(node);
    const data: JettonTransfer = {
      ...transfer,
      sender: sourceOf(node),
      senderWallet: destinationOf(node),
      receiver: known(receiver),
      receiverWallet: undefined,
      asset: facts.findJettonWallet(destinationOf(node))?.jetton,
      hasInternalTransfer: false,
    };
    return made(jettonTransfer, data, { failed: node.failed });
  },
});

export interface JettonBurn {
  readonly owner: Address;
  readonly wallet: Address;
  readonly asset: Address;
  readonly amount: bigint;
}

export const jettonBurn = kind<JettonBurn>({
  type: "jetton_burn",
  parties: (b) => ({ source: b.owner, sourceSecondary: b.wallet }),
  details: (f) => ({
    owner: f.address("Address of the owner.", (b) => b.owner),
    owner_jetton_wallet: f.address("Jetton wallet of the owner.", (b) => b.wallet),
    asset: f.address("Address of the jetton's master; null for coins.", (b) => b.asset),
    amount: f.amount("Amount in the smallest units of the asset.", (b) => b.amount),
  }),
});

const burnt = call(burnBody, { child: call(jettonBurnNotification, { optional: true }) });

export const jettonBurnMatcher = matcher({
  name: "jetton_burn",
  pattern: burnt,
  build: (match: Match, facts) => {
    const node = match.get(burnt);
    const wallet = facts.findJettonWallet(destinationOf(node));
    if (wallet === undefined) return undefined;
    const data = {
      owner: wallet.owner,
      wallet: destinationOf(node),
      asset: wallet.jetton,
      amount: bodyOf(node, burnBody).amount,
    };
    return made(jettonBurn, data, { failed: node.failed });
  },
});
