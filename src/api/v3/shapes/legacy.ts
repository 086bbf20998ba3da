import { Type } from "typebox";
import type { Cell } from "../../../cell/Cell.ts";
import type { FeeEstimate } from "../../../chain/run/fees.ts";
import type { MethodOutcome } from "../../../chain/run/getMethod.ts";
import type { SentMessage } from "../../../chain/send.ts";
import { decimal, field, int, list, nullable, omittable, shape, text } from "../../../lib/kit/shape.ts";
import type { Hash } from "../../../model/Hash.ts";
import { encodeBag, encodeBytes } from "../../declare/encodeBag.ts";
import { stackEntries } from "../args/legacyStack.ts";
import type { DecodedBy } from "../services/abis.ts";
import { suspended } from "./accounts.ts";
import { wholeNumber } from "./balanceChanges.ts";
import { decodedBy } from "./contract.ts";
import { hash, named } from "./scalars.ts";

/** A tree of cells, or a bag that is already text. */
const bag = field({
  schema: Type.String({ contentEncoding: "base64" }),
  encode: (value: Cell | Uint8Array) => (value instanceof Uint8Array ? encodeBytes(value) : encodeBag(value)),
});

/** An account in the form of v2. */
export interface AddressInfo {
  readonly balance: bigint;
  /** Trees of cells, or their bags as base64. */
  readonly code: Cell | Uint8Array | undefined;
  readonly data: Cell | Uint8Array | undefined;
  readonly lastLt: bigint | undefined;
  readonly lastHash: Hash | undefined;
  readonly frozenHash: Hash | undefined;
  readonly status: string;
  readonly isSuspended: boolean;
}

export const addressInfo = named(
  "V2AddressInformation",
  shape<AddressInfo>()({
    balance: decimal("Balance, in nanocoins.", (a) => a.balance),
    code: nullable(bag)("Code of the account as a bag of cells in base64; null without code.", (a) => a.code),
    data: nullable(bag)("Data of the account as a bag of cells in base64; null without data.", (a) => a.data),
    last_transaction_lt: nullable(decimal)(
      "Logical time of the account's last transaction; null without one.",
      (a) => a.lastLt,
    ),
    last_transaction_hash: nullable(hash)(
      "Hash of the account's last transaction, in base64; null without one.",
      (a) => a.lastHash,
    ),
    frozen_hash: nullable(hash)(
      "Hash of the state that a frozen account had, in base64; null for others.",
      (a) => a.frozenHash,
    ),
    status: text("Status of the account.", (a) => a.status),
    suspended: suspended((a) => a.isSuspended),
  }),
);

/** A wallet in the form of v2. */
export interface WalletInfo {
  readonly balance: bigint;
  readonly wallet: { readonly type: string; readonly seqno: number; readonly walletId: number | undefined } | undefined;
  readonly lastLt: bigint;
  readonly lastHash: Hash;
  readonly status: string;
  readonly isSuspended: boolean;
}

export const walletInfo = named(
  "V2WalletInformation",
  shape<WalletInfo>()({
    balance: decimal("Balance, in nanocoins.", (w) => w.balance),
    wallet_type: omittable(text)("Version of the wallet.", (w) => w.wallet?.type),
    seqno: omittable(int)("Counter of the wallet: its next message must carry it.", (w) => w.wallet?.seqno),
    wallet_id: omittable(int)("Id of the wallet, which is part of what it signs.", (w) => w.wallet?.walletId),
    last_transaction_lt: decimal("Logical time of the account's last transaction.", (w) => w.lastLt),
    last_transaction_hash: hash("Hash of the account's last transaction, in base64.", (w) => w.lastHash),
    status: text("Status of the account.", (w) => w.status),
    suspended: suspended((w) => w.isSuspended),
  }),
);

export const sentMessage = named(
  "V2SendMessageResult",
  shape<SentMessage>()({
    message_hash: hash("Hash of the external message, in base64.", (sent) => sent.hash),
    message_hash_norm: omittable(hash)(
      "Normalized hash of the external message, in base64: find its trace by it.",
      (sent) => sent.normalizedHash,
    ),
  }),
);

/** The result of a get-method, its stack as entries. */
/** An outcome, with the result by names where that was asked for. */
export interface TypedOutcome extends MethodOutcome {
  readonly decoded?: DecodedBy | undefined;
}

export const methodResult = named(
  "V2RunGetMethodResult",
  shape<TypedOutcome>()({
    gas_used: wholeNumber("Gas that the run used.", (result) => result.gasUsed),
    exit_code: int("Exit code of the virtual machine; 0 and 1 mean success.", (result) => result.exitCode),
    stack: stackEntries("Values that the method returned, the first one first.", (result) => result.stack),
    decoded: omittable(decodedBy)(
      "The result by the names of an ABI; absent where it was not asked for, and for a run that failed.",
      (result) => result.decoded,
    ),
  }),
);

const fee = named(
  "V2EstimatedFee",
  shape<FeeEstimate>()({
    in_fwd_fee: wholeNumber("Fee for taking the external message, in nanocoins.", (estimate) => estimate.inForward),
    storage_fee: wholeNumber("Fee for storage, in nanocoins.", (estimate) => estimate.storage),
    gas_fee: wholeNumber("Fee for running the code, in nanocoins.", (estimate) => estimate.gas),
    fwd_fee: wholeNumber("Fee for forwarding the message, in nanocoins.", (estimate) => estimate.forward),
  }),
);

export const feeResult = named(
  "V2EstimateFeeResult",
  shape<FeeEstimate>()({
    source_fees: fee("Fees of the message itself.", (estimate) => estimate),
    // Fees of destinations are not reported.
    destination_fees: list(fee)(
      "Always empty: fees of further messages are not estimated.",
      (): readonly FeeEstimate[] => [],
    ),
  }),
);
