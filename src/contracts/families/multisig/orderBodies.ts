import type { Cell } from "../../../cell/Cell.ts";
import { loadCell } from "../../../cell/codec.ts";
import { type Slice, sliceOf } from "../../../cell/Slice.ts";
import { plainAddress } from "../../../model/Address.ts";
import { RelaxedMessage } from "../../../model/Message.ts";
import { address } from "../../kit/addressFields.ts";
import { encryptedComment, findComment, findTransferComment } from "../../kit/comment.ts";
import { loadSnake } from "../../kit/fields.ts";
import type { OrderBody, OrderBodyOf, PayloadKind, StonfiSwap } from "./OrderBody.ts";

/** Reads the fields after the opcode. */
type Read = (slice: Slice, body: Cell, opcode: number) => OrderBody;

const stonfiSwap = 0x25938561;

const readers = new Map<number, Read>([
  [0, (_slice, body) => ({ kind: "ton_transfer", comment: findTransferComment(body) })],
  [encryptedComment, (_slice, body) => ({ kind: "ton_transfer", comment: findComment(sliceOf(body)) })],
  [0x0f8a7ea5, readJettonTransfer],
  [0x595f07bc, (s) => ({ kind: "jetton_burn", ...query(s), amount: s.loadCoins(), response: address.load(s) })],
  [0x00000015, readMint],
  [0x642b7d07, readMint],
  [0x5fcc3d14, readNftTransfer],
  [0x00009fd3, (s) => ({ kind: "jetton_top_up", ...query(s) })],
  [0x6501f354, (s) => ({ kind: "jetton_change_admin", ...query(s), newAdmin: address.load(s) })],
  [0xfb88e119, (s) => ({ kind: "jetton_claim_admin", ...query(s) })],
  [0xcb862902, (s) => ({ kind: "jetton_change_content", ...query(s), url: loadSnake(s).toString("utf8") })],
  [0x235caf52, readCallTo],
  [0xeed236d3, (s) => ({ kind: "jetton_set_status", ...query(s), status: s.loadUint(4) })],
  [0x00001000, (s) => ({ kind: "single_nominator_withdraw", ...query(s), coins: s.loadCoins() })],
  [0x00001001, (s) => ({ kind: "single_nominator_change_validator", ...query(s), validator: address.load(s) })],
  [0x75097f5d, readVestingTransfer],
]);

/** The body of a message of an order; a body with a known opcode and a wrong layout throws a coded error. */
export function readOrderBody(body: Cell): OrderBody {
  if (body.isExotic || body.bitLength < 32) return { kind: "ton_transfer", comment: undefined };
  const slice = sliceOf(body);
  const opcode = slice.loadUint(32);
  return readers.get(opcode)?.(slice, body, opcode) ?? { kind: "unknown", opcode, data: body };
}

function query(slice: Slice): { readonly queryId: bigint } {
  return { queryId: slice.loadBigUint(64) };
}

/** Either Cell ^Cell; undefined without a payload, or when the body ends before it. */
function loadPayload(slice: Slice): Cell | undefined {
  if (slice.remainingBits === 0) return undefined;
  const payload = slice.loadBit() ? slice.loadRef() : slice.loadRest();
  return payload.bitLength === 0 && payload.refCount === 0 ? undefined : payload;
}

// transfer#0f8a7ea5 query_id:uint64 amount:(VarUInteger 16) destination:MsgAddress response_destination:MsgAddress
//   custom_payload:(Maybe ^Cell) forward_ton_amount:(VarUInteger 16) forward_payload:(Either Cell ^Cell)
function readJettonTransfer(slice: Slice): OrderBody {
  const fields = {
    ...query(slice),
    amount: slice.loadCoins(),
    destination: address.load(slice),
    response: address.load(slice),
    customPayload: slice.loadMaybeRef(),
    forwardAmount: slice.loadCoins(),
  };
  const forwardPayload = loadPayload(slice);
  const payloadKind = payloadKindOf(forwardPayload);
  const isComment = payloadKind === "TextComment" || payloadKind === "EncryptedTextComment";
  return {
    kind: "jetton_transfer",
    ...fields,
    forwardPayload,
    payloadKind,
    comment: isComment && forwardPayload ? findComment(sliceOf(forwardPayload)) : undefined,
    swap: payloadKind === "StonfiSwap" && forwardPayload ? readSwap(sliceOf(forwardPayload)) : undefined,
  };
}

function payloadKindOf(payload: Cell | undefined): PayloadKind {
  if (payload === undefined) return "";
  if (payload.isExotic || payload.bitLength < 32) return "Unknown";
  switch (sliceOf(payload).loadUint(32)) {
    case 0:
      return "TextComment";
    case encryptedComment:
      return "EncryptedTextComment";
    case stonfiSwap:
      return "StonfiSwap";
    default:
      return "Unknown";
  }
}

// swap#25938561 token_wallet:MsgAddress min_out:(VarUInteger 16) to_address:MsgAddress …
function readSwap(slice: Slice): StonfiSwap {
  slice.skip(32);
  return { jettonWallet: address.load(slice), minAmount: slice.loadCoins(), user: address.load(slice) };
}

// query_id:uint64 to_address:MsgAddress ton_amount:Coins master_msg:^[op:uint32 query_id:uint64 jetton_amount:Coins …]
function readMint(slice: Slice, _body: Cell, opcode: number): OrderBody {
  const fields = { ...query(slice), to: address.load(slice), tonAmount: slice.loadCoins() };
  const master = sliceOf(slice.loadRef()).skip(32);
  return {
    kind: "jetton_mint",
    opcode,
    ...fields,
    masterQueryId: master.loadBigUint(64),
    jettonAmount: master.loadCoins(),
  };
}

// transfer#5fcc3d14 query_id:uint64 new_owner:MsgAddress response_destination:MsgAddress custom_payload:(Maybe ^Cell)
//   forward_amount:(VarUInteger 16) forward_payload:(Either Cell ^Cell)
function readNftTransfer(slice: Slice): OrderBody {
  return {
    kind: "nft_transfer",
    ...query(slice),
    newOwner: address.load(slice),
    response: address.load(slice),
    customPayload: slice.loadMaybeRef(),
    forwardAmount: slice.loadCoins(),
    forwardPayload: loadPayload(slice),
  };
}

const calledActions = new Map([
  [0xeed236d3, "JettonSetStatus"],
  [0x0f8a7ea5, "JettonTransfer"],
  [0x595f07bc, "JettonBurn"],
] as const);

// query_id:uint64 to_address:MsgAddress ton_amount:Coins action:^Cell
function readCallTo(slice: Slice): OrderBody {
  const fields = { ...query(slice), to: address.load(slice), tonAmount: slice.loadCoins() };
  const action = slice.loadRef();
  const opcode = action.isExotic || action.bitLength < 32 ? undefined : sliceOf(action).loadUint(32);
  const known: ReadonlyMap<number | undefined, OrderBodyOf<"jetton_call_to">["actionKind"]> = calledActions;
  return { kind: "jetton_call_to", ...fields, actionKind: known.get(opcode) ?? "Unknown", action };
}

// query_id:uint64 send_mode:uint8 message:^(MessageRelaxed Any)
function readVestingTransfer(slice: Slice): OrderBody {
  const fields = { ...query(slice), sendMode: slice.loadUint(8) };
  const { info, body } = loadCell(RelaxedMessage, slice.loadRef());
  return {
    kind: "vesting_internal_transfer",
    ...fields,
    destination: info.kind === "internal" ? plainAddress(info.dest) : undefined,
    value: info.kind === "internal" ? info.value.coins : 0n,
    body,
    comment: findTransferComment(body),
  };
}
