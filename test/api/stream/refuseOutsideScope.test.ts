import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refuseOutsideScope } from "../../../src/api/stream/refuseOutsideScope.ts";
import { contractHistory, History } from "../../../src/history/queries/kit/History.ts";
import { parseScope } from "../../../src/history/scope/parseScope.ts";
import { claimScope } from "../../../src/history/scope/storedScope.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { makeAddress } from "../../../src/model/Address.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { openFresh } from "../../kit/history/database.ts";

const account = (digit: string) => makeAddress(0, digit.repeat(64));
const code = (digit: string) => digit.repeat(64) as Hash;
const scope = { accounts: [account("1")], jettons: [account("2")], code_hashes: [code("3")] };
const covers = "the index covers 1 account, 1 jetton, 1 code, and masterchainInfo lists its scope";

let scoped: Database;
let whole: Database;
beforeAll(async () => {
  [scoped, whole] = [await openFresh("postgres"), await openFresh("postgres")];
  await claimScope(scoped, parseScope(JSON.stringify(scope), { isTest: true }));
});
afterAll(async () => {
  await scoped?.close();
  await whole?.close();
});

const none = { addresses: new Set<never>(), jettons: new Set<never>(), codeHashes: new Set<never>() };
const subscribe = (database: Database, wanted: Partial<Parameters<typeof refuseOutsideScope>[1]>) =>
  refuseOutsideScope(new History(contractHistory, { database }), { ...none, ...wanted });

describe("a subscription", () => {
  it("to what is in the scope of the index, or to everything, is accepted", async () => {
    await subscribe(scoped, {});
    const inside = { addresses: new Set([account("1"), account("2")]), jettons: new Set([account("2")]) };
    await subscribe(scoped, { ...inside, codeHashes: new Set([code("3")]) });
  });

  it("to what is outside is refused with what the index covers", async () => {
    const refused = (message: string) => ({ code: "history/outside-scope", message: `${message}; ${covers}` });
    const outside = account("4");
    await expect(subscribe(scoped, { addresses: new Set([account("1"), outside]) })).rejects.toMatchObject(
      refused(`${outside} is outside the scope of this index`),
    );
    await expect(subscribe(scoped, { jettons: new Set([account("1")]) })).rejects.toMatchObject(
      refused(`${account("1")} is not a jetton in the scope of this index`),
    );
    await expect(subscribe(scoped, { codeHashes: new Set([code("4")]) })).rejects.toMatchObject(
      refused(`${code("4")} is not a code in the scope of this index`),
    );
  });

  it("is accepted on an index of the whole chain", async () => {
    await subscribe(whole, { addresses: new Set([account("4")]), jettons: new Set([account("4")]) });
  });
});
