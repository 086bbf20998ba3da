import type { FailureReporter } from "../../contracts/engine/ClassifyFailures.ts";
import type { Facts } from "../../contracts/engine/Facts.ts";
import { throwIfAborted } from "../../lib/deadline.ts";
import type { Trace } from "../../model/Trace.ts";
import type { Database } from "../store/Database.ts";
import { gatherFacts } from "./gatherFacts.ts";
import { KnownEntities, loadMarketplaceNames } from "./KnownEntities.ts";

/** Facts from the tables about the accounts of a trace that is not indexed. */
export async function factsOf(
  database: Pick<Database, "query">,
  network: Facts["network"],
  trace: Trace,
  signal: AbortSignal,
  reporter?: FailureReporter,
): Promise<Facts> {
  throwIfAborted(signal);
  const known = new KnownEntities(network, await loadMarketplaceNames(database));
  await gatherFacts(database, [trace], known, reporter);
  return known.facts;
}
