import { readRoot } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import type { Facts } from "../../contracts/engine/Facts.ts";
import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import { type DeclaredFact, type EntityRows, entityList } from "../entities/indexedEntities.ts";
import type { IndexedEntity } from "../entities/indexedEntity.ts";
import type { AccountAfter } from "../ingest/decode/DecodedBatch.ts";
import type { SqlRow, SqlSession, SqlValue } from "../store/Database.ts";
import { addressList } from "../store/schema/columns.ts";
import * as serviceTables from "../store/schema/serviceTables.ts";
import { type Columns, columnName, type Row, readRow, selectList, type Table } from "../store/schema/Table.ts";
import * as tables from "../store/schema/tables.ts";

type Network = Facts["network"];
type AnyRow = Row<Table<Columns>>;

/** The entities whose rows give facts; each has a row for one account. */
const factEntities = entityList.filter(([, { factNames }]) => factNames.length > 0);

/** Rows of one entity by account; the row with the largest `lastTransactionLt` counts. */
class LatestRows {
  readonly #entity: IndexedEntity;
  readonly #rows = new Map<Address, AnyRow>();

  constructor(entity: IndexedEntity) {
    this.#entity = entity;
  }

  add(rows: readonly AnyRow[]): void {
    for (const row of rows) {
      const address = row[this.#entity.account] as Address;
      const known = this.#rows.get(address);
      if (known === undefined || ltOf(known) <= ltOf(row)) this.#rows.set(address, row);
    }
  }

  has(address: Address): boolean {
    return this.#rows.has(address);
  }

  findFact(name: string, address: Address): unknown {
    const row = this.#rows.get(address);
    return row === undefined ? undefined : this.#entity.readFact(name, row);
  }
}

function ltOf(row: AnyRow): bigint {
  return row.lastTransactionLt as bigint;
}

/** Most accounts have no entity: one statement says which tables must be read. */
const entityTables = [
  "select 'latest_account_states' as name, l.account as address, l.code_hash, l.last_trans_lt as last_lt,",
  "t.mc_block_seqno as mc_seqno from latest_account_states l",
  "left join transactions t on t.account = l.account and t.lt = l.last_trans_lt where l.account = any($1::bytea[])",
  ...factEntities.map(
    ([, { table, account }]) =>
      `union all select '${table.name}', ${columnName(account)}, null, null, null from ${table.name} ` +
      `where ${columnName(account)} = any($1::bytea[])`,
  ),
].join(" ");

interface Account {
  readonly codeHash: Hash | undefined;
  readonly lastTransLt: bigint;
  /** Parsed on first use. */
  data(): Cell | undefined;
}

/**
 * The block at which facts are wanted while other processes index earlier and later ones. The tables have the newest
 * state of an account: it counts when it is from the range of this worker, and otherwise the account is looked up.
 */
export interface PastStates {
  /** The tables have all changes from this masterchain block up to the current one. */
  readonly since: number;
  /** The first block of the index: what changed before it is unknown. */
  readonly first: number;
  readonly mcSeqno: number;
  /**
   * Whether the tables have all changes of an account; those of other accounts may be outside the scope of the index.
   */
  readonly isCovered?: ((address: Address) => boolean) | undefined;
  /** Accounts as they are at the block, with their entities; those that the index would not know are left out. */
  look(addresses: readonly Address[]): Promise<readonly PastAccount[]>;
}

export interface PastAccount {
  readonly rows: EntityRows;
  readonly account: Pick<AccountAfter, "address" | "code" | "data" | "lastTransLt">;
}

/**
 * Entities of accounts between two commits: rows of the tables, overlaid with rows that wait to be written. Facts are
 * lookups in memory; `load` costs a few statements for any number of accounts.
 */
export class KnownEntities {
  /** What the classifier may look up, as far as it is loaded. */
  readonly facts: Facts;
  readonly #changed = new Set<Address>();
  readonly #loaded = new Set<Address>();
  readonly #loadedData = new Set<Address>();
  readonly #rows = new Map(factEntities.map(([name, entity]) => [name, new LatestRows(entity)]));
  readonly #accounts = new Map<Address, Account>();
  readonly #data = new Map<Address, Account>();
  /** Accounts whose rows in the tables are from another time. */
  readonly #outside = new Set<Address>();
  #past: PastStates | undefined;

  constructor(network: Network, names: ReadonlyMap<Address, string>) {
    this.facts = {
      network,
      ...this.#entityFacts(),
      findCodeHash: (address) => this.#accounts.get(address)?.codeHash,
      findData: (address) => this.#data.get(address)?.data(),
      findMarketplaceName: (address) => names.get(address),
    };
  }

  /** Adds the entities of a block that is not committed yet. */
  add(rows: EntityRows, accounts: readonly PastAccount["account"][]): void {
    for (const [name, known] of this.#rows) known.add(rows[name]);
    for (const { address, code, data, lastTransLt } of accounts) {
      const account = { codeHash: code?.hash(), lastTransLt, data: () => data };
      this.#changed.add(address);
      keepLatest(this.#accounts, address, account);
      keepLatest(this.#data, address, account);
    }
  }

  /** Whether an account changed since the last commit, and is no entity. */
  isPlain(address: Address): boolean {
    return this.#changed.has(address) && ![...this.#rows.values()].some((rows) => rows.has(address));
  }

  /** Accounts that are loaded from here on are wanted as they are at this block. */
  at(past: PastStates): void {
    this.#past = past;
  }

  /** Loads entities of accounts, and the data of some, unless loaded already; returns whether any was not. */
  async load(
    session: Pick<SqlSession, "query">,
    accounts: Iterable<Address>,
    data: Iterable<Address> = [],
  ): Promise<boolean> {
    const named = [...data];
    const wanted = notIn(this.#past === undefined ? accounts : [...accounts, ...named], this.#loaded);
    const wantedData = notIn(named, this.#loadedData);
    if (wanted.length > 0) await this.#loadEntities(session, wanted);
    const stored = wantedData.filter((address) => !this.#outside.has(address));
    if (stored.length > 0) await this.#loadData(session, stored);
    for (const address of wanted) this.#loaded.add(address);
    for (const address of wantedData) this.#loadedData.add(address);
    return wanted.length > 0 || wantedData.length > 0;
  }

  /** The lookups that entities declare; the compiler refuses a fact that no entity declares. */
  #entityFacts(): Pick<Facts, DeclaredFact> {
    const facts = factEntities.flatMap(([name, { factNames }]) =>
      factNames.map((fact) => [fact, (address: Address) => this.#rows.get(name)?.findFact(fact, address)]),
    );
    return Object.fromEntries(facts) as Pick<Facts, DeclaredFact>;
  }

  async #loadEntities(session: Pick<SqlSession, "query">, addresses: readonly Address[]): Promise<void> {
    const there = new Set<SqlValue>();
    const { account, codeHash, lastTransLt } = tables.latestAccountStates.columns;
    const sqlRows = await session.query(entityTables, [addressList(addresses)]);
    const inside = await this.#lookOutside(addresses, sqlRows);
    const list = addressList(inside);
    const isInside = new Set<Address>(inside);
    for (const row of sqlRows) {
      if (!isInside.has(account.read(row.address ?? null))) continue;
      if (row.name !== tables.latestAccountStates.name) {
        there.add(row.name ?? null);
      } else {
        keepLatest(this.#accounts, account.read(row.address ?? null), {
          codeHash: codeHash.read(row.code_hash ?? null),
          lastTransLt: lastTransLt.read(row.last_lt ?? null),
          data: () => undefined,
        });
      }
    }
    for (const [name, { table, account: key }] of factEntities) {
      if (!there.has(table.name)) continue;
      const sql = `select ${selectList(table, "t")} from ${table.name} t where t.${columnName(key)} = any($1::bytea[])`;
      const rows = await session.query(sql, [list]);
      this.#rows.get(name)?.add(rows.map((raw) => readRow(table, raw)));
    }
  }

  /** Returns the accounts whose rows in the tables count; of the others those that are not known yet are looked up. */
  async #lookOutside(addresses: readonly Address[], sqlRows: readonly SqlRow[]): Promise<readonly Address[]> {
    const past = this.#past;
    if (past === undefined) return addresses;
    const seqnos = new Map<Address, number | undefined>();
    for (const row of sqlRows) {
      if (row.name !== tables.latestAccountStates.name) continue;
      const mcSeqno = row.mc_seqno === null ? undefined : Number(row.mc_seqno);
      seqnos.set(tables.latestAccountStates.columns.account.read(row.address ?? null), mcSeqno);
    }
    const isInside = (address: Address): boolean => {
      if (past.isCovered?.(address) === false) return false;
      const mcSeqno = seqnos.get(address);
      // An account that no transaction has changed yet is as it was before the first block.
      if (mcSeqno === undefined) return past.since === past.first;
      return mcSeqno <= past.mcSeqno && (mcSeqno >= past.since || past.since === past.first);
    };
    const outside = addresses.filter((address) => !isInside(address));
    for (const address of outside) this.#outside.add(address);
    const unknown = outside.filter((address) => !this.#accounts.has(address));
    if (unknown.length > 0) for (const { rows, account } of await past.look(unknown)) this.add(rows, [account]);
    return addresses.filter((address) => !this.#outside.has(address));
  }

  async #loadData(session: Pick<SqlSession, "query">, addresses: readonly Address[]): Promise<void> {
    const rows = await session.query(
      "select account, data_boc, last_trans_lt from latest_account_states where account = any($1::bytea[])",
      [addressList(addresses)],
    );
    const { account, dataBoc, lastTransLt } = tables.latestAccountStates.columns;
    for (const row of rows) {
      const bag = dataBoc.read(row.data_boc ?? null);
      keepLatest(this.#data, account.read(row.account ?? null), {
        codeHash: undefined,
        lastTransLt: lastTransLt.read(row.last_trans_lt ?? null),
        data: () => (bag === undefined ? undefined : readRoot(bag)),
      });
    }
  }
}

function notIn(accounts: Iterable<Address>, known: ReadonlySet<Address>): readonly Address[] {
  return [...new Set(accounts)].filter((address) => !known.has(address));
}

function keepLatest(accounts: Map<Address, Account>, address: Address, account: Account): void {
  const known = accounts.get(address);
  if (known === undefined || known.lastTransLt <= account.lastTransLt) accounts.set(address, account);
}

/** Names of marketplaces by address. */
export async function loadMarketplaceNames(session: Pick<SqlSession, "query">): Promise<ReadonlyMap<Address, string>> {
  const rows = await session.query(
    `select ${selectList(serviceTables.marketplaceNames, "t")} from marketplace_names t`,
  );
  return new Map(
    rows.map((raw) => readRow(serviceTables.marketplaceNames, raw)).map(({ address, name }) => [address, name]),
  );
}
