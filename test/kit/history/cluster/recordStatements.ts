import type { Database, SqlSession } from "../../../../src/history/store/Database.ts";
import { isOrdered } from "./clusterRules.ts";

/**
 * A database that notes the text of every statement, and is taken for a cluster: rows that no statement puts in order
 * come the other way round, because those of a cluster come as its machines answer.
 */
export function recordStatements(database: Database, texts: Set<string>): Database {
  const query = async (
    session: Pick<SqlSession, "query">,
    ...[sql, params, options]: Parameters<SqlSession["query"]>
  ) => {
    const rows = await session.query(note(sql), params, options);
    return isOrdered(sql) ? rows : rows.toReversed();
  };
  const noted = (session: SqlSession): SqlSession => ({
    query: (...args) => query(session, ...args),
    run: (sql) => session.run(note(sql)),
    copy: (table, columns, text) => session.copy(table, columns, text),
    copyBinary: (table, columns, bytes) => session.copyBinary(table, columns, bytes),
  });
  const note = (sql: string): string => {
    texts.add(sql);
    return sql;
  };
  return {
    kind: database.kind,
    layout: "distributed",
    schema: database.schema,
    query: (...args) => query(database, ...args),
    read: (work, options) => database.read((session) => work(noted(session)), options),
    write: (work) => database.write((session) => work(noted(session))),
    runAlone: (sql) => database.runAlone(note(sql)),
    lockWriter: (signal) => database.lockWriter(signal),
    close: () => database.close(),
  };
}
