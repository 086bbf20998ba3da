import { expect, it } from "vitest";
import { loadConfig } from "../../../src/app/config.ts";
import { showIndexStatus } from "../../../src/app/indexing/showIndexStatus.ts";
import { indexLocation } from "../../../src/app/networks/indexLocation.ts";
import { planNetworks } from "../../../src/app/networks/planNetworks.ts";
import { openLocation } from "../../../src/app/service/parts/openIndexDatabase.ts";
import { listMigrations, migrate } from "../../../src/history/store/migrate/migrate.ts";
import { freshUrl, quietModules } from "../../kit/history/database.ts";
import { recordTerminal } from "../../kit/suite/recordTerminal.ts";

/** The last migration of version 0.2. */
const lastMigration = 10;

it("the status of an index of version 0.2 says which history it lacks", async () => {
  const none = () => undefined;
  const { config } = loadConfig(["--database", await freshUrl()], { environment: {}, findFile: none });
  const [plan] = planNetworks(config, none);
  if (plan === undefined) throw new Error("a network is planned");
  const database = await openLocation(indexLocation(config, plan), quietModules, undefined);
  await migrate(
    database,
    quietModules,
    listMigrations().filter(({ number }) => number <= lastMigration),
  );
  await database.write((session) => session.run("insert into segments values (1, 30), (40, 50)"));
  await migrate(database, quietModules);
  await database.close();
  const terminal = recordTerminal();
  await showIndexStatus(config, terminal, { json: false });
  const advice = "tongate db rebuild, and indexing again, adds them";
  expect(
    terminal
      .written()
      .split("\n")
      .filter((line) => line.startsWith("lacks")),
  ).toEqual([
    `lacks     nominator pools and auctions of blocks 1 to 29; ${advice}`,
    `lacks     nominator pools and auctions of blocks 40 to 49; ${advice}`,
    `lacks     elections and validators of blocks 1 to 29; ${advice}`,
    `lacks     elections and validators of blocks 40 to 49; ${advice}`,
  ]);
});
