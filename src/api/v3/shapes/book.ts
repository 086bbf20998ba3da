import type { AddressBook, BookRow } from "../../../history/queries/addressBook.ts";
import type { AddressMetadata, Metadata, TokenInfo } from "../../../history/queries/metadata.ts";
import { bool, decimal, list, nullable, omittable, shape, text } from "../../../lib/kit/shape.ts";
import { type Address, formatRawAddress } from "../../../model/Address.ts";
import { jsonObject, mapOf, named, word } from "./scalars.ts";

/** The displayed form of an account. */
export const bookRow = named(
  "AddressBookRow",
  shape<BookRow>()({
    user_friendly: nullable(text)((r) => r.userFriendly),
    domain: nullable(text)((r) => r.domain),
    interfaces: list(text)((r) => r.interfaces),
  }),
);

/** The address book of an answer. */
export const addressBookShape = mapOf((key: Address) => formatRawAddress(key), bookRow);

const tokenInfo = named(
  "TokenInfo",
  shape<TokenInfo>()({
    valid: omittable(bool)((t) => t.valid),
    type: word("jetton_masters", "nft_collections", "nft_items", "jetton_wallets")((t) => t.type),
    name: omittable(text)((t) => t.name),
    symbol: omittable(text)((t) => t.symbol),
    description: omittable(text)((t) => t.description),
    image: omittable(text)((t) => t.image),
    nft_index: omittable(decimal)((t) => t.nftIndex),
    is_nsfw: omittable(bool)((t) => t.isNsfw),
    is_scam: omittable(bool)((t) => t.isScam),
    extra: omittable(jsonObject)((t) => (t.wallet === undefined ? t.extra : walletExtra(t.wallet))),
  }),
);

function walletExtra({ owner, jetton, balance }: NonNullable<TokenInfo["wallet"]>) {
  return { owner: formatRawAddress(owner), jetton: formatRawAddress(jetton), balance: balance.toString() };
}

const addressMetadata = named(
  "AddressMetadata",
  shape<AddressMetadata>()({
    is_indexed: bool((m) => m.isIndexed),
    token_info: list(tokenInfo)((m) => m.tokens),
  }),
);

/** Metadata of the tokens of an answer. */
export const metadataShape = mapOf((key: Address) => formatRawAddress(key), addressMetadata);

/** An answer with its address book. */
export interface WithBook {
  readonly book: AddressBook;
}

/** An answer with its address book and metadata. */
export interface WithMetadata extends WithBook {
  readonly metadata: Metadata;
}

/** The properties of an answer that has an address book. */
export const bookFields = { address_book: addressBookShape((answer: WithBook) => answer.book) };

/** The properties of an answer that has an address book and metadata. */
export const metadataFields = { ...bookFields, metadata: metadataShape((answer: WithMetadata) => answer.metadata) };
