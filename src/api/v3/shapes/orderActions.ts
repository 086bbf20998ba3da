import { Type } from "typebox";
import { crcForm, writeBoc } from "../../../cell/boc.ts";
import type { Cell } from "../../../cell/Cell.ts";
import type {
  OrderBody,
  OrderBodyKind,
  OrderBodyOf,
  StonfiSwap,
} from "../../../contracts/families/multisig/OrderBody.ts";
import type { OrderAction } from "../../../contracts/families/multisig/orderActions.ts";
import {
  bool,
  decimal,
  type FieldMaker,
  type Form,
  field,
  int,
  list,
  nullable,
  shape,
  text,
} from "../../../lib/kit/shape.ts";
import { address, boc, named, word } from "./scalars.ts";

/** A 64-bit number as a JSON number. */
const whole = field({ schema: Type.Integer(), encode: (value: bigint) => value });

/** A cell as the base64 of its bag. */
const cell = field({ schema: boc.schema, encode: (value: Cell) => boc.encode(writeBoc(value, crcForm)) });

const queryId = whole((body: { readonly queryId: bigint }) => body.queryId);

const swap = shape<StonfiSwap>()({
  jetton_wallet: nullable(address)((s) => s.jettonWallet),
  min_amount: decimal((s) => s.minAmount),
  user_address: nullable(address)((s) => s.user),
});

type Shapes = { readonly [K in OrderBodyKind]: FieldMaker<OrderBodyOf<K>, unknown> };

const bodies = {
  ton_transfer: shape<OrderBodyOf<"ton_transfer">>()({
    comment: nullable(text)((b) => b.comment?.text),
    encrypted: bool((b) => b.comment?.encrypted === true),
  }),
  jetton_transfer: shape<OrderBodyOf<"jetton_transfer">>()({
    query_id: queryId,
    amount: decimal((b) => b.amount),
    destination: nullable(address)((b) => b.destination),
    response: nullable(address)((b) => b.response),
    custom_payload: nullable(cell)((b) => b.customPayload),
    forward_amount: decimal((b) => b.forwardAmount),
    comment: nullable(text)((b) => b.comment?.text),
    encrypted_comment: bool((b) => b.comment?.encrypted === true),
    forward_payload: nullable(cell)((b) => b.forwardPayload),
    payload_sum_type: word("TextComment", "EncryptedTextComment", "StonfiSwap", "Unknown", "")((b) => b.payloadKind),
    stonfi_swap_body: nullable(swap)((b) => b.swap),
  }),
  jetton_burn: shape<OrderBodyOf<"jetton_burn">>()({
    query_id: queryId,
    amount: decimal((b) => b.amount),
    response_destination: nullable(address)((b) => b.response),
  }),
  jetton_mint: shape<OrderBodyOf<"jetton_mint">>()({
    opcode: int((b) => b.opcode),
    query_id: queryId,
    to_address: nullable(address)((b) => b.to),
    ton_amount: decimal((b) => b.tonAmount),
    master_msg_query_id: whole((b) => b.masterQueryId),
    master_msg_jetton_amount: decimal((b) => b.jettonAmount),
  }),
  nft_transfer: shape<OrderBodyOf<"nft_transfer">>()({
    query_id: queryId,
    new_owner: nullable(address)((b) => b.newOwner),
    response_destination: nullable(address)((b) => b.response),
    custom_payload: nullable(cell)((b) => b.customPayload),
    forward_amount: decimal((b) => b.forwardAmount),
    forward_payload: nullable(cell)((b) => b.forwardPayload),
  }),
  jetton_top_up: shape<OrderBodyOf<"jetton_top_up">>()({ query_id: queryId }),
  jetton_change_admin: shape<OrderBodyOf<"jetton_change_admin">>()({
    query_id: queryId,
    new_admin_address: nullable(address)((b) => b.newAdmin),
  }),
  jetton_claim_admin: shape<OrderBodyOf<"jetton_claim_admin">>()({ query_id: queryId }),
  jetton_change_content: shape<OrderBodyOf<"jetton_change_content">>()({
    query_id: queryId,
    new_metadata_url: text((b) => b.url),
  }),
  jetton_call_to: shape<OrderBodyOf<"jetton_call_to">>()({
    query_id: queryId,
    to_address: nullable(address)((b) => b.to),
    ton_amount: decimal((b) => b.tonAmount),
    action_type: word("JettonSetStatus", "JettonTransfer", "JettonBurn", "Unknown")((b) => b.actionKind),
    action_data: cell((b) => b.action),
  }),
  jetton_set_status: shape<OrderBodyOf<"jetton_set_status">>()({
    query_id: queryId,
    new_status: int((b) => b.status),
  }),
  single_nominator_withdraw: shape<OrderBodyOf<"single_nominator_withdraw">>()({
    query_id: queryId,
    coins: decimal((b) => b.coins),
  }),
  single_nominator_change_validator: shape<OrderBodyOf<"single_nominator_change_validator">>()({
    query_id: queryId,
    validator_address: nullable(address)((b) => b.validator),
  }),
  vesting_internal_transfer: shape<OrderBodyOf<"vesting_internal_transfer">>()({
    query_id: queryId,
    send_mode: int((b) => b.sendMode),
    destination: nullable(address)((b) => b.destination),
    value: decimal((b) => b.value),
    message_body: cell((b) => b.body),
    comment: nullable(text)((b) => b.comment?.text),
  }),
  multisig_update_params: shape<OrderBodyOf<"multisig_update_params">>()({
    new_threshold: int((b) => b.threshold),
    new_signers: list(address)((b) => b.signers),
    new_proposers: list(address)((b) => b.proposers),
  }),
  unknown: shape<OrderBodyOf<"unknown">>()({ opcode: int((b) => b.opcode), data: cell((b) => b.data) }),
} satisfies Shapes;

const kinds = Object.keys(bodies) as OrderBodyKind[];

const parsedBody = field({
  schema: Type.Union(kinds.map((kind) => bodies[kind].schema)),
  encode: (body: OrderBody): unknown => {
    // The shape under a body's kind is the shape of that kind; the index type loses this.
    const form = bodies[body.kind] as Form<OrderBody, unknown>;
    return form.encode(body);
  },
});

/** One action of an order. */
export const orderAction = named(
  "OrderAction",
  shape<OrderAction>()({
    destination: nullable(address)((a) => a.destination),
    value: nullable(decimal)((a) => a.value),
    body_raw: nullable(boc)((a) => a.bodyBoc),
    parsed: bool((a) => a.content.kind === "parsed"),
    error: nullable(text)((a) => (a.content.kind === "failed" ? a.content.error : undefined)),
    parsed_body: nullable(parsedBody)((a) => (a.content.kind === "parsed" ? a.content.body : undefined)),
    parsed_body_type: word(...kinds)((a) => (a.content.kind === "parsed" ? a.content.body.kind : "unknown")),
    send_mode: int((a) => a.sendMode),
  }),
);
