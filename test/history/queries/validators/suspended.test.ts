import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contractHistory, History } from "../../../../src/history/queries/kit/History.ts";
import { readSuspended } from "../../../../src/history/queries/validators/suspended.ts";
import type { Database } from "../../../../src/history/store/Database.ts";
import { validatorTables } from "../../../../src/history/store/schema/validatorTables.ts";
import { type Address, makeAddress } from "../../../../src/model/Address.ts";
import { sameDigits } from "../../../kit/api/v3/v3Stage.ts";
import { enginesOfTables, openFresh } from "../../../kit/history/database.ts";
import { indexChain } from "../../../kit/history/indexedChain.ts";
import { loadRows } from "../../../kit/history/loadRows.ts";
import { importSplitChain } from "../../../kit/localnet/splitChain.ts";

const at = (digit: string) => makeAddress(0, sameDigits(digit));
const [first, second, third] = [at("1"), at("2"), at("3")];

describe.each(enginesOfTables)("suspended accounts, on %s", (engine) => {
  let database: Database;
  let headAt: number;

  beforeAll(async () => {
    database = await openFresh(engine);
    const rows = await indexChain(database, importSplitChain());
    headAt = Math.max(...rows.blocks.filter(({ workchain }) => workchain === -1).map(({ genUtime }) => genUtime));
  });

  afterAll(() => database?.close());

  const shown = () =>
    new History(contractHistory, { database }).read({}, (reading) => readSuspended(reading, [first, second, third]));
  const add = (keySeqno: number, suspendedUntil: number, accounts: readonly Address[]) =>
    database.write((session) => loadRows(session, validatorTables.suspended, [{ keySeqno, suspendedUntil, accounts }]));

  it("are those of the newest list until its end, by the time of the newest block", async () => {
    expect(await shown()).toEqual(new Set());
    await add(1_000_001, headAt + 1, [first, second]);
    expect(await shown()).toEqual(new Set([first, second]));
    await add(1_000_003, headAt + 1, [second, third]);
    await add(1_000_002, headAt + 1, [first]);
    expect(await shown()).toEqual(new Set([second, third]));
    await add(1_000_004, headAt, [second, third]);
    expect(await shown()).toEqual(new Set());
  });
});
