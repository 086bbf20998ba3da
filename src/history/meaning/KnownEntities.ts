import { readRoot } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import type { Facts } from "../../contracts/engine/Facts.ts";
import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import { type DeclaredFact, type EntityRows, entityList } from "../entities/indexedEntities.ts";
import type { IndexedEntity } from "../entities/indexedEntity.ts";
import type { AccountAfter } from "../ingest/Batch.ts";
import { address as addressColumn } from "../store/columns.ts";
import type { SqlSession, SqlValue } from "../store/Database.ts";
import { type Columns, columnName, type Row, readRow, selectList, type Table } from "../store/Table.ts";
import * as tables from "../store/tables.ts";

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
  "select 'latest_account_states' as name, account as address, code_hash, last_trans_lt as last_lt",
  "from latest_account_states where account = any($1::bytea[])",
  ...factEntities.map(
    ([, { table, account }]) =>
      `union all select '${table.name}', ${columnName(account)}, null, null from ${table.name} ` +
      `where ${columnName(account)} = any($1::bytea[])`,
  ),
].join(" ");

interface Account {
  readonly codeHash: Hash | undefined;
  readonly lastTransLt: bigint;
  /** Parsed on first use. */
  data(): Cell | undefined;
}

/** Accounts as a `bytea[]` parameter. */
export function addressList(addresses: Iterable<Address>): readonly (string | null)[] {
  return [...addresses].map((address) => addressColumn.write(address));
}

/**
 * Entities of accounts between two commits: rows of the tables, overlaid with rows that wait to be written. Facts are
 * lookups in memory; `load` costs a few statements for any number of accounts.
 */
export class KnownEntities {
  /** What the classifier may look up, as far as it is loaded. */
  readonly facts: Facts;
  readonly #loaded = new Set<Address>();
  readonly #loadedData = new Set<Address>();
  readonly #rows = new Map(factEntities.map(([name, entity]) => [name, new LatestRows(entity)]));
  readonly #accounts = new Map<Address, Account>();
  readonly #data = new Map<Address, Account>();

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
  add(rows: EntityRows, accounts: readonly AccountAfter[]): void {
    for (const [name, known] of this.#rows) known.add(rows[name]);
    for (const { address, code, data, lastTransLt } of accounts) {
      const account = { codeHash: code?.hash(), lastTransLt, data: () => data };
      keepLatest(this.#accounts, address, account);
      keepLatest(this.#data, address, account);
    }
  }

  /** Loads entities of accounts, and the data of some, unless loaded already. */
  async load(
    session: Pick<SqlSession, "query">,
    accounts: Iterable<Address>,
    data: Iterable<Address> = [],
  ): Promise<void> {
    const wanted = notIn(accounts, this.#loaded);
    const wantedData = notIn(data, this.#loadedData);
    if (wanted.length > 0) await this.#loadEntities(session, wanted);
    if (wantedData.length > 0) await this.#loadData(session, wantedData);
    for (const address of wanted) this.#loaded.add(address);
    for (const address of wantedData) this.#loadedData.add(address);
  }

  /** The lookups that entities declare; the compiler refuses a fact that no entity declares. */
  #entityFacts(): Pick<Facts, DeclaredFact> {
    const facts = factEntities.flatMap(([name, { factNames }]) =>
      factNames.map((fact) => [fact, (address: Address) => this.#rows.get(name)?.findFact(fact, address)]),
    );
    return Object.fromEntries(facts) as Pick<Facts, DeclaredFact>;
  }

  async #loadEntities(session: Pick<SqlSession, "query">, wanted: readonly Address[]): Promise<void> {
    const list = addressList(wanted);
    const there = new Set<SqlValue>();
    const { account, codeHash, lastTransLt } = tables.latestAccountStates.columns;
    for (const row of await session.query(entityTables, [list])) {
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

  async #loadData(session: Pick<SqlSession, "query">, wanted: readonly Address[]): Promise<void> {
    const rows = await session.query(
      "select account, data_boc, last_trans_lt from latest_account_states where account = any($1::bytea[])",
      [addressList(wanted)],
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
  const rows = await session.query(`select ${selectList(tables.marketplaceNames, "t")} from marketplace_names t`);
  return new Map(rows.map((raw) => readRow(tables.marketplaceNames, raw)).map(({ address, name }) => [address, name]));
}
