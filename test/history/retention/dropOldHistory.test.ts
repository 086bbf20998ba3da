import { expect, test } from "vitest";
import { HistoryError } from "../../../src/history/errors.ts";
import { dropOldHistory } from "../../../src/history/retention/dropOldHistory.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { openLog } from "../../../src/lib/log.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

const day = 86_400;
const opening = new HistoryError("history/opening", "opening the database of the index");
const away = new HistoryError("history/database", "the database is away");

/** A database that refuses the first looks with these errors and has nothing to remove; notes when it is asked. */
function refusing(clock: ManualClock, errors: readonly Error[]) {
  const askedAtMs: number[] = [];
  const left = [...errors];
  const write: Database["write"] = async (work) => {
    askedAtMs.push(clock.monotonic());
    const error = left.shift();
    if (error !== undefined) throw error;
    return work({ query: async () => [], run: async () => {}, copy: async () => {}, copyBinary: async () => {} });
  };
  return { askedAtMs, write };
}

test.each([
  { reason: "is opening", errors: [opening, opening], askedAtMs: [0, 1_000, 2_000, 3_602_000], warnings: 0 },
  { reason: "is away", errors: [away], askedAtMs: [0, 60_000, 3_660_000], warnings: 1 },
  { reason: "answers", errors: [], askedAtMs: [0, 3_600_000], warnings: 0 },
])("old history is looked for soon again while the database $reason", async ({ errors, askedAtMs, warnings }) => {
  const clock = new ManualClock();
  const lines: string[] = [];
  const log = openLog({ level: "warn", destination: { write: (line) => lines.push(line) } });
  const database = refusing(clock, errors);
  const stop = dropOldHistory(database, day, { clock, log });
  await clock.advance(3_700_000);
  await stop();
  expect(database.askedAtMs).toEqual(askedAtMs);
  expect(lines).toHaveLength(warnings);
  expect(clock.waiting).toBe(0);
});
