import { maybe, tagged, uint32, uint64, union, type ValueOf } from "../cell/codec.ts";
import { linked } from "../cell/linked.ts";
import { Coins } from "./Currency.ts";
import { Message } from "./Message.ts";
import { IntermediateAddress, internalAddress } from "./messageAddress.ts";

// msg_metadata#0 depth:uint32 initiator_addr:MsgAddressInt initiator_lt:uint64 = MsgMetadata;
export const MessageMetadata = tagged("#0", { depth: uint32, initiator: internalAddress, initiatorLt: uint64 });
export type MessageMetadata = ValueOf<typeof MessageMetadata>;

const route = {
  current: IntermediateAddress,
  next: IntermediateAddress,
  fwdFeeRemaining: Coins,
  message: linked(Message),
};

// msg_envelope#4 cur_addr:IntermediateAddress next_addr:IntermediateAddress fwd_fee_remaining:Grams
//   msg:^(Message Any) = MsgEnvelope;
// msg_envelope_v2#5 cur_addr:IntermediateAddress next_addr:IntermediateAddress fwd_fee_remaining:Grams
//   msg:^(Message Any) emitted_lt:(Maybe uint64) metadata:(Maybe MsgMetadata) = MsgEnvelope;
export const MessageEnvelope = union({
  v1: ["#4", route],
  v2: ["#5", { ...route, emittedLt: maybe(uint64), metadata: maybe(MessageMetadata) }],
});
export type MessageEnvelope = ValueOf<typeof MessageEnvelope>;
