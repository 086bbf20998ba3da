import { openSource } from "../../history/ingest/source.ts";
import { type Difference, verifySample } from "../../history/ingest/verify.ts";
import { systemRandom } from "../../lib/random.ts";
import type { Terminal } from "../Command.ts";
import { type Config, systemSources } from "../config.ts";
import { AppError } from "../errors.ts";
import { planNetworks } from "../networks/planNetworks.ts";
import { openPlanned } from "../serve.ts";
import { Closers } from "./Closers.ts";
import { followHeads } from "./followHeads.ts";
import { openModules } from "./indexNetworks.ts";
import { indexPlace, openIndexDatabase, refuseSharedDatabase } from "./openIndexDatabase.ts";

/** How many differences are told one by one. */
const mostTold = 50;

/** Compares some blocks of the indexes with the chain; throws "app/problems" when any differ. */
export async function verifyIndex(config: Config, sample: number, terminal: Terminal): Promise<void> {
  const plans = planNetworks(config, systemSources.findFile);
  refuseSharedDatabase(config, plans);
  const closers = new Closers();
  const stop = new AbortController();
  let problems = 0;
  try {
    const modules = await openModules(config, terminal, closers);
    const { clock, log } = modules;
    for (const plan of plans) {
      const network = await openPlanned(plan, modules);
      closers.add(() => network.close());
      const place = indexPlace(config, plan);
      const database = await openIndexDatabase(place, "read", network.zeroState.rootHash, { clock, log });
      closers.add(() => database.close());
      const heads = followHeads(network, clock, stop.signal);
      const source = openSource({ server: network.lite, heads, clock, random: systemRandom });
      const { blocks, rows, differences } = await verifySample(
        { source, database, random: systemRandom },
        sample,
        stop.signal,
      );
      problems += differences.length;
      for (const difference of differences.slice(0, mostTold)) terminal.write(`${formatDifference(difference)}\n`);
      terminal.write(`${plan.name}: ${blocks.length} blocks, ${rows} rows, ${differences.length} differences\n`);
    }
  } finally {
    stop.abort();
    await closers.close();
  }
  if (problems > 0) throw new AppError("app/problems", `${problems} rows are not what their blocks say`);
}

function formatDifference({ kind, table, mcSeqno, key, columns }: Difference): string {
  const where = columns.length === 0 ? "" : ` in ${columns.join(", ")}`;
  return `${kind}: ${table} ${key} of block ${mcSeqno}${where}`;
}
