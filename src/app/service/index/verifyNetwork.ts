import { AccountQueries } from "../../../history/ingest/source/AccountQueries.ts";
import { openSource } from "../../../history/ingest/source/BlockSource.ts";
import { followHeads } from "../../../history/ingest/source/followHeads.ts";
import type { Database } from "../../../history/store/Database.ts";
import type { ChainModules } from "../../../history/verify/ProvedChain.ts";
import type { Difference } from "../../../history/verify/verifyRows.ts";
import { type VerifyReport, verifySample } from "../../../history/verify/verifySample.ts";
import { systemRandom } from "../../../lib/random.ts";
import { networkKind } from "../../networks/shipped.ts";
import type { NetworkModules, OpenNetwork } from "../parts/OpenNetwork.ts";

/** How many differences are reported. */
const maxReported = 50;

/** What a comparison of an index with the chain found, in words. */
export interface VerifyVerdict {
  readonly differences: number;
  /** One line for each of the first differences, and a last one about all. */
  readonly lines: readonly string[];
}

/** Compares a sample of an index with the chain of its network. */
export async function verifyNetwork(
  network: OpenNetwork,
  database: Database,
  modules: ChainReaders,
  count: number,
): Promise<VerifyVerdict> {
  const stop = new AbortController();
  try {
    const chain = chainModules(network, modules, stop.signal);
    const { arrived } = network;
    const report = await verifySample({ ...chain, database, random: systemRandom, arrived }, { count }, stop.signal);
    return { differences: report.differences.length, lines: formatComparison(network.name, report) };
  } finally {
    stop.abort();
  }
}

type ChainReaders = Pick<NetworkModules, "clock" | "executor">;

/** What reads the chain of a network again, with proofs. */
export function chainModules(
  network: OpenNetwork,
  { clock, executor }: ChainReaders,
  signal: AbortSignal,
): ChainModules {
  const common = { clock, random: systemRandom };
  const source = openSource({ server: network.lite, heads: followHeads(network, clock, signal), ...common });
  return { source, server: network.lite, queries: new AccountQueries(common), executor, network: networkKind(network) };
}

/** The first differences, one a line, and the outcome of the comparison. */
export function formatComparison(name: string, report: VerifyReport): string[] {
  const { blocks, accounts, traces, rows, leftOut, differences } = report;
  const left = leftOut === 0 ? "" : `, ${leftOut} traces skipped because they are too long`;
  const counts = `${blocks.length} blocks, ${accounts} accounts, ${traces} traces, ${rows} rows${left}`;
  const listed = differences.slice(0, maxReported).map(formatDifference);
  return [...listed, `${name}: ${counts}, ${differences.length} differences`];
}

function formatDifference({ kind, table, mcSeqno, key, columns }: Difference): string {
  const where = columns.length === 0 ? "" : ` in ${columns.join(", ")}`;
  return `${kind}: ${table} ${key} of block ${mcSeqno}${where}`;
}
