import type { Cell } from "../../../cell/Cell.ts";
import { sliceOf } from "../../../cell/Slice.ts";
import type { Address } from "../../../model/Address.ts";
import { accountOf } from "../../../model/Address.ts";
import { details } from "../../engine/details.ts";
import { kind } from "../../engine/kind.ts";
import { made, matcher } from "../../engine/matcher.ts";
import type { CallNode } from "../../engine/nodes.ts";
import { built, call, cellOf, destinationOf, known, noMatch, sourceOf, transfer } from "../../engine/pattern.ts";
import { jettonTransfer } from "../jetton/actions.ts";
import {
  layerzeroChannelCommit,
  layerzeroChannelReceive,
  layerzeroChannelSent,
  layerzeroCommit,
  layerzeroCommitted,
  layerzeroConnectionVerified,
  layerzeroConnectionVerify,
  layerzeroControllerSend,
  layerzeroDvnVerify,
  layerzeroEndpointCommit,
  layerzeroEndpointReceive,
  layerzeroEndpointSend,
  layerzeroEvent,
  layerzeroMsglibCommit,
  layerzeroMsglibSend,
  layerzeroMsglibSent,
  layerzeroMsglibVerify,
  layerzeroReceived,
  layerzeroReceivePrepared,
  layerzeroSendRequest,
  layerzeroVerified,
  layerzeroReceiveBody as receiveBody,
} from "./messages.ts";
import {
  type Packet,
  packetDetails,
  readPacket,
  readSendRequest,
  readVerification,
  type SendRequest,
  sendHex,
} from "./objects.ts";

interface Send extends SendRequest {
  readonly initiator: Address;
  readonly endpoint: Address;
  readonly channel: Address;
  readonly uln: Address;
}

const sendDetails = details<Send>((f) => ({
  send_request_id: f.bigNumber((s) => s.id),
  msglib_manager: f.text((s) => sendHex(s.msglibManager)),
  msglib: f.text((s) => sendHex(s.msglib)),
  uln: f.address((s) => s.uln),
  native_fee: f.bigNumber((s) => s.nativeFee),
  zro_fee: f.bigNumber((s) => s.zroFee),
  endpoint: f.address((s) => s.endpoint),
  channel: f.address((s) => s.channel),
}));

export const layerzeroSend = kind<Send>({
  type: "layerzero_send",
  showsParts: true,
  parties: (s) => ({ source: s.initiator }),
  details: (f) => ({
    initiator: f.address((s) => s.initiator),
    layerzero_send_data: f.nested(sendDetails, (s) => s),
    layerzero_packet_data: f.nested(packetDetails, (s) => s.packet),
  }),
});

const anyEvent = call(layerzeroEvent, { optional: true });
const anyTransfer = transfer({ optional: true });
const toOapp = call(layerzeroChannelSent, { children: [anyEvent, anyTransfer] });
/** At most five are paid: the verifiers, the executor, the treasury. */
const fees = Array.from({ length: 5 }, () => transfer({ optional: true }));
const msglibSent = call(layerzeroMsglibSent, { children: [call(layerzeroEvent), ...fees, toOapp] });
const msglibSend = call(layerzeroMsglibSend, { child: msglibSent });
const channelSend = call(layerzeroControllerSend, { child: call(layerzeroEndpointSend, { child: msglibSend }) });
const sent = call(layerzeroSendRequest, { child: channelSend });

/** The object that a message carries. The service reads it alone, so the rest of the message may be cut. */
function objectOf(node: CallNode): Cell {
  return sliceOf(cellOf(node)).loadRef();
}

export const layerzeroSendMatcher = matcher({
  name: "layerzero_send",
  pattern: sent,
  build: (match) => {
    const node = match.get(sent);
    const object = objectOf(match.get(toOapp));
    const data: Send = {
      ...readSendRequest(object),
      initiator: sourceOf(node),
      endpoint: destinationOf(node),
      channel: destinationOf(match.get(channelSend)),
      uln: destinationOf(match.get(msglibSend)),
    };
    return made(layerzeroSend, data);
  },
});

interface SendTokens {
  readonly sender: Address;
  readonly senderWallet: Address | undefined;
  readonly oapp: Address;
  readonly oappWallet: Address | undefined;
  readonly asset: Address | undefined;
  readonly amount: bigint;
  readonly send: Send;
}

export const layerzeroSendTokens = kind<SendTokens>({
  type: "layerzero_send_tokens",
  showsParts: true,
  parties: (s) => ({
    source: s.sender,
    sourceSecondary: s.senderWallet,
    destination: s.oapp,
    destinationSecondary: s.oappWallet,
  }),
  details: (f) => ({
    sender: f.address((s) => s.sender),
    sender_wallet: f.address((s) => s.senderWallet),
    oapp: f.address((s) => s.oapp),
    oapp_wallet: f.address((s) => s.oappWallet),
    asset: f.address((s) => s.asset),
    amount: f.amount((s) => s.amount),
    layerzero_send_data: f.nested(sendDetails, (s) => s.send),
    layerzero_packet_data: f.nested(packetDetails, (s) => s.send.packet),
  }),
});

const givenTokens = built(jettonTransfer, { child: call(layerzeroEvent) });
const sentTokens = built(layerzeroSend, { parent: givenTokens });

export const layerzeroSendTokensMatcher = matcher({
  name: "layerzero_send_tokens",
  pattern: sentTokens,
  build: (match) => {
    const given = match.get(givenTokens).data;
    const data: SendTokens = {
      sender: given.sender,
      senderWallet: given.senderWallet,
      oapp: known(given.receiver),
      oappWallet: given.receiverWallet,
      asset: given.asset,
      amount: given.amount,
      send: match.get(sentTokens).data,
    };
    return made(layerzeroSendTokens, data);
  },
});

interface Receive {
  readonly sender: Address;
  readonly oapp: Address;
  readonly channel: Address;
  readonly packet: Packet;
}

export const layerzeroReceive = kind<Receive>({
  type: "layerzero_receive",
  showsParts: true,
  parties: (r) => ({ source: r.sender, destination: r.oapp, destinationSecondary: r.channel }),
  details: (f) => ({
    sender: f.address((r) => r.sender),
    oapp: f.address((r) => r.oapp),
    channel: f.address((r) => r.channel),
    layerzero_packet_data: f.nested(packetDetails, (r) => r.packet),
  }),
});

const executed = call(layerzeroChannelReceive, {
  children: [anyEvent, call(layerzeroReceived, { children: [anyEvent, anyTransfer] })],
});
const received = call(receiveBody, {
  children: [
    anyTransfer,
    call(layerzeroReceivePrepared, { child: call(layerzeroEndpointReceive, { child: executed }) }),
  ],
});

export const layerzeroReceiveMatcher = matcher({
  name: "layerzero_receive",
  pattern: received,
  build: (match) => {
    const node = match.get(executed);
    const packet = readPacket(objectOf(node));
    const oapp = destinationOf(node);
    if (BigInt(`0x${accountOf(oapp)}`) !== packet.dstOapp) throw noMatch("the packet is for somebody else");
    const data = { sender: sourceOf(match.get(received)), oapp, channel: sourceOf(node), packet };
    return made(layerzeroReceive, data);
  },
});

interface Commit {
  readonly sender: Address;
  readonly endpoint: Address;
  readonly ulnConnection: Address;
  readonly channel: Address;
  readonly msglibConnection: Address;
  readonly packet: Packet;
}

export const layerzeroCommitPacket = kind<Commit>({
  type: "layerzero_commit_packet",
  showsParts: true,
  parties: (c) => ({
    source: c.sender,
    sourceSecondary: c.endpoint,
    destination: c.ulnConnection,
    destinationSecondary: c.ulnConnection,
  }),
  details: (f) => ({
    sender: f.address((c) => c.sender),
    endpoint: f.address((c) => c.endpoint),
    // The public index also shows the connection in the place of the library.
    uln: f.address((c) => c.ulnConnection),
    uln_connection: f.address((c) => c.ulnConnection),
    channel: f.address((c) => c.channel),
    msglib_connection: f.address((c) => c.msglibConnection),
    layerzero_packet_data: f.nested(packetDetails, (c) => c.packet),
  }),
});

const committedBack = call(layerzeroCommitted, { optional: true, child: anyTransfer });
const channelCommit = call(layerzeroChannelCommit, { children: [anyEvent, committedBack] });
const endpointCommit = call(layerzeroMsglibCommit, { child: channelCommit });
const connectionCommit = call(layerzeroEndpointCommit, { child: endpointCommit });
const committed = call(layerzeroCommit, { child: connectionCommit });

export const layerzeroCommitMatcher = matcher({
  name: "layerzero_commit_packet",
  pattern: committed,
  build: (match) => {
    const channel = match.get(channelCommit);
    const data: Commit = {
      sender: sourceOf(match.get(committed)),
      endpoint: destinationOf(match.get(endpointCommit)),
      ulnConnection: destinationOf(match.get(connectionCommit)),
      channel: destinationOf(channel),
      msglibConnection: destinationOf(match.get(committedBack)),
      packet: readPacket(objectOf(channel)),
    };
    return made(layerzeroCommitPacket, data);
  },
});

interface Verification {
  readonly initiator: Address;
  readonly nonce: bigint;
  readonly status: string;
  readonly dvn: Address;
  readonly proxy: Address;
  readonly uln: Address;
  readonly ulnConnection: Address;
}

export const layerzeroVerification = kind<Verification>({
  type: "layerzero_dvn_verify",
  showsParts: true,
  parties: (v) => ({ source: v.initiator }),
  details: (f) => ({
    initiator: f.address((v) => v.initiator),
    nonce: f.bigNumber((v) => v.nonce),
    status: f.text((v) => v.status),
    dvn: f.address((v) => v.dvn),
    proxy: f.address((v) => v.proxy),
    uln: f.address((v) => v.uln),
    uln_connection: f.address((v) => v.ulnConnection),
  }),
});

const verifiedBack = call(layerzeroVerified, { optional: true, child: anyTransfer });
const connectionVerify = call(layerzeroConnectionVerified, { children: [anyEvent, verifiedBack] });
const ulnVerify = call(layerzeroConnectionVerify, { child: connectionVerify });
const proxyCall = call(layerzeroMsglibVerify, { child: ulnVerify });
const verified = call(layerzeroDvnVerify, { child: proxyCall });

export const layerzeroVerifyMatcher = matcher({
  name: "layerzero_dvn_verify",
  pattern: verified,
  build: (match) => {
    const node = match.get(verified);
    const data: Verification = {
      ...readVerification(objectOf(match.get(verifiedBack))),
      initiator: sourceOf(node),
      dvn: destinationOf(node),
      proxy: destinationOf(match.get(proxyCall)),
      uln: destinationOf(match.get(ulnVerify)),
      ulnConnection: destinationOf(match.get(connectionVerify)),
    };
    return made(layerzeroVerification, data);
  },
});
