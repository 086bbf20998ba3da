import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../../../src/history/store/Database.ts";
import { insertText } from "../../../../src/history/store/schema/insertText.ts";
import type { Columns, Table } from "../../../../src/history/store/schema/Table.ts";
import { validatorTables } from "../../../../src/history/store/schema/validatorTables.ts";
import { rowWrites } from "../../../../src/history/store/write/rowWrites.ts";
import { makeAddress } from "../../../../src/model/Address.ts";
import { openFresh } from "../../../kit/history/database.ts";
import { readTable, rowOf } from "../../../kit/history/databaseRows.ts";

let database: Database;
beforeAll(async () => {
  database = await openFresh("postgres");
});
afterAll(() => database.close());

const { cycles, members } = validatorTables;
const cycle = rowOf(cycles, 1, { cycleStart: 5 });
const member = rowOf(members, 2, { validatorIndex: 1, stakeHolder: makeAddress(-1, "6".repeat(64)) });

/** What blocks tell of one cycle: each key block has its own configuration, and may not know the election any more. */
const sightings = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.boolean(), fc.bigInt({ min: 1n, max: 9n })), {
    minLength: 2,
    maxLength: 5,
    selector: ([mcSeqno]) => mcSeqno,
  })
  .map((list) =>
    list.map(([mcSeqno, isKnown, stake]) => ({
      cycle: {
        ...{ ...cycle, mcSeqno, maxValidators: mcSeqno * 3, totalStake: isKnown ? stake : undefined },
        ...{ electionId: isKnown ? mcSeqno + 1000 : undefined, electionSeqno: isKnown ? mcSeqno : undefined },
      },
      member: { ...member, stake: isKnown ? stake : undefined, stakeHolder: isKnown ? member.stakeHolder : undefined },
    })),
  );

const ruleOf = (table: Table<Columns>) => rowWrites.find((write) => write.table === table)?.table.conflict;

/** Writes rows in commits of this many. */
async function write(table: Table, rows: readonly object[], together: number): Promise<readonly object[]> {
  const rule = ruleOf(table);
  if (rule?.merge === undefined) throw new Error(`rows of ${table.name} are not merged`);
  const names = table.names.map((name) => `"${name}"`).join(", ");
  const statements = [`delete from ${table.name}`];
  for (let at = 0; at < rows.length; at += together) {
    const values = insertText(table, rule.merge(rows.slice(at, at + together)));
    statements.push(`insert into ${table.name} as t (${names}) values ${values} ${rule.onConflict}`);
  }
  await database.write((session) => session.run(statements.join(";\n")));
  return readTable(database, table);
}

describe("what several blocks tell of a cycle", () => {
  it("has the newest configuration, the first election and the largest stakes, in whatever order it is written", async () => {
    await fc.assert(
      fc.asyncProperty(sightings, fc.integer({ min: 1, max: 5 }), async (seen, together) => {
        const ordered = seen.toSorted((a, b) => a.cycle.mcSeqno - b.cycle.mcSeqno);
        const known = ordered.filter(({ cycle: each }) => each.electionId !== undefined);
        const stakes = known.map(({ cycle: each }) => each.totalStake ?? 0n);
        const largest = stakes.reduce<bigint | undefined>((a, b) => (a === undefined || b > a ? b : a), undefined);
        const { electionId, electionSeqno } = known[0]?.cycle ?? cycleWithout;
        const expected = { ...ordered.at(-1)?.cycle, totalStake: largest, electionId, electionSeqno };
        for (const order of [seen, ordered, ordered.toReversed()]) {
          const rows = order.map((each) => each.cycle);
          expect(await write(cycles as Table, rows, together)).toEqual([expected]);
          const own = { ...member, stake: largest, stakeHolder: known.length > 0 ? member.stakeHolder : undefined };
          const parts = order.map((each) => each.member);
          expect(await write(members as Table, parts, together)).toEqual([own]);
        }
      }),
      { numRuns: 40 },
    );
  });
});

const cycleWithout = { electionId: undefined, electionSeqno: undefined };
