import type { SqlSession } from "../store/Database.ts";

/** The name under which blocks that were committed are told. */
export const blocksChannel = "index_blocks";
/** The name under which new predictions are told. */
export const messagesChannel = "index_stream";

/** Tells the other processes of the same schema; within a transaction they hear of it when it is committed. */
export async function notify(session: Pick<SqlSession, "query">, channel: string, payload: string): Promise<void> {
  await session.query(
    `select pg_notify($1 || case when current_schema() = 'public' then '' else '_' || current_schema() end, $2)`,
    [channel, payload],
  );
}
