import { findIndexedHead } from "../../history/ingest/indexedHead.ts";
import type { Database } from "../../history/store/Database.ts";
import { checkNetwork } from "../../history/store/facts.ts";
import { findOpen } from "../../history/store/migrate.ts";
import type { Clock } from "../../lib/clock.ts";
import { openLog } from "../../lib/log.ts";
import { describePlace, indexPlace, type PlaceConfig } from "../networks/indexPlace.ts";
import type { NetworkPlan } from "../networks/NetworkPlan.ts";
import { zeroStateOf } from "../networks/planNetworks.ts";
import { openPlace } from "../service/index/openIndexDatabase.ts";
import { type Finding, note, ok, problem } from "./Finding.ts";

const subject = "database";

/** Whether the PostgreSQL of an index can be reached and used; the built-in one needs no check. */
export async function examineDatabase(
  config: PlaceConfig,
  plan: NetworkPlan,
  clock: Clock,
): Promise<readonly Finding[]> {
  const place = indexPlace(config, plan);
  if (place.kind === "embedded") return [];
  try {
    const database = await openPlace(place, { clock, log: openLog({ level: "silent" }) }, zeroStateOf(plan));
    try {
      return [
        ok(subject, `${describePlace(place, database.schema)} answers`),
        ...(await examineTables(database, plan)),
      ];
    } finally {
      await database.close();
    }
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return [problem(subject, `${describePlace(place)}: ${text}`, "mend --database, or start the server it names")];
  }
}

async function examineTables(database: Database, plan: NetworkPlan): Promise<readonly Finding[]> {
  if ((await findOpen(database)).length > 0)
    return [note("index", "its tables are not those of this version yet; the next indexer makes them")];
  // The zero state of a local network is known only while it runs.
  if (plan.kind === "remote") await checkNetwork(database, plan.zeroState.rootHash);
  const head = await findIndexedHead(database);
  return [ok("index", head === undefined ? "empty" : `reaches to masterchain block ${head.seqno}`)];
}
