import { existsSync } from "node:fs";
import { systemClock } from "../../lib/clock.ts";
import { openLog } from "../../lib/log.ts";
import { declareCommand } from "../client/declareCommand.ts";
import { settingsFor, systemSources } from "../config.ts";
import { AppError } from "../errors.ts";
import { describeLocation, indexLocation, refuseNameless } from "../networks/indexLocation.ts";
import { planNetworks, zeroStateOf } from "../networks/planNetworks.ts";
import { notWords } from "../terminal/commandLine.ts";

export const db = declareCommand({
  name: "db",
  summary:
    "Prepare the tables of the index. migrate updates them to this version, as an indexer does when it starts. " +
    "rebuild deletes all indexed data, and the next indexer starts from the beginning.",
  usage: ["migrate", "rebuild"],
  words: ["migrate", "rebuild"],
  examples: [
    "tongate db migrate",
    "tongate db migrate --network mainnet --database postgres://user@host/index",
    "tongate db rebuild",
  ],
  options: {},
  settings: settingsFor("data", "network", "globalConfig", "networks", "database", "logLevel"),
  run: async (terminal, { config, words }) => {
    const [word] = words;
    if (words.length !== 1 || (word !== "migrate" && word !== "rebuild"))
      throw new AppError("app/usage", `db takes "migrate" or "rebuild"${notWords(words)}`);
    const plans = planNetworks(config, systemSources.findFile);
    refuseNameless(config, plans);
    const modules = { clock: systemClock, log: openLog({ level: config.logLevel }) };
    const { migrate } = await import("../../history/store/migrate/migrate.ts");
    const { rebuild } = await import("../../history/store/migrate/rebuild.ts");
    const { removeFiles } = await import("../../history/store/engine/embedded/removeFiles.ts");
    const { openLocation: openPlace } = await import("../service/parts/openIndexDatabase.ts");
    for (const plan of plans) {
      const location = indexLocation(config, plan);
      // A damaged database cannot be opened, and everything in it is made again.
      if (word === "rebuild" && location.kind === "embedded" && existsSync(location.folder))
        await removeFiles(location.folder);
      const database = await openPlace(location, modules, zeroStateOf(plan));
      try {
        const steps = word === "rebuild" ? await rebuild(database, modules) : await migrate(database, modules);
        const outcome = steps.length === 0 ? "up to date" : `applied migration ${steps.join(", ")}`;
        terminal.write(`${plan.name}, ${describeLocation(location, database.schema)}: ${outcome}\n`);
      } finally {
        await database.close();
      }
    }
  },
});
