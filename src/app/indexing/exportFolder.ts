import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { exportIndex } from "../../history/snapshot/exportIndex.ts";
import { nameOf } from "../../history/snapshot/IndexManifest.ts";
import { refuseUnfinishedImport } from "../../history/snapshot/importState.ts";
import { systemClock } from "../../lib/clock.ts";
import { openLog } from "../../lib/log.ts";
import type { Terminal } from "../Command.ts";
import { type AppConfig, systemSources } from "../config.ts";
import { AppError } from "../errors.ts";
import type { NetworkPlan } from "../NetworkPlan.ts";
import { indexLocation, refuseNameless } from "../networks/indexLocation.ts";
import { planNetworks, zeroStateOf } from "../networks/planNetworks.ts";
import { openLocation, refuseMissingTables } from "../service/parts/openIndexDatabase.ts";

/** The one network that is exported or imported. */
export function planOne(config: AppConfig, word: string): NetworkPlan {
  const plans = planNetworks(config, systemSources.findFile);
  refuseNameless(config, plans);
  const [plan, ...others] = plans;
  if (plan === undefined || others.length > 0)
    throw new AppError("app/usage", `index ${word} takes one network; name it with --network`);
  return plan;
}

/** Writes the index of a network into a folder, which must be new or empty. */
export async function exportFolder(config: AppConfig, folder: string, terminal: Terminal): Promise<void> {
  const plan = planOne(config, "export");
  const path = resolve(folder);
  if (existsSync(path) && readdirSync(path).length > 0)
    throw new AppError("app/usage", `${path} is not empty; give a new folder`);
  const modules = { clock: systemClock, log: openLog({ level: config.logLevel }) };
  const database = await openLocation(indexLocation(config, plan), modules, zeroStateOf(plan));
  try {
    await refuseMissingTables(database);
    await refuseUnfinishedImport(database);
    mkdirSync(path, { recursive: true });
    const { files, segments } = await exportIndex({ database, clock: systemClock }, path, {
      onFile: (file) => terminal.write(`${nameOf(file)}: ${file.rows} rows\n`),
    });
    const rows = files.reduce((sum, file) => sum + file.rows, 0);
    const last = segments.at(-1)?.lastBlock.seqno;
    terminal.write(`${plan.name}: exported ${rows} rows in ${files.length} files, up to block ${last}, into ${path}\n`);
  } finally {
    await database.close();
  }
}
