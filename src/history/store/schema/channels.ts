import type { SqlSession } from "../Database.ts";

/** The channel of committed blocks. */
export const blocksChannel = "index_blocks";
/** The channel of new predictions. */
export const messagesChannel = "index_stream";

/** Notifies the other processes of the same schema; inside a transaction the notification is sent at commit. */
export async function notify(session: Pick<SqlSession, "query">, channel: string, payload: string): Promise<void> {
  await session.query(
    `select pg_notify($1 || case when current_schema() = 'public' then '' else '_' || current_schema() end, $2)`,
    [channel, payload],
  );
}
