import type { AddressBook, BookRow } from "../../../history/queries/addressBook.ts";
import type { AddressMetadata, Metadata, TokenInfo } from "../../../history/queries/metadata.ts";
import {
  bool,
  decimal,
  type Field,
  type Form,
  list,
  nullable,
  omittable,
  shape,
  text,
} from "../../../lib/kit/shape.ts";
import { type Address, formatRawAddress } from "../../../model/Address.ts";
import { jsonObject, mapOf, named, word } from "./scalars.ts";

/** The displayed form of an account. */
export const bookRow = named(
  "AddressBookRow",
  shape<BookRow>()({
    user_friendly: nullable(text)(
      "User-friendly form of the address; null for text that is no address.",
      (r) => r.userFriendly,
    ),
    domain: nullable(text)("Domain that leads to the account; null without one.", (r) => r.domain),
    interfaces: list(text)(
      "Names of the contract types that the account implements, such as `wallet_v5r1`.",
      (r) => r.interfaces,
    ),
  }),
);

/** The address book of an answer. */
export const addressBookShape = mapOf((key: Address) => formatRawAddress(key), bookRow);

const tokenInfo = named(
  "TokenInfo",
  shape<TokenInfo>()({
    valid: omittable(bool)("Whether the metadata of the token could be read.", (t) => t.valid),
    type: word("jetton_masters", "nft_collections", "nft_items", "jetton_wallets")("Kind of token.", (t) => t.type),
    name: omittable(text)("Name of the token.", (t) => t.name),
    symbol: omittable(text)("Symbol of the token.", (t) => t.symbol),
    description: omittable(text)("Description of the token by itself.", (t) => t.description),
    image: omittable(text)("URL of the image.", (t) => t.image),
    nft_index: omittable(decimal)("Number of the item within its collection, in decimal.", (t) => t.nftIndex),
    is_nsfw: omittable(bool)("Whether the token is marked as not safe for work.", (t) => t.isNsfw),
    is_scam: omittable(bool)("Whether the token is marked as a scam.", (t) => t.isScam),
    extra: omittable(jsonObject)("Further metadata by name; what is not known yet is absent.", (t) =>
      t.wallet === undefined ? t.extra : walletExtra(t.wallet),
    ),
  }),
);

function walletExtra({ owner, jetton, balance }: NonNullable<TokenInfo["wallet"]>) {
  return { owner: formatRawAddress(owner), jetton: formatRawAddress(jetton), balance: balance.toString() };
}

const addressMetadata = named(
  "AddressMetadata",
  shape<AddressMetadata>()({
    is_indexed: bool("Whether the index knows the token.", (m) => m.isIndexed),
    token_info: list(tokenInfo)("Metadata of the account as a token, one entry for each kind.", (m) => m.tokens),
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

/** A list with its address book. */
export interface ItemsWithBook<T> extends WithBook {
  readonly items: readonly T[];
}

/** A list with its address book and metadata. */
export interface ItemsWithMetadata<T> extends WithMetadata {
  readonly items: readonly T[];
}

/** The list of such an answer. */
export function itemsOf<T, Out>(form: Form<T, Out>, description: string): Field<ItemsWithBook<T>, readonly Out[]> {
  return list(form)(description, (answer: ItemsWithBook<T>) => answer.items);
}

/** The properties of an answer that has an address book. */
export const bookFields = {
  address_book: addressBookShape(
    "Friendly forms and domains of the addresses in the answer, by raw address.",
    (answer: WithBook) => answer.book,
  ),
};

/** The properties of an answer that has an address book and metadata. */
export const metadataFields = {
  ...bookFields,
  metadata: metadataShape(
    "Names, images and other facts of the tokens in the answer, by raw address.",
    (answer: WithMetadata) => answer.metadata,
  ),
};
