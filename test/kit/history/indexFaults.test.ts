import { expect, it } from "vitest";
import { deferred } from "../suite/deferred.ts";
import { openFresh } from "./database.ts";
import { faultyDatabase } from "./indexFaults.ts";

it("a statement that waits for the session of a late commit runs after the commit", async () => {
  const database = await openFresh("embedded");
  const faulty = faultyDatabase(database, (operation) => (operation === "commit" ? "late" : undefined));
  const isWriting = deferred();
  const goOn = deferred();
  const writing = faulty.part.write(async (session) => {
    await session.run("create table told as select 1 as n");
    isWriting.resolve();
    await goOn.promise;
  });
  await isWriting.promise;
  const answer = faulty.part.query("select n from told");
  goOn.resolve();
  await expect(writing).rejects.toMatchObject({ code: "history/database" });
  expect(await answer).toEqual([{ n: 1 }]);
  await database.close();
});
