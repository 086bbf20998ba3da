import { interfacesOf } from "../../contracts/interfaces.ts";
import { isPlainWallet } from "../../contracts/wallet/PlainWallet.ts";
import { type Address, formatAddress, workchainOf } from "../../model/Address.ts";
import { address, addresses, hash, ints, nullable, text } from "../store/columns.ts";
import type { SqlRow } from "../store/Database.ts";
import type { Reading } from "./History.ts";
import { columnOf } from "./Page.ts";
import { Params, type Statement } from "./Statement.ts";

/** How an account is shown to people. */
export interface BookRow {
  /** Absent for the few workchains whose addresses have no such form. */
  readonly userFriendly: string | undefined;
  readonly domain: string | undefined;
  readonly interfaces: readonly string[];
}

export type AddressBook = ReadonlyMap<Address, BookRow>;

/** A domain counts when its item's owner and its wallet record are both the account; the shortest one is taken. */
export function addressBookSql(of: readonly Address[]): Statement {
  const params = new Params();
  return params.statement(`
    select a.account, s.account is not null as known, s.code_hash, c.methods, d.domain
    from unnest(${params.of(addresses, of)}) as a(account)
    left join latest_account_states s on s.account = a.account
    left join codes c on c.hash = s.code_hash
    left join lateral (
      select e.domain from dns_entries e
      where e.nft_item_owner = a.account and e.dns_wallet = a.account and s.account is not null
      order by length(e.domain), e.domain limit 1
    ) d on true`);
}

/** The address book of an answer; addresses that are not there are left aside, and so are repeated ones. */
export async function addressBook(reading: Reading, of: Iterable<Address | undefined>): Promise<AddressBook> {
  const accounts = distinct(of);
  if (accounts.length === 0 || reading.asked.withoutBook === true) return new Map();
  return readBook(reading, accounts);
}

/** The same for a question that is about nothing else, and so cannot leave it out. */
export async function readBook(reading: Reading, accounts: readonly Address[]): Promise<AddressBook> {
  const rows = await reading.query(addressBookSql(accounts));
  return new Map(rows.map((row) => [address.read(columnOf(row, "account")), bookRow(row, reading.options.isTestnet)]));
}

/** Each address once, in order. */
export function distinct(of: Iterable<Address | undefined>): readonly Address[] {
  const found = new Set<Address>();
  for (const each of of) if (each !== undefined) found.add(each);
  return [...found];
}

function bookRow(row: SqlRow, testOnly: boolean): BookRow {
  const account = address.read(columnOf(row, "account"));
  const codeHash = nullable(hash).read(columnOf(row, "code_hash"));
  const methods = nullable(ints).read(columnOf(row, "methods"));
  const bounceable = codeHash !== undefined && !isPlainWallet(codeHash);
  return {
    userFriendly: findFriendly(account, { bounceable, testOnly }),
    domain: nullable(text()).read(columnOf(row, "domain")),
    interfaces: interfacesOf({ codeHash, methods }),
  };
}

function findFriendly(account: Address, flags: { bounceable: boolean; testOnly: boolean }): string | undefined {
  const workchain = workchainOf(account);
  return workchain >= -128 && workchain < 128 ? formatAddress(account, flags, "base64url") : undefined;
}
