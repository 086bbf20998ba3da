import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseScope } from "../../../src/history/scope/parseScope.ts";
import { checkScope, claimScope, findScope } from "../../../src/history/scope/storedScope.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { takeSegment } from "../../../src/history/store/schema/checkpoint.ts";
import { openFresh } from "../../kit/history/database.ts";

const scopeOf = (account: string) =>
  parseScope(JSON.stringify({ accounts: [`0:${account.repeat(64)}`] }), { isTest: true });
const one = scopeOf("1");
const two = scopeOf("2");
const cannot = "An index cannot be extended: ";
const anew = ", or index the other scope in another database, or in this one after tongate db rebuild";
const madeWith = `start with its own scope${anew}`;

let database: Database;
beforeEach(async () => {
  database = await openFresh("postgres");
});
afterEach(() => database.close());

describe("the scope of an index", () => {
  it("is that of its first writer", async () => {
    await claimScope(database, one);
    await claimScope(database, one);
    expect(await findScope(database)).toEqual(one);
  });

  it("is refused when it differs, and when none is given", async () => {
    await claimScope(database, one);
    await expect(claimScope(database, two)).rejects.toMatchObject({
      code: "history/scope",
      message: `the index covers only 1 account, but the given scope covers 1 account. ${cannot}${madeWith}`,
    });
    await expect(claimScope(database, undefined)).rejects.toMatchObject({
      code: "history/scope",
      message: `the index covers only 1 account, but no scope is given. ${cannot}${madeWith}`,
    });
    expect(await findScope(database)).toEqual(one);
  });

  it("is refused for an index of the whole chain", async () => {
    await claimScope(database, undefined);
    await database.write((session) => takeSegment(session, 1));
    await expect(claimScope(database, one)).rejects.toMatchObject({
      message: `the index covers the whole chain, but the given scope covers 1 account. ${cannot}start without --scope${anew}`,
    });
    expect(await findScope(database)).toBeUndefined();
  });

  it("need not be named by readers, but must be the same when it is", async () => {
    await claimScope(database, one);
    await checkScope(database, undefined);
    await checkScope(database, one);
    await expect(checkScope(database, two)).rejects.toMatchObject({ code: "history/scope" });
  });
});
