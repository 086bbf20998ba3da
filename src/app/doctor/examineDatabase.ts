import type { Database } from "../../history/store/Database.ts";
import { refuseDamaged, refuseOthers } from "../../history/store/engine/embedded/openEmbedded.ts";
import { findOpen } from "../../history/store/migrate/migrate.ts";
import { findIndexedHead } from "../../history/store/schema/indexedHead.ts";
import { checkNetwork } from "../../history/store/schema/indexFacts.ts";
import type { Clock } from "../../lib/clock.ts";
import { isCoded } from "../../lib/errors.ts";
import { findFolderHolder } from "../../lib/files/folderLock.ts";
import { openLog } from "../../lib/log.ts";
import type { NetworkPlan } from "../NetworkPlan.ts";
import { describeLocation, indexLocation, type LocationConfig } from "../networks/indexLocation.ts";
import { zeroStateOf } from "../networks/planNetworks.ts";
import { isNewLocation, openLocation } from "../service/parts/openIndexDatabase.ts";
import { type Finding, note, ok, problem } from "./Finding.ts";

const subject = "database";

/** Whether the database of an index can be reached and used, and whether the pages of a built-in one are whole. */
export async function examineDatabase(
  config: LocationConfig,
  plan: NetworkPlan,
  clock: Clock,
): Promise<readonly Finding[]> {
  const location = indexLocation(config, plan);
  try {
    if (location.kind === "embedded") refuseOthers(location.folder);
    if (isNewLocation(location)) return [];
    if (location.kind === "embedded") await checkPages(location.folder);
    const database = await openLocation(location, { clock, log: openLog({ level: "silent" }) }, zeroStateOf(plan));
    try {
      return [
        ok(subject, `${describeLocation(location, database.schema)} answers`),
        ...(await examineTables(database, plan)),
      ];
    } finally {
      await database.close();
    }
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    if (isCoded(error, "history/locked"))
      return [note(subject, `${text}; stop it to check the pages, or ask its /readyz`)];
    if (location.kind === "embedded")
      return [problem(subject, text, 'see "When data is damaged" in OPERATING.md: tongate db rebuild')];
    return [
      problem(subject, `${describeLocation(location)}: ${text}`, "correct --database, or start the database server"),
    ];
  }
}

/** A database in use changes while it is read. */
async function checkPages(folder: string): Promise<void> {
  if ((await findFolderHolder(folder)) === undefined) await refuseDamaged(folder);
}

async function examineTables(database: Database, plan: NetworkPlan): Promise<readonly Finding[]> {
  if ((await findOpen(database)).length > 0)
    return [note("index", "its tables are missing or of an older version; run tongate db migrate")];
  // The zero state of a local network is known only while it runs.
  if (plan.kind === "remote") await checkNetwork(database, plan.zeroState.rootHash);
  const head = await findIndexedHead(database);
  return [ok("index", head === undefined ? "empty" : `has masterchain block ${head.seqno}`)];
}
