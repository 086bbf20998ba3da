import { runLater, type SqlSession } from "../Database.ts";
import { address } from "../schema/columns.ts";
import { findFact } from "../schema/indexFacts.ts";
import type { BatchRows } from "./BatchRows.ts";

/**
 * The accounts with the largest balances: all whose balance is at least the floor, which is a fact of the index and 0
 * until there are more accounts than this. The list of the richest accounts is read from here, so that the large table
 * of latest states needs no index on a column that every transaction changes.
 */
export interface RichLimits {
  /** The floor is raised when there are more accounts than this. */
  readonly max: number;
  /** How many accounts are left then. */
  readonly kept: number;
}

export const richLimits: RichLimits = { max: 200_000, kept: 150_000 };

/** How often, in masterchain blocks, the accounts are counted. */
const countEvery = 256;

/** The fact that is the floor. */
export const floorFact = "rich_floor";

/** Read by itself: a cluster may lose it, with a mere warning, in a statement that reads rows of machines as well. */
async function findFloor(session: SqlSession): Promise<string> {
  return (await findFact(session, floorFact)) ?? lowestFloor;
}

export const lowestFloor = "0";

/**
 * Follows the latest states of accounts that a commit changed; runs in its transaction. Rows that are right already are
 * not locked, and others in the order of accounts, like the states: commits at the same time never wait for each other
 * both. The floor is known to a caller that has read it in the same transaction, where nobody else can raise it.
 */
export async function updateRichAccounts(
  session: SqlSession,
  batches: readonly BatchRows[],
  limits: RichLimits = richLimits,
  knownFloor?: string,
): Promise<void> {
  const accounts = new Set(batches.flatMap(({ latestAccountStates }) => latestAccountStates.map((row) => row.account)));
  if (accounts.size === 0) return;
  const floor = knownFloor ?? (await findFloor(session));
  await runLater(
    session,
    `with changed as (
       select l.account, l.balance from latest_account_states l where l.account = any($1::bytea[])
     ), gone as (
       delete from rich_accounts r using changed c where r.account = c.account and c.balance < $2::numeric
     )
     insert into rich_accounts as r (account, balance)
     select c.account, c.balance from changed c
     where c.balance >= $2::numeric
       and not exists (select from rich_accounts k where k.account = c.account and k.balance = c.balance)
     order by c.account
     on conflict (account) do update set balance = excluded.balance where r.balance <> excluded.balance`,
    [[...accounts].map(address.write), floor],
    { plan: "kept" },
  );
  if (batches.some(({ mcSeqno }) => mcSeqno % countEvery === 0)) await raiseFloor(session, limits);
}

/** Accounts with the balance of the last one that is kept go, too: others with that balance may be missing. */
async function raiseFloor(session: SqlSession, { max, kept }: RichLimits): Promise<void> {
  const [row] = await session.query("select count(*) as count from rich_accounts");
  if (Number(row?.count ?? 0) <= max) return;
  await session.query(
    `insert into index_facts (name, value)
     select '${floorFact}', (balance + 1)::text from rich_accounts order by balance desc, account limit 1 offset $1
     on conflict (name) do update set value = excluded.value`,
    [String(kept)],
  );
  await session.query("delete from rich_accounts where balance < $1::numeric", [await findFloor(session)]);
}
