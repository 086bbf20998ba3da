import { readRoot } from "../../cell/boc.ts";
import { type PlainWallet, readWallet } from "../../contracts/families/wallet/PlainWallet.ts";
import { interfacesOf } from "../../contracts/interfaces.ts";
import type { Address } from "../../model/Address.ts";
import { distinct } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import { HistoryError } from "../errors.ts";
import type { SqlRow } from "../store/Database.ts";
import { address, addresses, amount, bool, bytes, hash, hashes, ints, nullable } from "../store/schema/columns.ts";
import { type Row, readRow, selectList } from "../store/schema/Table.ts";
import { latestAccountStates } from "../store/schema/tables.ts";
import type { HistorySnapshot } from "./kit/History.ts";
import {
  by,
  byFirstBytes,
  columnOf,
  firstBytes,
  type ListPage,
  type ListStatement,
  listed,
  listSql,
  makeCursor,
  type Page,
} from "./kit/Page.ts";
import { ifAny, Params, type Statement, whereAll } from "./kit/Statement.ts";

/** The latest state of an account, with its code. */
export interface LatestAccount {
  readonly row: Row<typeof latestAccountStates>;
  /** The bag of its code, when requested. */
  readonly codeBoc: Uint8Array | undefined;
  readonly methods: readonly number[] | undefined;
  readonly interfaces: readonly string[];
}

export interface AccountsFilter {
  readonly accounts: readonly Address[];
  /** Only accounts with one of these codes; all when empty. */
  readonly codeHashes: readonly Hash[];
  readonly withCode: boolean;
}

/** Many accounts share a code: its columns come only with the first of them. */
export function accountsSql({ accounts, codeHashes, withCode }: AccountsFilter): Statement {
  const params = new Params();
  const where = whereAll([
    `s.account = any(${params.of(addresses, accounts)})`,
    ifAny(codeHashes, (values) => `s.code_hash = any(${params.of(hashes, values)})`),
  ]);
  const ofFirst = (column: string) => `case when s.is_first then ${column} end`;
  return params.lookup(`
    select ${selectList(latestAccountStates, "s")}, s.is_first,
      ${ofFirst("c.methods")} as methods, ${withCode ? ofFirst("c.boc") : "null::bytea"} as code_boc
    from (
      select s.*, row_number() over (partition by s.code_hash) = 1 as is_first from latest_account_states s ${where}
    ) s left join codes c on c.hash = s.code_hash`);
}

/** The indexed accounts, in the order of the request. */
export async function listAccounts(reading: HistorySnapshot, list: AccountsFilter): Promise<readonly LatestAccount[]> {
  const accounts = distinct(list.accounts);
  const rows = await reading.query(accountsSql({ ...list, accounts }));
  const read = rows.map((raw) => ({ raw, row: readRow(latestAccountStates, raw) }));
  const firsts = read.filter(({ raw }) => bool.read(columnOf(raw, "is_first")));
  const codes = new Map(firsts.map(({ raw, row }) => [row.codeHash, readCode(raw, row.codeHash)]));
  const found = new Map(read.map(({ row }) => [row.account, { row, ...(codes.get(row.codeHash) ?? noCode) }]));
  return accounts.flatMap((account) => found.get(account) ?? []);
}

const noCode: Omit<LatestAccount, "row"> = { codeBoc: undefined, methods: undefined, interfaces: [] };

function readCode(raw: SqlRow, codeHash: Hash | undefined): Omit<LatestAccount, "row"> {
  const methods = nullable(ints).read(columnOf(raw, "methods"));
  const codeBoc = nullable(bytes).read(columnOf(raw, "code_boc"));
  return { codeBoc, methods, interfaces: interfacesOf({ codeHash, methods }) };
}

/** Wallet data of an account; `undefined` when it is not a wallet. */
export function findWalletOf({ row: { codeHash, dataBoc } }: LatestAccount): PlainWallet | undefined {
  return codeHash === undefined || dataBoc === undefined ? undefined : readWallet(codeHash, readRoot(dataBoc));
}

/** Other accounts with a code, in the order of their addresses. */
export interface CodeHolders {
  readonly accounts: readonly Address[];
  /** The last of them, when more follow. */
  readonly next: Address | undefined;
}

export interface CodeHoldersFilter {
  readonly codeHash: Hash;
  /** The account that is left out. */
  readonly except: Address;
  /** Only accounts that follow this one. */
  readonly after?: Address | undefined;
}

const holdersOrder = [byFirstBytes("s.account", address, "asc")];

export function codeHoldersSql({ codeHash, except, after }: CodeHoldersFilter, limit: number): Statement {
  const params = new Params();
  const code = params.of(hash, codeHash);
  const cursor = after === undefined ? undefined : makeCursor(holdersOrder, [address.write(after)]);
  return listSql(params, {
    select: "s.account",
    from: "latest_account_states s",
    where: [
      `${firstBytes("s.code_hash")} = ${firstBytes(code)} and s.code_hash is not null`,
      // The first bytes decide nearly always: the planner must not multiply the shares of both conditions.
      `case when s.code_hash = ${code} and s.account <> ${params.of(address, except)} then true else false end`,
    ],
    lead: firstBytes("s.code_hash"),
    order: holdersOrder,
    page: { limit, offset: 0, cursor },
  });
}

/** One page of the other accounts with a code. */
export async function listCodeHolders(
  reading: HistorySnapshot,
  filter: CodeHoldersFilter,
  limit: number,
): Promise<CodeHolders> {
  const rows = await reading.query(codeHoldersSql(filter, limit + 1));
  const accounts = rows.slice(0, limit).map((row) => address.read(columnOf(row, "account")));
  return { accounts, next: rows.length > limit ? accounts.at(-1) : undefined };
}

/** The balance of an account. */
export interface AccountBalance {
  readonly account: Address;
  readonly balance: bigint;
}

function richestList(page: Page): ListStatement {
  return {
    select: "s.account, s.balance",
    from: "rich_accounts s",
    where: [],
    order: [by("s.balance", amount, "desc"), by("s.account", address, "asc")],
    page,
  };
}

export function richestSql(page: Page): Statement {
  return listSql(new Params(), richestList(page));
}

/** The smallest balance of the accounts that are listed, if not all are. */
export function richFloorSql(): Statement {
  return new Params().statement("select value from index_facts where name = 'rich_floor'");
}

/** Accounts by balance, the largest first. A large index lists only some of them: a page beyond them is refused. */
export async function listRichest(reading: HistorySnapshot, page: Page): Promise<ListPage<AccountBalance>> {
  const rows = await reading.query(richestSql(page));
  if (rows.length < page.limit) await refuseBeyond(reading);
  return listed({ rows }, richestList(page), (row) => ({
    account: address.read(columnOf(row, "account")),
    balance: amount.read(columnOf(row, "balance")),
  }));
}

async function refuseBeyond(reading: HistorySnapshot): Promise<void> {
  const [row] = await reading.query(richFloorSql());
  if (row === undefined) return;
  const least = String(columnOf(row, "value"));
  throw new HistoryError("history/request", `only accounts with a balance of at least ${least} nanotons are listed`);
}
