import { Type } from "typebox";
import type { DomainContent, ItemContent, Token } from "../../../contracts/token.ts";
import { isCoded } from "../../../lib/errors.ts";
import { bool, decimal, field, objectSchema, omittable } from "../../../lib/kit/shape.ts";
import {
  type Address,
  accountOf,
  formatAddress,
  formatRawAddress,
  type InternalAddress,
  type ParsedAddress,
  plainAddress,
  workchainOf,
} from "../../../model/Address.ts";
import { type Content, contentTexts } from "../../../model/content/Content.ts";
import { type DnsRecord, dnsCategories, dnsText } from "../../../model/content/DnsRecord.ts";
import type { Hash } from "../../../model/Hash.ts";
import { ApiError } from "../../declare/errors.ts";
import { boc, friendly, literal, oneOf } from "./ids.ts";
import { typed } from "./typed.ts";

/** A token with its requested address, in the form of the request. */
export interface ShownToken<T extends Token = Token> {
  readonly address: ParsedAddress;
  readonly token: T;
}

type Shown<Kind extends Token["kind"]> = ShownToken<Extract<Token, { readonly kind: Kind }>>;

/** The requested address in its normal form. */
const givenAddress = field({
  schema: Type.String(),
  encode: ({ address: { address, flags } }: ShownToken) =>
    flags === undefined ? formatRawAddress(address) : formatAddress(address, flags, "base64url"),
});

const maybeFriendly = omittable(field({ schema: friendly.schema, encode: (value: Address) => friendly.encode(value) }));

const texts = Type.Record(Type.String(), Type.String());
const contentSchema = Type.Union([
  objectSchema({
    type: ["Where the content is: on the chain, or in a document.", Type.Literal("onchain")],
    data: ["Attributes by name.", texts],
  }),
  objectSchema({
    type: ["Where the content is: on the chain, or in a document.", Type.Literal("offchain")],
    data: ["URL of the document.", Type.String()],
  }),
]);

function encodeContent(content: Content) {
  return content.kind === "offchain"
    ? ({ type: "offchain", data: content.uri } as const)
    : ({ type: "onchain", data: Object.fromEntries(contentTexts(content.attributes)) } as const);
}

/** The content of a token. */
const contentForm = field({ schema: contentSchema, encode: encodeContent });

const master = typed<Shown<"jettonMaster">>()("ext.tokens.jettonMasterData", {
  address: givenAddress("Address of the jetton master, in the form of the request.", (it) => it),
  contract_type: literal("jetton_master")("Kind of token.", (it) => it),
  total_supply: decimal("Total supply in the smallest units of the jetton.", (it) => it.token.totalSupply),
  mintable: bool("Whether more can be minted.", (it) => it.token.mintable),
  admin_address: maybeFriendly(
    "Address of the account that may mint; null or absent when nobody may.",
    (it) => it.token.admin,
  ),
  jetton_content: contentForm("Metadata of the jetton.", (it) => it.token.content),
  jetton_wallet_code: boc("Code of the jetton's wallets as a bag of cells in base64.", (it) => it.token.walletCode),
});

const wallet = typed<Shown<"jettonWallet">>()("ext.tokens.jettonWalletData", {
  address: givenAddress("Address of the jetton wallet, in the form of the request.", (it) => it),
  contract_type: literal("jetton_wallet")("Kind of token.", (it) => it),
  balance: decimal("Balance in the smallest units of the jetton.", (it) => it.token.balance),
  owner: friendly("User-friendly address of the owner.", (it) => it.token.owner),
  jetton: friendly("User-friendly address of the jetton's master.", (it) => it.token.jetton),
  mintless_is_claimed: omittable(bool)("Whether the wallet has claimed its amount.", (it) => it.token.isClaimed),
  jetton_wallet_code: boc("Code of the wallet as a bag of cells in base64.", (it) => it.token.walletCode),
});

const collection = typed<Shown<"nftCollection">>()("ext.tokens.nftCollectionData", {
  address: givenAddress("Address of the collection, in the form of the request.", (it) => it),
  contract_type: literal("nft_collection")("Kind of token.", (it) => it),
  next_item_index: decimal(
    "Number of the next item to be minted, in decimal; -1 for numbers that do not follow each other.",
    (it) => it.token.nextItemIndex,
  ),
  owner_address: maybeFriendly("Address of the owner; null for none.", (it) => it.token.owner),
  collection_content: contentForm("Metadata of the collection.", (it) => it.token.content),
});

const standardAddress = typed<InternalAddress>()("addr_std", {
  workchain_id: field({ schema: Type.Integer(), encode: (it: InternalAddress) => workchainOf(plainAddress(it)) })(
    "Workchain: -1 is the masterchain, 0 the basechain.",
    (it) => it,
  ),
  address: field({ schema: Type.String(), encode: (it: InternalAddress): string => accountOf(plainAddress(it)) })(
    "Account part of the address, in hex.",
    (it) => it,
  ),
});

const plainHex = field({ schema: Type.String({ pattern: "^[0-9a-f]{64}$" }), encode: (it: Hash): string => it });

const smcRecord = typed<InternalAddress>()("dns_smc_address", {
  smc_addr: standardAddress("Account that the domain leads to.", (it) => it),
});
const resolverRecord = typed<InternalAddress>()("dns_next_resolver", {
  resolver: standardAddress("Contract that resolves the rest of the domain.", (it) => it),
});
const adnlRecord = typed<Hash>()("dns_adnl_address", {
  adnl_addr: plainHex("ADNL address of a site, in hex.", (it) => it),
});
const storageRecord = typed<Hash>()("dns_storage_address", {
  bag_id: plainHex("Id of a bag in TON Storage, in hex.", (it) => it),
});
const textRecord = typed<string>()("dns_text", {
  text: field({ schema: Type.String(), encode: (it: string) => it })("Text of the record.", (it) => it),
});
const records = oneOf([smcRecord, resolverRecord, adnlRecord, storageRecord, textRecord], (record: DnsRecord) => {
  switch (record.kind) {
    case "smcAddress":
      return smcRecord.encode(record.address);
    case "nextResolver":
      return resolverRecord.encode(record.resolver);
    case "adnlAddress":
      return adnlRecord.encode(record.adnlAddress);
    case "storageAddress":
      return storageRecord.encode(record.bagId);
    case "text":
      return textRecord.encode(dnsText(record.chunks));
  }
});

const categoryNames = new Map<string, string>(Object.entries(dnsCategories).map(([name, hash]) => [hash, name]));

function encodeDomain({ domain, records: found }: DomainContent) {
  const entries = found.map(({ category, record }) => [
    categoryNames.get(category) ?? category.toUpperCase(),
    records.encode(record),
  ]);
  return { domain, data: Object.fromEntries(entries) };
}

const domainSchema = objectSchema({
  domain: ["Domain name that the item is.", Type.String()],
  data: ["Records of the domain, by category.", Type.Record(Type.String(), records.schema)],
});

const itemContent = field({
  schema: Type.Union([contentSchema, domainSchema]),
  encode: (content: ItemContent) => (content.kind === "domain" ? encodeDomain(content) : encodeContent(content)),
});

const item = typed<Shown<"nftItem">>()("ext.tokens.nftItemData", {
  address: givenAddress("Address of the item, in the form of the request.", (it) => it),
  contract_type: literal("nft_item")("Kind of token.", (it) => it),
  init: bool("Whether the item is initialized.", (it) => it.token.isInit),
  index: decimal("Number of the item within its collection, in decimal.", (it) => it.token.index),
  collection_address: maybeFriendly(
    "Address of the collection; null or absent for an item without one.",
    (it) => it.token.collection,
  ),
  owner_address: maybeFriendly("Address of the owner; null for none.", (it) => it.token.owner),
  content: itemContent("Metadata of the item.", (it) => it.token.content),
});

const anyToken = oneOf([master, wallet, collection, item], ({ address, token }: ShownToken) => {
  switch (token.kind) {
    case "jettonMaster":
      return master.encode({ address, token });
    case "jettonWallet":
      return wallet.encode({ address, token });
    case "nftCollection":
      return collection.encode({ address, token });
    case "nftItem":
      return item.encode({ address, token });
  }
});

/** A token of any kind. Chain data may be impossible to show, such as invalid text. */
export const tokenData = {
  ...anyToken,
  encode: (shown: ShownToken) => {
    try {
      return anyToken.encode(shown);
    } catch (cause) {
      throw isCoded(cause) ? new ApiError("api/token", `a token cannot be shown: ${cause.message}`, { cause }) : cause;
    }
  },
};
