import { openSource } from "../../../history/ingest/source/BlockSource.ts";
import { followHeads } from "../../../history/ingest/source/followHeads.ts";
import { AccountQueries } from "../../../history/ingest/states/AccountQueries.ts";
import type { ChainModules } from "../../../history/verify/ProvedChain.ts";
import type { Difference } from "../../../history/verify/verifyRows.ts";
import { type VerifyReport, verifySample } from "../../../history/verify/verifySample.ts";
import { systemRandom } from "../../../lib/random.ts";
import type { Terminal } from "../../Command.ts";
import { type AppConfig, systemSources } from "../../config.ts";
import { AppError } from "../../errors.ts";
import { indexPlace, refuseNameless } from "../../networks/indexPlace.ts";
import { networkKind } from "../../networks/networkKind.ts";
import { planNetworks } from "../../networks/planNetworks.ts";
import { openPlanned } from "../../serve.ts";
import { Closers } from "../Closers.ts";
import { openModules } from "../indexNetworks.ts";
import type { NetworkModules, OpenNetwork } from "../OpenNetwork.ts";
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
      const database = await openIndexDatabase(place, { kind: "read" }, network.zeroState.rootHash, { clock, log });
      closers.add(() => database.close());
      const chain = chainModules(network, modules, stop.signal);
      const report = await verifySample({ ...chain, database, random: systemRandom }, { count: sample }, stop.signal);
      problems += report.differences.length;
      printDifferences(report, terminal);
      terminal.write(`${plan.name}: ${formatReport(report)}\n`);
    }
  } finally {
    stop.abort();
    await closers.close();
  }
  if (problems > 0) throw new AppError("app/problems", `${problems} rows are not what the chain says`);
}

/** What reads the chain of a network again, with proofs. */
export function chainModules(network: OpenNetwork, modules: NetworkModules, signal: AbortSignal): ChainModules {
  const common = { clock: modules.clock, random: systemRandom };
  const source = openSource({ server: network.lite, heads: followHeads(network, modules.clock, signal), ...common });
  const queries = new AccountQueries(common);
  return { source, server: network.lite, queries, executor: modules.executor, network: networkKind(network) };
}

/** The outcome of a comparison, in one line. */
export function formatReport({ blocks, accounts, traces, rows, leftOut, differences }: VerifyReport): string {
  const left = leftOut === 0 ? "" : `, ${leftOut} traces left out for their length`;
  return `${blocks.length} blocks, ${accounts} accounts, ${traces} traces, ${rows} rows${left}, ${differences.length} differences`;
}

/** Prints the first differences, one a line. */
export function printDifferences({ differences }: VerifyReport, terminal: Terminal): void {
  for (const each of differences.slice(0, mostPrinted)) terminal.write(`${formatDifference(each)}\n`);
}

function formatDifference({ kind, table, mcSeqno, key, columns }: Difference): string {
  const where = columns.length === 0 ? "" : ` in ${columns.join(", ")}`;
  return `${kind}: ${table} ${key} of block ${mcSeqno}${where}`;
}
