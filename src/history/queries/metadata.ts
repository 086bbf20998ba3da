import type { JsonValue } from "../../lib/json.ts";
import type { Address } from "../../model/Address.ts";
import { distinct } from "../../model/Address.ts";
import { maxDocumentBytes } from "../metadata/boundDocument.ts";
import type { SqlRow } from "../store/Database.ts";
import { address, addresses, amount, bool, json, nullable, text } from "../store/schema/columns.ts";
import type { TokenType } from "../store/schema/serviceTables.ts";
import type { HistorySnapshot, MetadataRequest } from "./kit/History.ts";
import { columnOf } from "./kit/Page.ts";
import { Params, type Statement } from "./kit/Statement.ts";

/** Metadata of an account as one type of token. */
export interface TokenInfo {
  /** Absent until the first attempt to fetch its document has ended. */
  readonly valid: boolean | undefined;
  readonly type: TokenType;
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  readonly description: string | undefined;
  readonly image: string | undefined;
  readonly nftIndex: bigint | undefined;
  readonly isNsfw: boolean | undefined;
  readonly isScam: boolean | undefined;
  readonly extra: { readonly [key: string]: JsonValue } | undefined;
  /** For jetton wallets, which have no document. */
  readonly wallet: { readonly owner: Address; readonly jetton: Address; readonly balance: bigint } | undefined;
}

/** Metadata of an account, which may be several types of token. */
export interface AddressMetadata {
  readonly isIndexed: boolean;
  readonly tokens: readonly TokenInfo[];
}

export type Metadata = ReadonlyMap<Address, AddressMetadata>;

/**
 * Rows of earlier versions may be larger than what is stored today: a thousand of them would be an answer of 256 MB.
 */
const shownTexts = ["name", "symbol", "description", "image"]
  .map((name) => `left(m.${name}, ${maxDocumentBytes}) as ${name}`)
  .join(", ");
/** The size on disk, known without reading, decides most cases. A number takes more bytes as JSON text than stored. */
const shownExtra = `case
        when pg_column_size(m.extra) <= ${maxDocumentBytes} and octet_length(m.extra::text) <= ${2 * maxDocumentBytes} then m.extra
        else jsonb_strip_nulls(jsonb_build_object('decimals', m.extra->'decimals', 'uri', m.extra->'uri'))
      end`;

/** A flag of the operator's list; once there is a list, tokens that are not on it have neither flag. */
const flag = (name: string): string =>
  `coalesce(f.${name}, (select false from address_metadata_flags where address > '' order by address limit 1)) as ${name}`;

/**
 * Tokens among the accounts, and the masters of jetton wallets among them, with their documents. Each table is queried
 * with a list of keys, and documents one by one for the tokens found: one plan is good at any size, and no table is
 * scanned.
 */
export function metadataSql(of: readonly Address[]): Statement {
  const params = new Params();
  const given = params.of(addresses, of);
  const isWanted = "= any((select list from wanted)::bytea[])";
  return params.lookup(`
    with wallets as materialized (
      select w.address, w.owner, w.jetton, w.balance from jetton_wallets w where w.address = any(${given})
    ), wanted as materialized (
      select ${given} || array(select jetton from wallets) as list
    ), tokens as (
      select w.address, 'jetton_wallets' as type, null::numeric as nft_index, w.owner, w.jetton, w.balance from wallets w
      union all
      select i.address, 'nft_items', i.index, null, null, null from nft_items i where i.address ${isWanted}
      union all
      select c.address, 'nft_collections', null, null, null, null from nft_collections c where c.address ${isWanted}
      union all
      select j.address, 'jetton_masters', null, null, null, null from jetton_masters j where j.address ${isWanted}
    )
    select t.address, t.type, t.nft_index, t.owner, t.jetton, t.balance,
      m.address is not null as is_met, m.valid, ${shownTexts}, ${shownExtra} as extra,
      ${flag("is_nsfw")}, ${flag("is_scam")}
    from tokens t
    left join lateral (
      select m.* from address_metadata m where m.address = t.address and m.type = t.type limit 1
    ) m on true
    left join lateral (select f.* from address_metadata_flags f where f.address = t.address limit 1) f on true`);
}

/** Metadata of the tokens among the accounts of an answer. */
export async function metadata(reading: HistorySnapshot, of: Iterable<Address | undefined>): Promise<Metadata> {
  const accounts = distinct(of);
  if (accounts.length === 0 || reading.request.withoutMetadata === true) return new Map();
  return readMetadata(reading, accounts);
}

/** The same for a request that is about nothing else, so it cannot leave metadata out. */
export async function readMetadata(reading: HistorySnapshot, accounts: readonly Address[]): Promise<Metadata> {
  const rows = await reading.query(metadataSql(accounts));
  const wanted: MetadataRequest[] = [];
  const found = new Map<Address, TokenInfo[]>();
  const read = rows.map((row) => ({ row, account: address.read(columnOf(row, "address")), token: tokenInfo(row) }));
  for (const { row, account, token } of read.sort(byKindAndAddress)) {
    if (token.type !== "jetton_wallets" && !bool.read(columnOf(row, "is_met")))
      wanted.push({ address: account, type: token.type });
    found.set(account, [...(found.get(account) ?? []), token]);
  }
  reading.want(wanted);
  return new Map([...found].map(([account, tokens]) => [account, { isIndexed: tokens.every(isFetched), tokens }]));
}

/** The order of tokens in an answer: that of the kinds as the statement lists them, then of addresses. */
const kinds: readonly TokenType[] = ["jetton_wallets", "nft_items", "nft_collections", "jetton_masters"];

interface FoundToken {
  readonly account: Address;
  readonly token: TokenInfo;
}

function byKindAndAddress(one: FoundToken, other: FoundToken): number {
  const apart = kinds.indexOf(one.token.type) - kinds.indexOf(other.token.type);
  if (apart !== 0) return apart;
  return one.account < other.account ? -1 : 1;
}

function isFetched({ valid }: TokenInfo): boolean {
  return valid !== undefined;
}

const bare = {
  name: undefined,
  symbol: undefined,
  description: undefined,
  image: undefined,
  isNsfw: undefined,
  isScam: undefined,
  extra: undefined,
  wallet: undefined,
};

function tokenInfo(row: SqlRow): TokenInfo {
  const type = text<TokenType>().read(columnOf(row, "type"));
  const nftIndex = nullable(amount).read(columnOf(row, "nft_index"));
  if (type === "jetton_wallets") return { ...bare, valid: true, type, nftIndex, wallet: walletOf(row) };
  const valid = nullable(bool).read(columnOf(row, "valid"));
  // Wallets read `extra` of a jetton without checking that it exists.
  if (valid !== true) return { ...bare, valid, type, nftIndex, extra: type === "jetton_masters" ? {} : undefined };
  const isNsfw = nullable(bool).read(columnOf(row, "is_nsfw"));
  const extra = nullable(json<JsonFields>()).read(columnOf(row, "extra"));
  const word = (name: string) => nullable(text()).read(columnOf(row, name));
  return {
    valid,
    type,
    name: word("name"),
    symbol: word("symbol"),
    description: word("description"),
    image: word("image"),
    nftIndex,
    isNsfw,
    isScam: nullable(bool).read(columnOf(row, "is_scam")),
    extra: extra && shownImages(extra, isNsfw === true),
    wallet: undefined,
  };
}

type JsonFields = { readonly [key: string]: JsonValue };

const imageSizes = ["_image_small", "_image_medium", "_image_big"];

/** Blurred images replace those of a token that is not safe for work; other tokens do not show them. */
function shownImages(extra: JsonFields, isNsfw: boolean): JsonFields {
  const blurred = imageSizes.map((name) => `${name}_blur`);
  if (![...imageSizes, ...blurred].some((name) => Object.hasOwn(extra, name))) return extra;
  const shown = Object.entries(extra).filter(([name]) => !blurred.includes(name));
  if (!isNsfw) return Object.fromEntries(shown);
  return Object.fromEntries(
    shown.map(([name, value]) => [name, imageSizes.includes(name) ? (extra[`${name}_blur`] ?? "") : value]),
  );
}

function walletOf(row: SqlRow): NonNullable<TokenInfo["wallet"]> {
  return {
    owner: address.read(columnOf(row, "owner")),
    jetton: address.read(columnOf(row, "jetton")),
    balance: amount.read(columnOf(row, "balance")),
  };
}
