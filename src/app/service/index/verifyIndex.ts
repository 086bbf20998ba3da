import { openSource } from "../../../history/ingest/source/BlockSource.ts";
import { followHeads } from "../../../history/ingest/source/followHeads.ts";
import { AccountQueries } from "../../../history/ingest/states/AccountQueries.ts";
import type { Difference } from "../../../history/verify/verifyRows.ts";
import { type VerifyReport, verifySample } from "../../../history/verify/verifySample.ts";
import { systemRandom } from "../../../lib/random.ts";
import type { Terminal } from "../../Command.ts";
import { type AppConfig, systemSources } from "../../config.ts";
import { AppError } from "../../errors.ts";
import { indexPlace, refuseNameless } from "../../networks/indexPlace.ts";
import { planNetworks } from "../../networks/planNetworks.ts";
import { openPlanned } from "../../serve.ts";
import { Closers } from "../Closers.ts";
import { openModules } from "../indexNetworks.ts";
import { networkKind } from "./openIndex.ts";
import { openIndexDatabase } from "./openIndexDatabase.ts";

/** How many differences are printed. */
const mostPrinted = 50;

/** Compares some of the indexes with the chain; throws "app/problems" when any differ. */
export async function verifyIndex(config: AppConfig, sample: number, terminal: Terminal): Promise<void> {
  const plans = planNetworks(config, systemSources.findFile);
  refuseNameless(config, plans);
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
      const common = { clock, random: systemRandom };
      const source = openSource({ server: network.lite, heads, ...common });
      const parts = { source, server: network.lite, queries: new AccountQueries(common), executor: modules.executor };
      const kind = networkKind(network);
      const report = await verifySample(
        { ...parts, database, random: systemRandom, network: kind },
        { count: sample },
        stop.signal,
      );
      problems += report.differences.length;
      for (const each of report.differences.slice(0, mostPrinted)) terminal.write(`${formatDifference(each)}\n`);
      terminal.write(`${plan.name}: ${formatReport(report)}\n`);
    }
  } finally {
    stop.abort();
    await closers.close();
  }
  if (problems > 0) throw new AppError("app/problems", `${problems} rows are not what the chain says`);
}

function formatReport({ blocks, accounts, traces, rows, leftOut, differences }: VerifyReport): string {
  const left = leftOut === 0 ? "" : `, ${leftOut} traces left out for their length`;
  return `${blocks.length} blocks, ${accounts} accounts, ${traces} traces, ${rows} rows${left}, ${differences.length} differences`;
}

function formatDifference({ kind, table, mcSeqno, key, columns }: Difference): string {
  const where = columns.length === 0 ? "" : ` in ${columns.join(", ")}`;
  return `${kind}: ${table} ${key} of block ${mcSeqno}${where}`;
}
