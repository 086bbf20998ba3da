import { existsSync } from "node:fs";
import { indexStatus, type StoredIndexStatus, type StoredRange } from "../../history/ingest/IndexStatus.ts";
import { secondsLeft } from "../../history/ingest/progress.ts";
import { describeScope } from "../../history/scope/Scope.ts";
import { findScope } from "../../history/scope/storedScope.ts";
import type { Database } from "../../history/store/Database.ts";
import { refuseDamaged } from "../../history/store/engine/embedded/openEmbedded.ts";
import { findOpen } from "../../history/store/migrate/migrate.ts";
import type { Segment } from "../../history/store/schema/checkpoint.ts";
import { systemClock } from "../../lib/clock.ts";
import { isCoded } from "../../lib/errors.ts";
import { findFolderHolder } from "../../lib/files/folderLock.ts";
import { openLog } from "../../lib/log.ts";
import type { Terminal } from "../Command.ts";
import { type AppConfig, systemSources } from "../config.ts";
import { findIndexReport } from "../local/localControl.ts";
import type { NetworkPlan } from "../NetworkPlan.ts";
import { describeLocation, type IndexLocation, indexLocation, refuseNameless } from "../networks/indexLocation.ts";
import { planNetworks, zeroStateOf } from "../networks/planNetworks.ts";
import { formatSpan } from "../service/parts/describeIndex.ts";
import { isNewLocation, openLocation } from "../service/parts/openIndexDatabase.ts";
import { writeFacts } from "../terminal/writeFacts.ts";

/** The state of an index, from its tables; without them, a note says what is known. */
interface IndexReport {
  readonly place: string;
  readonly note?: string;
  readonly scope?: string;
  readonly status?: StoredIndexStatus;
}

/** Prints the state of the indexes, from their tables. */
export async function showIndexStatus(
  config: AppConfig,
  terminal: Terminal,
  { json }: { readonly json: boolean },
): Promise<void> {
  const plans = planNetworks(config, systemSources.findFile);
  refuseNameless(config, plans);
  const reports: (IndexReport & { readonly network: string })[] = [];
  for (const plan of plans)
    reports.push({ network: plan.name, ...(await reportOf(indexLocation(config, plan), plan)) });
  writeFacts(terminal, { json }, reports, () => reports.map(formatReport).join(""));
}

type Line = readonly [name: string, text: string];

function formatReport({ network, place, note, scope, status }: IndexReport & { readonly network: string }): string {
  const lines: readonly Line[] = [
    ["network", network],
    ["place", place],
    ...(scope === undefined ? [] : [["scope", scope] as const]),
    ...(status === undefined ? [["index", note ?? ""] as const] : formatStatus(status)),
  ];
  return lines.map(([name, text]) => `${name.padEnd(8)}  ${text}\n`).join("");
}

async function reportOf(location: IndexLocation, plan: NetworkPlan): Promise<IndexReport> {
  const place = describeLocation(location);
  if (location.kind === "embedded" && !existsSync(location.folder)) return { place, note: "no index yet" };
  const modules = { clock: systemClock, log: openLog({ level: "warn" }) };
  if (
    location.kind === "embedded" &&
    !isNewLocation(location) &&
    (await findFolderHolder(location.folder)) === undefined
  ) {
    const damage = await refuseDamaged(location.folder).catch((error: unknown) => error);
    if (isCoded(damage, "history/damaged")) return { place, note: damage.message };
  }
  const database = await openLocation(location, modules, zeroStateOf(plan)).catch((error: unknown) => {
    if (isCoded(error, "history/locked") || isCoded(error, "history/damaged")) return error;
    throw error;
  });
  if (isCoded(database, "history/damaged")) return { place, note: database.message };
  if (database instanceof Error) {
    const report = await findIndexReport(plan.listen);
    return { place, note: report ?? `${database.message}, whose page and /readyz show its progress` };
  }
  try {
    return await readReport(database, describeLocation(location, database.schema));
  } finally {
    await database.close();
  }
}

async function readReport(database: Database, place: string): Promise<IndexReport> {
  const open = await findOpen(database);
  if (open.length > 0) return { place, note: "its tables are missing or of an older version; run tongate db migrate" };
  const scope = await findScope(database);
  const covered = scope === undefined ? {} : { scope: describeScope(scope) };
  return { place, ...covered, status: await indexStatus(database, systemClock) };
}

function formatStatus(status: StoredIndexStatus): readonly Line[] {
  const { segments, lastSeqno, lagSeconds, missing, pendingTraces, unclassifiedTraces } = status;
  const { withoutPools, withoutValidators, ranges, blocksLeft, secondsLeft, partitions, sealedPartitions } = status;
  const left = blocksLeft === 0 || secondsLeft === undefined ? "" : `, ${formatSpan(secondsLeft)} left`;
  if (lastSeqno === undefined) return [["index", "empty"]];
  const stretches = segments.map(({ firstSeqno, nextSeqno }) => `${firstSeqno} to ${nextSeqno - 1}`);
  return [
    ["blocks", stretches.join(", ")],
    ["newest", `${lastSeqno}${lagSeconds === undefined ? "" : `, ${formatSpan(lagSeconds)} old`}`],
    ["missing", `${missing} between these`],
    ["backfill", blocksLeft === 0 ? "done" : `${blocksLeft} blocks left${left}`],
    ...ranges.map((range): Line => ["range", formatRange(range)]),
    ...withoutPools.map((range): Line => ["lacks", describeLack("nominator pools and auctions", range)]),
    ...withoutValidators.map((range): Line => ["lacks", describeLack("elections and validators", range)]),
    ["traces", `${pendingTraces} not complete, ${unclassifiedTraces} not classified`],
    ["sealed", `${sealedPartitions} of ${partitions} partitions`],
  ];
}

/** What blocks lack that an older version indexed, and how to get it. */
function describeLack(what: string, { firstSeqno, nextSeqno }: Segment): string {
  return `${what} of blocks ${firstSeqno} to ${nextSeqno - 1}; tongate db rebuild, and indexing again, adds them`;
}

/** One line for a range: where it is, how fast, and who indexes it. */
function formatRange(range: StoredRange): string {
  const { kind, firstSeqno, nextSeqno, lastSeqno, holder, silentSeconds } = range;
  const rate = `${range.blocksPerSecond.toFixed(1)} blocks/s, ${range.transactionsPerSecond.toFixed(0)} tx/s`;
  if (kind === "follow") return `from ${firstSeqno} to the head, written by ${holder}`;
  const left = secondsLeft(Math.max(0, (lastSeqno ?? nextSeqno) + 1 - nextSeqno), range);
  const time = left === undefined ? "" : `, ${formatSpan(left)} left`;
  return `${firstSeqno} to ${lastSeqno}, at ${nextSeqno - 1}, ${rate}${time}, by ${holder}, heard ${formatSpan(silentSeconds)} ago`;
}
