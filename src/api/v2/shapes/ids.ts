import { Type } from "typebox";
import { plainForm } from "../../../cell/boc.ts";
import type { Cell } from "../../../cell/Cell.ts";
import { decimal, type FieldMaker, type Form, field, int } from "../../../lib/kit/shape.ts";
import type { TransactionPoint } from "../../../lite/queries/transactions.ts";
import type { Address } from "../../../model/Address.ts";
import type { BlockIdExt } from "../../../model/block/BlockId.ts";
import type { ExtraCurrencies } from "../../../model/Currency.ts";
import { encodeBag, encodeBytes } from "../../declare/encodeBag.ts";
import { hash64 } from "./scalars.ts";
import { typed } from "./typed.ts";
import { type FlaggedAddress, friendlyUrl } from "./utils.ts";

const base64Text = { contentEncoding: "base64", pattern: "^[A-Za-z0-9+/]*={0,2}$" } as const;

/** Bytes as base64 with padding. */
export const base64 = field({ schema: Type.String(base64Text), encode: (value: Uint8Array) => encodeBytes(value) });

/** A cell as a bag in base64. */
export const boc = field({
  schema: Type.String({ ...base64Text, description: "Bag of cells with one root." }),
  encode: (value: Cell) => encodeBag(value),
});

/** A cell as a bag without a checksum in base64. */
export const plainBoc = field({ schema: base64.schema, encode: (value: Cell) => encodeBag(value, plainForm) });

/** An already encoded bag in base64; empty if there is none. */
export const maybeBag = orEmpty(field({ schema: boc.schema, encode: (value: Uint8Array) => encodeBytes(value) }));

/** A cell as a bag in base64, empty if there is none. */
export const maybeBoc = orEmpty(boc);

/** The form, or an empty text without a value. */
export function orEmpty<V>(form: Form<V, string>): FieldMaker<V | undefined, string> {
  return field({
    schema: Type.Union([form.schema, Type.Literal("")]),
    encode: (value: V | undefined) => (value === undefined ? "" : form.encode(value)),
  });
}

/** One of several forms of one value, selected by `choose`. */
export function oneOf<V, Out>(forms: readonly Form<never, unknown>[], encode: (value: V) => Out): FieldMaker<V, Out> {
  return field({ schema: Type.Union(forms.map(({ schema }) => schema)), encode });
}

/** A constant text. */
export function literal<const Word extends string>(word: Word) {
  return field({ schema: Type.Literal(word), encode: (_whole: unknown): Word => word });
}

/** 32-bit integers, which this API always prints signed. */
export const int32 = field({
  schema: Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }),
  encode: (value: number) => value | 0,
});

/** A number of 64 bits as decimal text, with a sign. */
export const int64 = field({ schema: decimal.schema, encode: (value: bigint) => BigInt.asIntN(64, value).toString() });

/** An integer of any size as a JSON number. */
export const bigNumber = field({
  schema: Type.Integer(),
  encode: (value: bigint): number | bigint =>
    value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value,
});

/** A block by position and content. */
export const blockIdExt = typed<BlockIdExt>()("ton.blockIdExt", {
  workchain: int("Workchain: -1 is the masterchain, 0 the basechain.", (id) => id.workchain),
  shard: int64(
    "Shard of the block: its prefix followed by a final one bit, as a signed decimal number.",
    (id) => id.shard,
  ),
  seqno: int("Sequence number of the block.", (id) => id.seqno),
  root_hash: hash64("Hash of the block's root cell, in base64.", (id) => id.rootHash),
  file_hash: hash64("Hash of the block's file, in base64.", (id) => id.fileHash),
});

/** A position in an account's history. */
export const transactionId = typed<TransactionPoint>()("internal.transactionId", {
  lt: int64("Logical time of the transaction.", (point) => point.lt),
  hash: hash64("Hash of the transaction.", (point) => point.hash),
});

const plainFlags = { bounceable: true, testOnly: false };

/** An address with the default flags of answers. */
export function bounceable(address: Address): FlaggedAddress {
  return { address, flags: plainFlags };
}

/** A user-friendly address, empty if there is none. */
export const friendly = field({
  schema: friendlyUrl.schema,
  encode: (value: Address | undefined) => (value === undefined ? "" : friendlyUrl.encode(bounceable(value))),
});

/** A user-friendly address in an object, with its own flags. */
export const flaggedAccountAddress = typed<FlaggedAddress>()("accountAddress", {
  account_address: friendlyUrl("User-friendly address; empty if there is none.", (each) => each),
});

/** A user-friendly address in an object, empty if there is none. */
export const accountAddress = typed<Address | undefined>()("accountAddress", {
  account_address: friendly("User-friendly address; empty if there is none.", (address) => address),
});

const extraCurrency = typed<readonly [id: number, amount: bigint]>()("extraCurrency", {
  id: int32("Number of the currency.", ([id]) => id),
  amount: decimal("Amount in the smallest units of the currency.", ([, amount]) => amount),
});

/** Amounts of other currencies. */
export const extraCurrencies = field({
  schema: Type.Array(extraCurrency.schema),
  encode: (value: ExtraCurrencies) => value.entries().map((entry) => extraCurrency.encode(entry)),
});
