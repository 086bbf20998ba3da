import { Type } from "typebox";
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
import type { Address } from "../../../model/Address.ts";
import { encodeBag } from "../../declare/encodeBag.ts";
import { address, boc, named, word } from "./scalars.ts";

/** A 64-bit number as a JSON number. */
const whole = field({ schema: Type.Integer(), encode: (value: bigint) => value });

/** A cell as the base64 of its bag. */
const cell = field({ schema: boc.schema, encode: (value: Cell) => encodeBag(value) });

const queryId = whole(
  "Number that the sender chose to recognise the answer by.",
  (body: { readonly queryId: bigint }) => body.queryId,
);

const response = nullable(address)(
  "Address that receives the coins left over; null for none.",
  (body: { readonly response: Address | undefined }) => body.response,
);

type TokenTransfer = OrderBodyOf<"jetton_transfer"> | OrderBodyOf<"nft_transfer">;

const customPayload = nullable(cell)(
  "Payload for the wallet or item contract itself, as a bag of cells in base64; null without one.",
  (body: TokenTransfer) => body.customPayload,
);

const forwardAmount = decimal(
  "Coins that go on to the receiver with a notification, in nanocoins.",
  (body: TokenTransfer) => body.forwardAmount,
);

const forwardPayload = nullable(cell)(
  "Payload that goes on to the receiver, as a bag of cells in base64; null without one.",
  (body: TokenTransfer) => body.forwardPayload,
);

const swap = shape<StonfiSwap>()({
  jetton_wallet: nullable(address)(
    "Address of the router's jetton wallet of the wanted asset; null for none.",
    (s) => s.jettonWallet,
  ),
  min_amount: decimal("Smallest amount that the swap may give.", (s) => s.minAmount),
  user_address: nullable(address)("Address of the user; null for none.", (s) => s.user),
});

type Shapes = { readonly [K in OrderBodyKind]: FieldMaker<OrderBodyOf<K>, unknown> };

const bodies = {
  ton_transfer: shape<OrderBodyOf<"ton_transfer">>()({
    comment: nullable(text)("Text comment of the transfer; null without one.", (b) => b.comment?.text),
    encrypted: bool("Whether the text is encrypted.", (b) => b.comment?.encrypted === true),
  }),
  jetton_transfer: shape<OrderBodyOf<"jetton_transfer">>()({
    query_id: queryId,
    amount: decimal("Amount in the smallest units of the asset.", (b) => b.amount),
    destination: nullable(address)("Address of the receiver.", (b) => b.destination),
    response,
    custom_payload: customPayload,
    forward_amount: forwardAmount,
    comment: nullable(text)("Text comment of the transfer; null without one.", (b) => b.comment?.text),
    encrypted_comment: bool("Whether the text is encrypted.", (b) => b.comment?.encrypted === true),
    forward_payload: forwardPayload,
    payload_sum_type: word(
      "TextComment",
      "EncryptedTextComment",
      "StonfiSwap",
      "Unknown",
      "",
    )("Kind of the payload.", (b) => b.payloadKind),
    stonfi_swap_body: nullable(swap)("Swap on STON.fi.", (b) => b.swap),
  }),
  jetton_burn: shape<OrderBodyOf<"jetton_burn">>()({
    query_id: queryId,
    amount: decimal("Amount in the smallest units of the asset.", (b) => b.amount),
    response_destination: response,
  }),
  jetton_mint: shape<OrderBodyOf<"jetton_mint">>()({
    opcode: int("Operation: the first 32 bits of the body, in hex.", (b) => b.opcode),
    query_id: queryId,
    to_address: nullable(address)("Address of the receiver; null for none.", (b) => b.to),
    ton_amount: decimal("Coins for the jetton wallet of the receiver, in nanocoins.", (b) => b.tonAmount),
    master_msg_query_id: whole("Id of the inner message.", (b) => b.masterQueryId),
    master_msg_jetton_amount: decimal("Minted amount, in the smallest units.", (b) => b.jettonAmount),
  }),
  nft_transfer: shape<OrderBodyOf<"nft_transfer">>()({
    query_id: queryId,
    new_owner: nullable(address)("Address of the new owner.", (b) => b.newOwner),
    response_destination: response,
    custom_payload: customPayload,
    forward_amount: forwardAmount,
    forward_payload: forwardPayload,
  }),
  jetton_top_up: shape<OrderBodyOf<"jetton_top_up">>()({ query_id: queryId }),
  jetton_change_admin: shape<OrderBodyOf<"jetton_change_admin">>()({
    query_id: queryId,
    new_admin_address: nullable(address)("New admin of the jetton.", (b) => b.newAdmin),
  }),
  jetton_claim_admin: shape<OrderBodyOf<"jetton_claim_admin">>()({ query_id: queryId }),
  jetton_change_content: shape<OrderBodyOf<"jetton_change_content">>()({
    query_id: queryId,
    new_metadata_url: text("New URL of the jetton's metadata.", (b) => b.url),
  }),
  jetton_call_to: shape<OrderBodyOf<"jetton_call_to">>()({
    query_id: queryId,
    to_address: nullable(address)("Address of the receiver; null for none.", (b) => b.to),
    ton_amount: decimal("Coins that the call carries, in nanocoins.", (b) => b.tonAmount),
    action_type: word(
      "JettonSetStatus",
      "JettonTransfer",
      "JettonBurn",
      "Unknown",
    )("Kind of action that the order carries out.", (b) => b.actionKind),
    action_data: cell("Data of the action, as a bag of cells in base64.", (b) => b.action),
  }),
  jetton_set_status: shape<OrderBodyOf<"jetton_set_status">>()({
    query_id: queryId,
    new_status: int("New status of the jetton wallet.", (b) => b.status),
  }),
  single_nominator_withdraw: shape<OrderBodyOf<"single_nominator_withdraw">>()({
    query_id: queryId,
    coins: decimal("Coins to withdraw, in nanocoins.", (b) => b.coins),
  }),
  single_nominator_change_validator: shape<OrderBodyOf<"single_nominator_change_validator">>()({
    query_id: queryId,
    validator_address: nullable(address)("Address of the new validator; null for none.", (b) => b.validator),
  }),
  vesting_internal_transfer: shape<OrderBodyOf<"vesting_internal_transfer">>()({
    query_id: queryId,
    send_mode: int("Mode in which the message is sent, as a number.", (b) => b.sendMode),
    destination: nullable(address)("Address of the receiver.", (b) => b.destination),
    value: decimal("Coins to send, in nanocoins.", (b) => b.value),
    message_body: cell("Body of the message, as a bag of cells in base64.", (b) => b.body),
    comment: nullable(text)("Text comment of the transfer; null without one.", (b) => b.comment?.text),
  }),
  multisig_update_params: shape<OrderBodyOf<"multisig_update_params">>()({
    new_threshold: int("Number of signers that must approve from now on.", (b) => b.threshold),
    new_signers: list(address)("Addresses of the new signers.", (b) => b.signers),
    new_proposers: list(address)("Addresses of the new proposers.", (b) => b.proposers),
  }),
  unknown: shape<OrderBodyOf<"unknown">>()({
    opcode: int("Operation: the first 32 bits of the body, as a number.", (b) => b.opcode),
    data: cell("Body as a bag of cells in base64.", (b) => b.data),
  }),
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
    destination: nullable(address)(
      "Address of the receiver; null for an action that sends nothing.",
      (a) => a.destination,
    ),
    value: nullable(decimal)(
      "Coins that the message carries, in nanocoins; null for an action that sends nothing.",
      (a) => a.value,
    ),
    body_raw: nullable(cell)("Body as a bag of cells in base64; null without one.", (a) => a.body),
    parsed: bool("Whether the action could be decoded.", (a) => a.content.kind === "parsed"),
    error: nullable(text)("Why the action could not be decoded; null if it could.", (a) =>
      a.content.kind === "failed" ? a.content.error : undefined,
    ),
    parsed_body: nullable(parsedBody)("Body as fields; null if it could not be decoded.", (a) =>
      a.content.kind === "parsed" ? a.content.body : undefined,
    ),
    parsed_body_type: word(...kinds)("Kind of the body; `unknown` if it could not be decoded.", (a) =>
      a.content.kind === "parsed" ? a.content.body.kind : "unknown",
    ),
    send_mode: int("Mode in which the message is sent, as a number.", (a) => a.sendMode),
  }),
);
