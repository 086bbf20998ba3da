import type { FullJettonWallet, JettonMasterRow, UnclaimedJettons } from "../../../history/queries/jettons.ts";
import type { FullJettonBurn, FullJettonTransfer } from "../../../history/queries/tokenEvents.ts";
import { bool, decimal, int, list, nullable, omittable, shape, text } from "../../../lib/kit/shape.ts";
import { address, hash, jsonObject, named } from "./scalars.ts";
import { customPayloadFields, forwardPayloadFields, queryId, traceId, transactionFields } from "./tokenEventFields.ts";

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
    query_id: queryId,
    source: address("Address of the sender.", (t) => t.row.source),
    destination: nullable(address)("Address of the receiver; null for none.", (t) => t.row.destination),
    amount: decimal("Amount in the smallest units of the jetton.", (t) => t.row.amount),
    source_wallet: address("Address of the jetton wallet of the sender.", (t) => t.row.sourceWallet),
    jetton_master: address("Address of the jetton's master, in raw form.", (t) => t.row.jettonMaster),
    ...transactionFields,
    ...customPayloadFields,
    forward_ton_amount: nullable(decimal)(
      "Coins that go on to the receiver with a notification, in nanocoins.",
      (t) => t.row.forwardTonAmount,
    ),
    ...forwardPayloadFields,
    trace_id: traceId,
  }),
);

/** A burn of jettons. */
export const jettonBurn = named(
  "JettonBurn",
  shape<FullJettonBurn>()({
    query_id: queryId,
    owner: address("Address of the owner who burns, in raw form.", (b) => b.row.owner),
    jetton_wallet: address("Address of the jetton wallet, in raw form.", (b) => b.row.jettonWallet),
    jetton_master: address("Address of the jetton's master, in raw form.", (b) => b.row.jettonMaster),
    ...transactionFields,
    amount: decimal("Amount in the smallest units of the jetton.", (b) => b.row.amount),
    ...customPayloadFields,
    trace_id: traceId,
  }),
);
