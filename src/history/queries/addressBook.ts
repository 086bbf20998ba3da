import { isPlainWallet } from "../../contracts/families/wallet/PlainWallet.ts";
import { interfacesOf } from "../../contracts/interfaces.ts";
import { type Address, distinct, formatAddress, workchainOf } from "../../model/Address.ts";
import type { SqlRow, TableLayout } from "../store/Database.ts";
import { address, addresses, hash, ints, nullable, text } from "../store/schema/columns.ts";
import type { HistorySnapshot } from "./kit/History.ts";
import { columnOf } from "./kit/Page.ts";
import { Params, type Statement } from "./kit/Statement.ts";

/** How an account is displayed. */
export interface BookRow {
  /** Absent for workchains whose addresses have no such form. */
  readonly userFriendly: string | undefined;
  readonly domain: string | undefined;
  readonly interfaces: readonly string[];
}

export type AddressBook = ReadonlyMap<Address, BookRow>;

/**
 * The indexed accounts by their positions in the list, one row for all with the same code; then those with a domain,
 * one row each. Each account is looked up alone, because a thousand index lookups are faster than reading all accounts
 * at any size; codes are few, and looked up once for all their accounts. Domains are looked up for all accounts at
 * once, because hardly any has one. A domain counts when its item's owner and its wallet record are both the account;
 * the shortest one is taken.
 */
export function addressBookSql(of: readonly Address[], layout?: TableLayout): Statement {
  const params = new Params(layout);
  const given = params.of(addresses, of);
  // A cluster finds the account of a list on its machine by itself, but cannot join a list with rows of each.
  const found =
    params.layout === "distributed"
      ? `select l.code_hash, array_agg(array_position(${given}, l.account)) as places
      from latest_account_states l where l.account = any(${given})
      group by l.code_hash`
      : `select s.code_hash, array_agg(a.place::integer) as places
      from unnest(${given}) with ordinality as a(account, place)
      cross join lateral (select l.code_hash from latest_account_states l where l.account = a.account limit 1) s
      group by s.code_hash`;
  return params.lookup(`
    select k.code_hash, c.methods, k.places, null::bytea as account, null::text as domain
    from (
      ${found}
    ) k
    left join codes c on c.hash = k.code_hash
    union all
    select null, null, null, d.account, d.domain
    from (
      select distinct on (e.nft_item_owner) e.nft_item_owner as account, e.domain from dns_entries e
      where e.nft_item_owner = any(${given}) and e.dns_wallet = e.nft_item_owner
      order by e.nft_item_owner, length(e.domain), e.domain
    ) d`);
}

/** The address book of an answer, without absent and repeated addresses. */
export async function addressBook(reading: HistorySnapshot, of: Iterable<Address | undefined>): Promise<AddressBook> {
  const accounts = distinct(of);
  if (accounts.length === 0 || reading.request.withoutBook === true) return new Map();
  return readBook(reading, accounts);
}

/** The same for a request that is about nothing else, so it cannot leave the book out. */
export async function readBook(reading: HistorySnapshot, accounts: readonly Address[]): Promise<AddressBook> {
  const { isTestnet } = reading.options;
  const kinds = new Map<number, BookKind>();
  const domains = new Map<Address, string>();
  for (const row of await reading.query(addressBookSql(accounts, reading.layout))) {
    const places = nullable(ints).read(columnOf(row, "places"));
    if (places === undefined) {
      domains.set(address.read(columnOf(row, "account")), text().read(columnOf(row, "domain")));
      continue;
    }
    const kind = readKind(row);
    for (const place of places) kinds.set(place, kind);
  }
  return new Map(
    accounts.map((account, at) => [account, bookRow(account, kinds.get(at + 1), domains.get(account), isTestnet)]),
  );
}

/** The entry of accounts with the same code. */
interface BookKind {
  readonly isBounceable: boolean;
  readonly interfaces: readonly string[];
}

function readKind(row: SqlRow): BookKind {
  const codeHash = nullable(hash).read(columnOf(row, "code_hash"));
  const methods = nullable(ints).read(columnOf(row, "methods"));
  return {
    isBounceable: codeHash !== undefined && !isPlainWallet(codeHash),
    interfaces: interfacesOf({ codeHash, methods }),
  };
}

/** The entry of an account that is not indexed: only its address. */
function bookRow(account: Address, kind: BookKind | undefined, domain: string | undefined, testOnly: boolean): BookRow {
  const bounceable = kind?.isBounceable === true;
  return {
    userFriendly: findFriendly(account, { bounceable, testOnly }),
    domain: kind && domain,
    interfaces: kind?.interfaces ?? [],
  };
}

function findFriendly(account: Address, flags: { bounceable: boolean; testOnly: boolean }): string | undefined {
  const workchain = workchainOf(account);
  return workchain >= -128 && workchain < 128 ? formatAddress(account, flags, "base64url") : undefined;
}
