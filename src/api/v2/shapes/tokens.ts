import { Type } from "typebox";
import type { DomainContent, ItemContent, Token } from "../../../contracts/token.ts";
import { isCoded } from "../../../lib/errors.ts";
import { bool, decimal, field, omittable } from "../../../lib/kit/shape.ts";
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
  Type.Object({ type: Type.Literal("onchain"), data: texts }),
  Type.Object({ type: Type.Literal("offchain"), data: Type.String() }),
]);

function encodeContent(content: Content) {
  return content.kind === "offchain"
    ? ({ type: "offchain", data: content.uri } as const)
    : ({ type: "onchain", data: Object.fromEntries(contentTexts(content.attributes)) } as const);
}

/** The content of a token. */
const contentForm = field({ schema: contentSchema, encode: encodeContent });

const master = typed<Shown<"jettonMaster">>()("ext.tokens.jettonMasterData", {
  address: givenAddress((it) => it),
  contract_type: literal("jetton_master")((it) => it),
  total_supply: decimal((it) => it.token.totalSupply),
  mintable: bool((it) => it.token.mintable),
  admin_address: maybeFriendly((it) => it.token.admin),
  jetton_content: contentForm((it) => it.token.content),
  jetton_wallet_code: boc((it) => it.token.walletCode),
});

const wallet = typed<Shown<"jettonWallet">>()("ext.tokens.jettonWalletData", {
  address: givenAddress((it) => it),
  contract_type: literal("jetton_wallet")((it) => it),
  balance: decimal((it) => it.token.balance),
  owner: friendly((it) => it.token.owner),
  jetton: friendly((it) => it.token.jetton),
  mintless_is_claimed: omittable(bool)((it) => it.token.isClaimed),
  jetton_wallet_code: boc((it) => it.token.walletCode),
});

const collection = typed<Shown<"nftCollection">>()("ext.tokens.nftCollectionData", {
  address: givenAddress((it) => it),
  contract_type: literal("nft_collection")((it) => it),
  next_item_index: decimal((it) => it.token.nextItemIndex),
  owner_address: maybeFriendly((it) => it.token.owner),
  collection_content: contentForm((it) => it.token.content),
});

const standardAddress = typed<InternalAddress>()("addr_std", {
  workchain_id: field({ schema: Type.Integer(), encode: (it: InternalAddress) => workchainOf(plainAddress(it)) })(
    (it) => it,
  ),
  address: field({ schema: Type.String(), encode: (it: InternalAddress): string => accountOf(plainAddress(it)) })(
    (it) => it,
  ),
});

const plainHex = field({ schema: Type.String({ pattern: "^[0-9a-f]{64}$" }), encode: (it: Hash): string => it });

const smcRecord = typed<InternalAddress>()("dns_smc_address", { smc_addr: standardAddress((it) => it) });
const resolverRecord = typed<InternalAddress>()("dns_next_resolver", { resolver: standardAddress((it) => it) });
const adnlRecord = typed<Hash>()("dns_adnl_address", { adnl_addr: plainHex((it) => it) });
const storageRecord = typed<Hash>()("dns_storage_address", { bag_id: plainHex((it) => it) });
const textRecord = typed<string>()("dns_text", {
  text: field({ schema: Type.String(), encode: (it: string) => it })((it) => it),
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

const domainSchema = Type.Object({ domain: Type.String(), data: Type.Record(Type.String(), records.schema) });

const itemContent = field({
  schema: Type.Union([contentSchema, domainSchema]),
  encode: (content: ItemContent) => (content.kind === "domain" ? encodeDomain(content) : encodeContent(content)),
});

const item = typed<Shown<"nftItem">>()("ext.tokens.nftItemData", {
  address: givenAddress((it) => it),
  contract_type: literal("nft_item")((it) => it),
  init: bool((it) => it.token.isInit),
  index: decimal((it) => it.token.index),
  collection_address: maybeFriendly((it) => it.token.collection),
  owner_address: maybeFriendly((it) => it.token.owner),
  content: itemContent((it) => it.token.content),
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
