import type { Cell } from "../../../cell/Cell.ts";
import { sliceOf } from "../../../cell/Slice.ts";
import type { Address } from "../../../model/Address.ts";
import { accountOf } from "../../../model/Address.ts";
import { details } from "../../engine/details.ts";
import { between, kind } from "../../engine/kind.ts";
import { made, matcher } from "../../engine/matcher.ts";
import { cellOf, destinationOf, known, noMatch, sourceOf } from "../../engine/messageParts.ts";
import type { CallNode } from "../../engine/nodes.ts";
import { built, call, transfer } from "../../engine/pattern.ts";
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
import type { Packet, SendRequest } from "./objects.ts";
import { packetDetails, readPacket, readSendRequest, readVerification, sendHex } from "./objects.ts";

interface Send extends SendRequest {
  readonly initiator: Address;
  readonly endpoint: Address;
  readonly channel: Address;
  readonly uln: Address;
}

const sendDetails = details<Send>((f) => ({
  send_request_id: f.bigNumber("Id of the request.", (s) => s.id),
  msglib_manager: f.text("Address of the manager of the message library.", (s) => sendHex(s.msglibManager)),
  msglib: f.text("Address of the message library.", (s) => sendHex(s.msglib)),
  uln: f.address("Address of the library that counts verifications.", (s) => s.uln),
  native_fee: f.bigNumber("Fee in coins, in nanocoins.", (s) => s.nativeFee),
  zro_fee: f.bigNumber("Fee in ZRO, in its smallest units.", (s) => s.zroFee),
  endpoint: f.address("Address of the endpoint contract of LayerZero.", (s) => s.endpoint),
  channel: f.address("Address of the channel between the two chains.", (s) => s.channel),
}));

export const layerzeroSend = kind<Send>({
  type: "layerzero_send",
  showsParts: true,
  parties: (s) => ({ source: s.initiator }),
  details: (f) => ({
    initiator: f.address("Address of the account that began it.", (s) => s.initiator),
    layerzero_send_data: f.nested("How the packet is sent.", sendDetails, (s) => s),
    layerzero_packet_data: f.nested("Packet that goes between the two chains.", packetDetails, (s) => s.packet),
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
  parties: (s) => between([s.sender, s.senderWallet], [s.oapp, s.oappWallet]),
  details: (f) => ({
    sender: f.address("Address of the sender.", (s) => s.sender),
    sender_wallet: f.address("Address of the jetton wallet of the sender.", (s) => s.senderWallet),
    oapp: f.address("Address of the application.", (s) => s.oapp),
    oapp_wallet: f.address("Address of the jetton wallet of the application.", (s) => s.oappWallet),
    asset: f.address("Address of the jetton's master; null for coins.", (s) => s.asset),
    amount: f.amount("Amount in the smallest units of the asset.", (s) => s.amount),
    layerzero_send_data: f.nested("How the packet is sent.", sendDetails, (s) => s.send),
    layerzero_packet_data: f.nested("Packet that goes between the two chains.", packetDetails, (s) => s.send.packet),
  }),
});

const givenTokens = built(jettonTransfer, { child: call(layerzeroEvent) });
const sentTokens = built(layerzeroSend, { parent: givenTokens });

export const layerzeroSendTokensMatcher = matcher({
  name: "layerzero_send_tokens",
  pattern: sentTokens,
  build: (match) => {
    const jettonTransfer = match.get(givenTokens).data;
    const data: SendTokens = {
      sender: jettonTransfer.sender,
      senderWallet: jettonTransfer.senderWallet,
      oapp: known(jettonTransfer.receiver),
      oappWallet: jettonTransfer.receiverWallet,
      asset: jettonTransfer.asset,
      amount: jettonTransfer.amount,
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
    sender: f.address("Address of the sender.", (r) => r.sender),
    oapp: f.address("Address of the application.", (r) => r.oapp),
    channel: f.address("Address of the channel between the two chains.", (r) => r.channel),
    layerzero_packet_data: f.nested("Packet that goes between the two chains.", packetDetails, (r) => r.packet),
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
  parties: (c) => between([c.sender, c.endpoint], [c.ulnConnection, c.ulnConnection]),
  details: (f) => ({
    sender: f.address("Address of the sender.", (c) => c.sender),
    endpoint: f.address("Address of the endpoint contract of LayerZero.", (c) => c.endpoint),
    // The public index also shows the connection in the place of the library.
    uln: f.address("Address of the library that counts verifications.", (c) => c.ulnConnection),
    uln_connection: f.address(
      "Address of the connection of the library that counts verifications.",
      (c) => c.ulnConnection,
    ),
    channel: f.address("Address of the channel between the two chains.", (c) => c.channel),
    msglib_connection: f.address("Address of the connection of the message library.", (c) => c.msglibConnection),
    layerzero_packet_data: f.nested("Packet that goes between the two chains.", packetDetails, (c) => c.packet),
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
    initiator: f.address("Address of the account that began it.", (v) => v.initiator),
    nonce: f.bigNumber("Number of the packet or request.", (v) => v.nonce),
    status: f.text("Result of the verification.", (v) => v.status),
    dvn: f.address("Address of the verifier.", (v) => v.dvn),
    proxy: f.address("Address of the verifier's proxy.", (v) => v.proxy),
    uln: f.address("Address of the library that counts verifications.", (v) => v.uln),
    uln_connection: f.address(
      "Address of the connection of the library that counts verifications.",
      (v) => v.ulnConnection,
    ),
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
