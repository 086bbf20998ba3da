import type { FullJettonBurn, FullJettonTransfer } from "../../../history/queries/jettonEvents.ts";
import type { FullJettonWallet, JettonMasterRow, UnclaimedJettons } from "../../../history/queries/jettons.ts";
import { bool, decimal, int, list, nullable, omittable, shape, text } from "../../../lib/kit/shape.ts";
import { address, boc, hash, jsonObject, named } from "./scalars.ts";

/** A jetton. */
export const jettonMaster = named(
  "JettonMaster",
  shape<JettonMasterRow>()({
    address: address("Address of the jetton master, in raw form.", (m) => m.address),
    total_supply: decimal("Total supply in the smallest units of the jetton.", (m) => m.totalSupply),
    mintable: bool("Whether more can be minted.", (m) => m.mintable),
    admin_address: nullable(address)(
      "Address of the account that may mint; null or absent when nobody may.",
      (m) => m.adminAddress,
    ),
    jetton_content: nullable(jsonObject)("Metadata of the jetton; null without one.", (m) => m.jettonContent),
    jetton_wallet_code_hash: hash("Hash of the code of the jetton's wallets.", (m) => m.jettonWalletCodeHash),
    code_hash: hash("Hash of the code cell, in base64.", (m) => m.codeHash),
    data_hash: hash("Hash of the data cell, in base64.", (m) => m.dataHash),
    last_transaction_lt: decimal("Logical time of the account's last transaction.", (m) => m.lastTransactionLt),
  }),
);

const mintlessInfo = named(
  "JettonWalletMintlessInfo",
  shape<UnclaimedJettons>()({
    amount: decimal("Amount that can be claimed, in the smallest units of the jetton.", (u) => u.amount),
    start_from: nullable(int)(
      "Time from which it can be claimed, in Unix seconds; null without a bound.",
      (u) => u.startFrom,
    ),
    expire_at: nullable(int)(
      "Time until which it can be claimed, in Unix seconds; null without a bound.",
      (u) => u.expireAt,
    ),
    custom_payload_api_uri: nullable(list(text))(
      "URLs that give the payload of the first transfer; null for none.",
      (u) => u.customPayloadApiUri,
    ),
  }),
);

/** A jetton wallet. */
export const jettonWallet = named(
  "JettonWallet",
  shape<FullJettonWallet>()({
    address: address("Address of the jetton wallet, in raw form.", (w) => w.row.address),
    balance: decimal("Balance in the smallest units of the jetton.", (w) => w.row.balance),
    owner: address("Address of the owner.", (w) => w.row.owner),
    jetton: address("Address of the jetton's master.", (w) => w.row.jetton),
    last_transaction_lt: decimal("Logical time of the account's last transaction.", (w) => w.row.lastTransactionLt),
    code_hash: nullable(hash)(
      "Hash of the code cell, in base64; null for a wallet that is not deployed.",
      (w) => w.row.codeHash,
    ),
    data_hash: nullable(hash)(
      "Hash of the data cell, in base64; null for a wallet that is not deployed.",
      (w) => w.row.dataHash,
    ),
    mintless_info: omittable(mintlessInfo)(
      "Unclaimed amount of a jetton that owners claim instead of the master minting it; absent for others.",
      (w) => w.unclaimed,
    ),
  }),
);

/** A transfer of jettons. */
export const jettonTransfer = named(
  "JettonTransfer",
  shape<FullJettonTransfer>()({
    query_id: decimal("Number that the sender chose to recognise the answer by.", (t) => t.row.queryId),
    source: address("Address of the sender.", (t) => t.row.source),
    destination: nullable(address)("Address of the receiver; null for none.", (t) => t.row.destination),
    amount: decimal("Amount in the smallest units of the jetton.", (t) => t.row.amount),
    source_wallet: address("Address of the jetton wallet of the sender.", (t) => t.row.sourceWallet),
    jetton_master: address("Address of the jetton's master, in raw form.", (t) => t.row.jettonMaster),
    transaction_hash: hash("Hash of the transaction, in base64.", (t) => t.row.txHash),
    transaction_lt: decimal("Logical time of the transaction.", (t) => t.row.txLt),
    transaction_now: int("Time of the transaction, in Unix seconds.", (t) => t.row.txNow),
    transaction_aborted: bool("Whether the transaction failed.", (t) => t.row.txAborted),
    response_destination: nullable(address)(
      "Address that receives the coins left over; null for none.",
      (t) => t.row.responseDestination,
    ),
    custom_payload: nullable(boc)(
      "Payload for the wallet or item contract itself, as a bag of cells in base64; null without one.",
      (t) => t.customPayload?.boc,
    ),
    decoded_custom_payload: nullable(jsonObject)(
      "Custom payload as fields; null if its kind is not known.",
      (t) => t.customPayload?.decoded,
    ),
    forward_ton_amount: nullable(decimal)(
      "Coins that go on to the receiver with a notification, in nanocoins.",
      (t) => t.row.forwardTonAmount,
    ),
    forward_payload: nullable(boc)(
      "Payload that goes on to the receiver, as a bag of cells in base64; null without one.",
      (t) => t.forwardPayload?.boc,
    ),
    decoded_forward_payload: nullable(jsonObject)(
      "Forward payload as fields; null if its kind is not known.",
      (t) => t.forwardPayload?.decoded,
    ),
    trace_id: nullable(hash)(
      "Id of the trace: the hash of its first transaction, in base64; null before that is known.",
      (t) => t.row.traceId,
    ),
  }),
);

/** A burn of jettons. */
export const jettonBurn = named(
  "JettonBurn",
  shape<FullJettonBurn>()({
    query_id: decimal("Number that the sender chose to recognise the answer by.", (b) => b.row.queryId),
    owner: address("Address of the owner who burns, in raw form.", (b) => b.row.owner),
    jetton_wallet: address("Address of the jetton wallet, in raw form.", (b) => b.row.jettonWallet),
    jetton_master: address("Address of the jetton's master, in raw form.", (b) => b.row.jettonMaster),
    transaction_hash: hash("Hash of the transaction, in base64.", (b) => b.row.txHash),
    transaction_lt: decimal("Logical time of the transaction.", (b) => b.row.txLt),
    transaction_now: int("Time of the transaction, in Unix seconds.", (b) => b.row.txNow),
    transaction_aborted: bool("Whether the transaction failed.", (b) => b.row.txAborted),
    amount: decimal("Amount in the smallest units of the jetton.", (b) => b.row.amount),
    response_destination: nullable(address)(
      "Address that receives the coins left over; null for none.",
      (b) => b.row.responseDestination,
    ),
    custom_payload: nullable(boc)(
      "Payload for the wallet or item contract itself, as a bag of cells in base64; null without one.",
      (b) => b.customPayload?.boc,
    ),
    decoded_custom_payload: nullable(jsonObject)(
      "Custom payload as fields; null if its kind is not known.",
      (b) => b.customPayload?.decoded,
    ),
    trace_id: nullable(hash)(
      "Id of the trace: the hash of its first transaction, in base64; null before that is known.",
      (b) => b.row.traceId,
    ),
  }),
);
