import { address } from "../../kit/addressFields.ts";
import { type Body, type BodyValues, quietBody } from "../../kit/declare.ts";
import { cellRef, coins, queryId } from "../../kit/fields.ts";

const envelope = { queryId, amount: coins, origin: address, object: cellRef };

/** All messages of the protocol carry an object in the same envelope; the public index has no names for them. */
function carried(name: string, opcode: number): Body<BodyValues<typeof envelope>> {
  return quietBody(name, opcode, envelope);
}

export const layerzeroSendRequest = carried("layerzero_send_request", 0xdd4ea3b4);
export const layerzeroControllerSend = carried("layerzero_controller_send", 0x536feb09);
export const layerzeroEndpointSend = carried("layerzero_endpoint_send", 0x4002b790);
export const layerzeroMsglibSend = carried("layerzero_msglib_send", 0x5de68393);
export const layerzeroMsglibSent = carried("layerzero_msglib_sent", 0x421c1a25);
export const layerzeroChannelSent = carried("layerzero_channel_sent", 0xa2b5fbae);
export const layerzeroEvent = carried("layerzero_event", 0xe33b9873);
export const layerzeroReceiveBody = carried("layerzero_receive", 0x22f3ac09);
export const layerzeroReceivePrepared = carried("layerzero_receive_prepared", 0x97df404c);
export const layerzeroEndpointReceive = carried("layerzero_endpoint_receive", 0xb7680bc6);
export const layerzeroChannelReceive = carried("layerzero_channel_receive", 0x0c7b8418);
export const layerzeroReceived = carried("layerzero_received", 0xcaae25a1);
export const layerzeroCommit = carried("layerzero_commit", 0x28b97077);
export const layerzeroEndpointCommit = carried("layerzero_endpoint_commit", 0xf9d37b80);
export const layerzeroMsglibCommit = carried("layerzero_msglib_commit", 0x5dab749a);
export const layerzeroChannelCommit = carried("layerzero_channel_commit", 0x5388cd88);
export const layerzeroCommitted = carried("layerzero_committed", 0x5e178f33);
export const layerzeroDvnVerify = carried("layerzero_dvn_verify", 0xa0d51a8d);
export const layerzeroMsglibVerify = carried("layerzero_msglib_verify", 0x09f047d9);
export const layerzeroConnectionVerify = carried("layerzero_connection_verify", 0x994aaf4e);
export const layerzeroConnectionVerified = carried("layerzero_connection_verified", 0x4ec8f80a);
export const layerzeroVerified = carried("layerzero_verified", 0x3cb38090);
