import type { FullJettonBurn, FullJettonTransfer } from "../../../history/queries/jettonEvents.ts";
import type { FullJettonWallet, JettonMasterRow, UnclaimedJettons } from "../../../history/queries/jettons.ts";
import { bool, decimal, int, list, nullable, omittable, shape, text } from "../../../lib/kit/shape.ts";
import { address, boc, hash, jsonObject, named } from "./scalars.ts";

/** A jetton. */
export const jettonMaster = named(
  "JettonMaster",
  shape<JettonMasterRow>()({
    address: address((m) => m.address),
    total_supply: decimal((m) => m.totalSupply),
    mintable: bool((m) => m.mintable),
    admin_address: nullable(address)((m) => m.adminAddress),
    jetton_content: nullable(jsonObject)((m) => m.jettonContent),
    jetton_wallet_code_hash: hash((m) => m.jettonWalletCodeHash),
    code_hash: hash((m) => m.codeHash),
    data_hash: hash((m) => m.dataHash),
    last_transaction_lt: decimal((m) => m.lastTransactionLt),
  }),
);

const mintlessInfo = named(
  "JettonWalletMintlessInfo",
  shape<UnclaimedJettons>()({
    amount: decimal((u) => u.amount),
    start_from: nullable(int)((u) => u.startFrom),
    expire_at: nullable(int)((u) => u.expireAt),
    custom_payload_api_uri: nullable(list(text))((u) => u.customPayloadApiUri),
  }),
);

/** A jetton wallet. */
export const jettonWallet = named(
  "JettonWallet",
  shape<FullJettonWallet>()({
    address: address((w) => w.row.address),
    balance: decimal((w) => w.row.balance),
    owner: address((w) => w.row.owner),
    jetton: address((w) => w.row.jetton),
    last_transaction_lt: decimal((w) => w.row.lastTransactionLt),
    code_hash: nullable(hash)((w) => w.row.codeHash),
    data_hash: nullable(hash)((w) => w.row.dataHash),
    mintless_info: omittable(mintlessInfo)((w) => w.unclaimed),
  }),
);

/** A transfer of jettons. */
export const jettonTransfer = named(
  "JettonTransfer",
  shape<FullJettonTransfer>()({
    query_id: decimal((t) => t.row.queryId),
    source: address((t) => t.row.source),
    destination: nullable(address)((t) => t.row.destination),
    amount: decimal((t) => t.row.amount),
    source_wallet: address((t) => t.row.sourceWallet),
    jetton_master: address((t) => t.row.jettonMaster),
    transaction_hash: hash((t) => t.row.txHash),
    transaction_lt: decimal((t) => t.row.txLt),
    transaction_now: int((t) => t.row.txNow),
    transaction_aborted: bool((t) => t.row.txAborted),
    response_destination: nullable(address)((t) => t.row.responseDestination),
    custom_payload: nullable(boc)((t) => t.customPayload?.boc),
    decoded_custom_payload: nullable(jsonObject)((t) => t.customPayload?.decoded),
    forward_ton_amount: nullable(decimal)((t) => t.row.forwardTonAmount),
    forward_payload: nullable(boc)((t) => t.forwardPayload?.boc),
    decoded_forward_payload: nullable(jsonObject)((t) => t.forwardPayload?.decoded),
    trace_id: nullable(hash)((t) => t.row.traceId),
  }),
);

/** A burn of jettons. */
export const jettonBurn = named(
  "JettonBurn",
  shape<FullJettonBurn>()({
    query_id: decimal((b) => b.row.queryId),
    owner: address((b) => b.row.owner),
    jetton_wallet: address((b) => b.row.jettonWallet),
    jetton_master: address((b) => b.row.jettonMaster),
    transaction_hash: hash((b) => b.row.txHash),
    transaction_lt: decimal((b) => b.row.txLt),
    transaction_now: int((b) => b.row.txNow),
    transaction_aborted: bool((b) => b.row.txAborted),
    amount: decimal((b) => b.row.amount),
    response_destination: nullable(address)((b) => b.row.responseDestination),
    custom_payload: nullable(boc)((b) => b.customPayload?.boc),
    decoded_custom_payload: nullable(jsonObject)((b) => b.customPayload?.decoded),
    trace_id: nullable(hash)((b) => b.row.traceId),
  }),
);
