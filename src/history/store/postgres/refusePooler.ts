import { HistoryError } from "../../errors.ts";
import type { PostgresSession } from "./PostgresSession.ts";

type Session = Pick<PostgresSession, "query" | "transact">;

const backend = "select pg_backend_pid() as pid";

/**
 * Refuses a pooler that gives every transaction another backend, such as PgBouncer in transaction mode: settings of
 * sessions leak to others there, and two writers may hold the same lock. While the second session is in a transaction,
 * real sessions keep two different backends; a pooler gives away that of the first.
 */
export async function refusePooler(first: Session, second: Session): Promise<void> {
  const before = await pidOf(first);
  const [other, after] = await second.transact("begin", async (session) => [await pidOf(session), await pidOf(first)]);
  if (before === after && before !== other) return;
  throw new HistoryError(
    "history/pooler",
    "a pooler between this program and PostgreSQL shares sessions between transactions (PgBouncer: pool_mode = transaction); " +
      "connect to PostgreSQL itself, or through a pooler with pool_mode = session",
  );
}

async function pidOf(session: Pick<PostgresSession, "query">): Promise<number> {
  const [row] = await session.query(backend);
  return Number(row?.pid);
}
