import type { Database, SqlSession } from "../../../../src/history/store/Database.ts";

/** A database that notes the text of every statement, and is taken for a cluster. */
export function recordStatements(database: Database, texts: Set<string>): Database {
  const noted = (session: SqlSession): SqlSession => ({
    query: (sql, params, options) => session.query(note(sql), params, options),
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
    query: (sql, params, options) => database.query(note(sql), params, options),
    read: (work, options) => database.read((session) => work(noted(session)), options),
    write: (work) => database.write((session) => work(noted(session))),
    runAlone: (sql) => database.runAlone(note(sql)),
    lockWriter: (signal) => database.lockWriter(signal),
    close: () => database.close(),
  };
}
