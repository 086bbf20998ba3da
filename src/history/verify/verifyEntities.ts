import type { Random } from "../../lib/random.ts";
import { type Address, makeAddress } from "../../model/Address.ts";
import { hashFromBytes } from "../../model/Hash.ts";
import { type EntityRows, entityList } from "../entities/indexedEntities.ts";
import type { AccountAfter } from "../ingest/decode/DecodedBatch.ts";
import type { SqlSession } from "../store/Database.ts";
import { address as addressColumn, addressList } from "../store/schema/columns.ts";
import { isMissing, listMissing } from "../store/schema/missingParts.ts";
import type { Columns, Table } from "../store/schema/Table.ts";
import * as tables from "../store/schema/tables.ts";
import type { ProvedChain } from "./ProvedChain.ts";
import { type Compared, compareRows, joinCompared, selectRows } from "./verifyRows.ts";

type Session = Pick<SqlSession, "query">;

/** Tables from which accounts are chosen: every kind of entity, however rare. */
const chosenFrom = [
  ...entityList.map(([, { table, account }]) => ({ table: table.name, column: columnOf(table, account) })),
  { table: tables.latestAccountStates.name, column: "account" },
];

/** Compares all entities of accounts, each just after its last change. */
export async function compareEntities(
  session: Session,
  chain: ProvedChain,
  mcSeqno: number,
  accounts: readonly AccountAfter[],
): Promise<Compared> {
  if (accounts.length === 0) return { rows: 0, differences: [] };
  const entityRows = await chain.detect(accounts, mcSeqno);
  const expected = { ...entityRows, nftItems: await withRealOwners(chain, mcSeqno, entityRows) };
  const byAddress = new Map(accounts.map((account) => [account.address, account]));
  const compared: Compared[] = [];
  const isOld = isMissing(await listMissing(session, "pools"), mcSeqno);
  for (const [name, { table, account, notVerified, isNewIn }] of entityList) {
    if (isOld && isNewIn === "table") continue;
    const rows: readonly Record<string, unknown>[] = expected[name];
    const isExpected = new Set(rows.map((row) => row[account]));
    const stored = await selectRows(session, table, `t.${columnOf(table, account)} = any($1::bytea[])`, [
      addressList(byAddress.keys()),
    ]);
    const isBound = (row: Record<string, unknown>) =>
      isExpected.has(row[account]) || isOfState(row, byAddress.get(row[account] as Address));
    compared.push(
      compareRows(
        { table, ignored: isOld && isNewIn !== "table" ? [...notVerified, ...isNewIn] : notVerified },
        mcSeqno,
        rows as never,
        (stored as readonly Record<string, unknown>[]).filter(isBound) as never,
      ),
    );
  }
  return joinCompared(compared);
}

/** Whether a row was made from this state: an account that is no longer an entity keeps its last row. */
function isOfState(row: Record<string, unknown>, account: AccountAfter | undefined): boolean {
  return "lastTransactionLt" in row ? row.lastTransactionLt === account?.lastTransLt : account?.code !== undefined;
}

/** The seller is the real owner of an item that a sale holds; a sale may learn of its item after the item was sent. */
async function withRealOwners(chain: ProvedChain, mcSeqno: number, { nftItems }: EntityRows) {
  const owners = [...new Set(nftItems.flatMap(({ ownerAddress }) => ownerAddress ?? []))];
  if (owners.length === 0) return nftItems;
  const sales = new Map<Address, EntityRows["nftSales"][number]>();
  // A deleted sale keeps its last row.
  for (const seqno of new Set([mcSeqno, chain.headSeqno])) {
    const states = await Promise.all(owners.map((address) => chain.getAccount(address, seqno)));
    for (const sale of (await chain.detect(states, seqno)).nftSales) sales.set(sale.address, sale);
  }
  return nftItems.map((item) => {
    const sale = item.ownerAddress === undefined ? undefined : sales.get(item.ownerAddress);
    const isHeld = sale?.nftAddress === item.address && sale.nftOwnerAddress !== undefined;
    return { ...item, realOwner: isHeld ? sale.nftOwnerAddress : item.ownerAddress };
  });
}

/** A chosen account and the block of its last transaction in the tables; some accounts have none there. */
export interface ChosenAccount {
  readonly address: Address;
  readonly mcSeqno: number | undefined;
}

/** Chooses this many random rows of each kind, and returns their accounts. */
export async function chooseAccounts(session: Session, max: number, random: Random): Promise<readonly ChosenAccount[]> {
  const chosen = new Set<Address>();
  for (const place of chosenFrom)
    for (const address of await chooseRows(session, place, max, random)) chosen.add(address);
  const rows = await session.query(
    `select l.account, x.mc_block_seqno from latest_account_states l
     join transactions x on x.account = l.account and x.lt = l.last_trans_lt
     where l.account = any($1::bytea[])`,
    [addressList(chosen)],
  );
  const seqnos = new Map(rows.map((row) => [addressColumn.read(row.account ?? null), Number(row.mc_block_seqno)]));
  return [...chosen].map((address) => ({ address, mcSeqno: seqnos.get(address) }));
}

/** All rows of a small table; of a large one the rows after random keys. */
async function chooseRows(
  session: Session,
  { table, column }: { readonly table: string; readonly column: string },
  max: number,
  random: Random,
): Promise<readonly Address[]> {
  const few = await session.query(`select ${column} as account from ${table} limit ${max + 1}`);
  const sqlRows = few.length <= max ? [...few] : [];
  while (few.length > max && sqlRows.length < max) {
    const from = addressColumn.write(makeAddress(random.int(8) === 0 ? -1 : 0, hashFromBytes(random.bytes(32))));
    const [row] = await session.query(
      `(select ${column} as account from ${table} where ${column} >= $1::bytea order by ${column} limit 1)
       union all (select ${column} from ${table} order by ${column} limit 1)`,
      [from],
    );
    sqlRows.push(...(row === undefined ? [] : [row]));
  }
  return sqlRows.map((row) => addressColumn.read(row.account ?? null));
}

function columnOf(table: Table<Columns>, key: string): string {
  return table.listed.find((each) => each.key === key)?.name ?? key;
}
