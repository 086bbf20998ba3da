import type { Database } from "../../../src/history/store/Database.ts";

/** Statements of one request. */
export const statements = 12;
/** Some tens of milliseconds of the built-in engine, also on a fast machine: such a request is a long one. */
const rowsEach = 120_000;

/** One request with many statements that all take long, as a list of a thousand traces with actions is. */
export function readHeavily(
  database: Pick<Database, "read">,
  caller: string | undefined,
  onStatement: () => void,
): Promise<void> {
  return database.read(
    async (session) => {
      for (let at = 0; at < statements; at++) {
        await session.query(`select count(*) from generate_series(1, ${rowsEach})`);
        onStatement();
      }
    },
    { caller },
  );
}
