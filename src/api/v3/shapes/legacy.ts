import { Type } from "typebox";
import type { FeeEstimate } from "../../../chain/run/fees.ts";
import type { MethodOutcome } from "../../../chain/run/getMethod.ts";
import type { SentMessage } from "../../../chain/send.ts";
import { decimal, field, int, list, nullable, omittable, shape, text } from "../../../lib/kit/shape.ts";
import type { Hash } from "../../../model/Hash.ts";
import { stackEntries } from "../args/legacyStack.ts";
import { wholeNumber } from "./balanceChanges.ts";
import { hash, named } from "./scalars.ts";

/** A bag of cells that is already text. */
const bocText = field({ schema: Type.String({ contentEncoding: "base64" }), encode: (value: string) => value });

/** An account in the form of v2. */
export interface AddressInfo {
  readonly balance: bigint;
  /** Bags of cells as base64. */
  readonly code: string | undefined;
  readonly data: string | undefined;
  readonly lastLt: bigint | undefined;
  readonly lastHash: Hash | undefined;
  readonly frozenHash: Hash | undefined;
  readonly status: string;
}

export const addressInfo = named(
  "V2AddressInformation",
  shape<AddressInfo>()({
    balance: decimal((a) => a.balance),
    code: nullable(bocText)((a) => a.code),
    data: nullable(bocText)((a) => a.data),
    last_transaction_lt: nullable(decimal)((a) => a.lastLt),
    last_transaction_hash: nullable(hash)((a) => a.lastHash),
    frozen_hash: nullable(hash)((a) => a.frozenHash),
    status: text((a) => a.status),
  }),
);

/** A wallet in the form of v2. */
export interface WalletInfo {
  readonly balance: bigint;
  readonly wallet: { readonly type: string; readonly seqno: number; readonly walletId: number | undefined } | undefined;
  readonly lastLt: bigint;
  readonly lastHash: Hash;
  readonly status: string;
}

export const walletInfo = named(
  "V2WalletInformation",
  shape<WalletInfo>()({
    balance: decimal((w) => w.balance),
    wallet_type: omittable(text)((w) => w.wallet?.type),
    seqno: omittable(int)((w) => w.wallet?.seqno),
    wallet_id: omittable(int)((w) => w.wallet?.walletId),
    last_transaction_lt: decimal((w) => w.lastLt),
    last_transaction_hash: hash((w) => w.lastHash),
    status: text((w) => w.status),
  }),
);

export const sentMessage = named(
  "V2SendMessageResult",
  shape<SentMessage>()({
    message_hash: hash((sent) => sent.hash),
    message_hash_norm: omittable(hash)((sent) => sent.normalizedHash),
  }),
);

/** The result of a get-method, its stack as entries. */
export const methodResult = named(
  "V2RunGetMethodResult",
  shape<MethodOutcome>()({
    gas_used: wholeNumber((result) => result.gasUsed),
    exit_code: int((result) => result.exitCode),
    stack: stackEntries((result) => result.stack),
  }),
);

const fee = named(
  "V2EstimatedFee",
  shape<FeeEstimate>()({
    in_fwd_fee: wholeNumber((estimate) => estimate.inForward),
    storage_fee: wholeNumber((estimate) => estimate.storage),
    gas_fee: wholeNumber((estimate) => estimate.gas),
    fwd_fee: wholeNumber((estimate) => estimate.forward),
  }),
);

export const feeResult = named(
  "V2EstimateFeeResult",
  shape<FeeEstimate>()({
    source_fees: fee((estimate) => estimate),
    // Fees of destinations are not reported.
    destination_fees: list(fee)((): readonly FeeEstimate[] => []),
  }),
);
