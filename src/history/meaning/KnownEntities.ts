import { readRoot } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import type {
  DedustPoolFact,
  Facts,
  JettonWalletFact,
  MultisigOrderFact,
  NftAuctionFact,
  NftItemFact,
  NftSaleFact,
} from "../../contracts/engine/Facts.ts";
import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import type { AccountAfter } from "../ingest/Batch.ts";
import type { EntityRows } from "../store/BatchRows.ts";
import { address as addressColumn } from "../store/columns.ts";
import type { SqlSession, SqlValue } from "../store/Database.ts";
import { type Columns, type Row, readRow, selectList, type Table } from "../store/Table.ts";
import * as tables from "../store/tables.ts";

type Network = Facts["network"];
type Dated = { readonly address: Address; readonly lastTransactionLt: bigint };

/** Rows by account, of which the latest counts. */
class Latest<R extends Dated> {
  readonly #rows = new Map<Address, R>();

  add(rows: readonly R[]): void {
    for (const row of rows) {
      const known = this.#rows.get(row.address);
      if (known === undefined || known.lastTransactionLt <= row.lastTransactionLt) this.#rows.set(row.address, row);
    }
  }

  find(address: Address): R | undefined {
    return this.#rows.get(address);
  }
}

/** Most accounts are none of these: one question tells which tables need be read at all. */
const whatThereIs = [
  "select 'latest_account_states' as name, account as address, code_hash, last_trans_lt as last_lt",
  "from latest_account_states where account = any($1::bytea[])",
  ...[tables.jettonWallets, tables.nftItems, tables.nftSales, tables.multisigOrders, tables.dexPools].map(
    ({ name }) => `union all select '${name}', address, null, null from ${name} where address = any($1::bytea[])`,
  ),
].join(" ");

interface Account {
  readonly codeHash: Hash | undefined;
  readonly lastTransLt: bigint;
  /** Opened when it is asked for. */
  data(): Cell | undefined;
}

/** Accounts as a parameter that is `bytea[]`. */
export function addressList(addresses: Iterable<Address>): readonly (string | null)[] {
  return [...addresses].map((address) => addressColumn.write(address));
}

/**
 * What is known of accounts between two commits: rows of the tables, read for those that are asked about, under rows
 * that wait to be written. Looking up is free; `load` costs a few questions for any number of accounts.
 */
export class KnownEntities implements Facts {
  readonly network: Network;
  readonly #asked = new Set<Address>();
  readonly #askedData = new Set<Address>();
  readonly #wallets = new Latest<Row<typeof tables.jettonWallets>>();
  readonly #items = new Latest<Row<typeof tables.nftItems>>();
  readonly #sales = new Latest<Row<typeof tables.nftSales>>();
  readonly #orders = new Latest<Row<typeof tables.multisigOrders>>();
  readonly #pools = new Latest<Row<typeof tables.dexPools>>();
  readonly #accounts = new Map<Address, Account>();
  readonly #data = new Map<Address, Account>();
  readonly #names: ReadonlyMap<Address, string>;

  constructor(network: Network, names: ReadonlyMap<Address, string>) {
    this.network = network;
    this.#names = names;
  }

  /** Takes in what was found in a block that waits to be written. */
  add(rows: EntityRows, accounts: readonly AccountAfter[]): void {
    this.#wallets.add(rows.jettonWallets);
    this.#items.add(rows.nftItems);
    this.#sales.add(rows.nftSales);
    this.#orders.add(rows.multisigOrders);
    this.#pools.add(rows.dexPools);
    for (const { address, code, data, lastTransLt } of accounts) {
      const account = { codeHash: code?.hash(), lastTransLt, data: () => data };
      keepLatest(this.#accounts, address, account);
      keepLatest(this.#data, address, account);
    }
  }

  /** Reads what the tables know of accounts, and the data of some, unless it was read already. */
  async load(
    session: Pick<SqlSession, "query">,
    accounts: Iterable<Address>,
    data: Iterable<Address> = [],
  ): Promise<void> {
    const wanted = unasked(accounts, this.#asked);
    const wantedData = unasked(data, this.#askedData);
    if (wanted.length > 0) await this.#loadEntities(session, wanted);
    if (wantedData.length > 0) await this.#loadData(session, wantedData);
    for (const address of wanted) this.#asked.add(address);
    for (const address of wantedData) this.#askedData.add(address);
  }

  findJettonWallet(address: Address): JettonWalletFact | undefined {
    return this.#wallets.find(address);
  }

  findNftItem(address: Address): NftItemFact | undefined {
    const row = this.#items.find(address);
    if (row === undefined) return undefined;
    const uri = row.content?.uri;
    return {
      index: row.index,
      collection: row.collectionAddress,
      owner: row.ownerAddress,
      contentUri: typeof uri === "string" ? uri : undefined,
    };
  }

  findNftSale(address: Address): NftSaleFact | undefined {
    const row = this.#sales.find(address);
    return row?.kind === "getgems_sale" ? { ...listing(row), fullPrice: row.price } : undefined;
  }

  findNftAuction(address: Address): NftAuctionFact | undefined {
    const row = this.#sales.find(address);
    return row?.kind === "getgems_auction" ? { ...listing(row), lastBid: row.price } : undefined;
  }

  findMultisigOrder(address: Address): MultisigOrderFact | undefined {
    return this.#orders.find(address);
  }

  findDedustPool(address: Address): DedustPoolFact | undefined {
    const row = this.#pools.find(address);
    return row?.dex === "dedust" ? { assets: [row.asset0, row.asset1] } : undefined;
  }

  findCodeHash(address: Address): Hash | undefined {
    return this.#accounts.get(address)?.codeHash;
  }

  findData(address: Address): Cell | undefined {
    return this.#data.get(address)?.data();
  }

  findMarketplaceName(address: Address): string | undefined {
    return this.#names.get(address);
  }

  async #loadEntities(session: Pick<SqlSession, "query">, wanted: readonly Address[]): Promise<void> {
    const list = addressList(wanted);
    const there = new Set<SqlValue>();
    const { account, codeHash, lastTransLt } = tables.latestAccountStates.columns;
    for (const row of await session.query(whatThereIs, [list])) {
      if (row.name !== tables.latestAccountStates.name) there.add(row.name ?? null);
      else
        keepLatest(this.#accounts, account.read(row.address ?? null), {
          codeHash: codeHash.read(row.code_hash ?? null),
          lastTransLt: lastTransLt.read(row.last_lt ?? null),
          data: () => undefined,
        });
    }
    const read = async <C extends Columns>(table: Table<C>): Promise<readonly Row<Table<C>>[]> => {
      if (!there.has(table.name)) return [];
      const sql = `select ${selectList(table, "t")} from ${table.name} t where t.address = any($1::bytea[])`;
      return (await session.query(sql, [list])).map((raw) => readRow(table, raw));
    };
    this.#wallets.add(await read(tables.jettonWallets));
    this.#items.add(await read(tables.nftItems));
    this.#sales.add(await read(tables.nftSales));
    this.#orders.add(await read(tables.multisigOrders));
    this.#pools.add(await read(tables.dexPools));
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

function unasked(accounts: Iterable<Address>, asked: ReadonlySet<Address>): readonly Address[] {
  return [...new Set(accounts)].filter((address) => !asked.has(address));
}

function keepLatest(accounts: Map<Address, Account>, address: Address, account: Account): void {
  const known = accounts.get(address);
  if (known === undefined || known.lastTransLt <= account.lastTransLt) accounts.set(address, account);
}

function listing(row: Row<typeof tables.nftSales>) {
  return { nft: row.nftAddress, nftOwner: row.nftOwnerAddress, marketplace: row.marketplaceAddress };
}

/** The names under which marketplaces are known. */
export async function loadMarketplaceNames(session: Pick<SqlSession, "query">): Promise<ReadonlyMap<Address, string>> {
  const rows = await session.query(`select ${selectList(tables.marketplaceNames, "t")} from marketplace_names t`);
  return new Map(rows.map((raw) => readRow(tables.marketplaceNames, raw)).map(({ address, name }) => [address, name]));
}
