import type { Metrics } from "../../../api/metrics.ts";
import type { ReadinessCheck } from "../../../api/readiness.ts";
import { ClassifyFailures, type FailureReporter } from "../../../contracts/engine/ClassifyFailures.ts";
import { HistoryError, withoutAddresses } from "../../../history/errors.ts";
import { ChangeWatch } from "../../../history/events/ChangeWatch.ts";
import { EventLog } from "../../../history/events/EventLog.ts";
import { countingSink } from "../../../history/ingest/countingSink.ts";
import { databaseSink } from "../../../history/ingest/databaseSink.ts";
import { Indexer } from "../../../history/ingest/Indexer.ts";
import type { IndexerStatus } from "../../../history/ingest/IndexStatus.ts";
import type { StartAt } from "../../../history/ingest/planSegments.ts";
import { AccountQueries } from "../../../history/ingest/source/AccountQueries.ts";
import { openSource } from "../../../history/ingest/source/BlockSource.ts";
import { followHeads } from "../../../history/ingest/source/followHeads.ts";
import type { MetadataRequest } from "../../../history/queries/kit/History.ts";
import { dropOldHistory } from "../../../history/retention/dropOldHistory.ts";
import type { Scope } from "../../../history/scope/Scope.ts";
import { sealHistory } from "../../../history/seal/sealHistory.ts";
import { DeferredDatabase } from "../../../history/store/engine/DeferredDatabase.ts";
import { destroyAfterStop } from "../../../history/store/engine/postgres/destroyAfterStop.ts";
import { findIndexedHead, type IndexedHead } from "../../../history/store/schema/indexedHead.ts";
import type { Clock } from "../../../lib/clock.ts";
import { LibError } from "../../../lib/errors.ts";
import { systemRandom } from "../../../lib/random.ts";
import { AppError } from "../../errors.ts";
import { describeLocation, indexLocation } from "../../networks/indexLocation.ts";
import { indexScope } from "../../networks/indexScope.ts";
import { networkKind } from "../../networks/shipped.ts";
import { Closers } from "../parts/Closers.ts";
import { shareCellMemory } from "../parts/cellMemory.ts";
import { describeIndex, describeSegment, findFailure, hasEnded } from "../parts/describeIndex.ts";
import type { NetworkModules, OpenNetwork } from "../parts/OpenNetwork.ts";
import { isNewLocation, openIndexDatabase } from "../parts/openIndexDatabase.ts";
import { openBackfill } from "./backfill/openBackfill.ts";
import { holderName } from "./backfill/runBackfill.ts";
import { registerIndexMetrics } from "./indexMetrics.ts";
import { startMetadata } from "./startMetadata.ts";
import { watchTables } from "./watchTables.ts";

/** The index of a network: its tables, and its writer unless they are only read here. */
export interface OpenIndex {
  readonly database: DeferredDatabase;
  /** The displayed place of the tables. */
  readonly place: () => string;
  readonly indexer: Pick<Indexer, "status"> | undefined;
  /** Changes of the tables, by any writer. */
  readonly events: EventLog;
  /** Failures of matchers in traces of this network. */
  readonly failures: ClassifyFailures;
  /** The newest block in the tables, when it was last read. */
  readonly head: () => IndexedHead | undefined;
  /** A number that changes with every change of the tables; always new when changes are not known here. */
  readonly epoch: () => number;
  readonly checks: readonly ReadinessCheck[];
  /** Requests documents of tokens; returns at once. */
  readonly wantMetadata: (wanted: readonly MetadataRequest[]) => void;
  /** Its state, in one line. */
  readonly describe: () => string;
  readonly watch: (metrics: Metrics) => void;
  close(): Promise<void>;
}

type WatchedIndexer = Pick<Indexer, "status" | "counters" | "hasGaps">;

/** Shorter delays than for remote servers: the database is our own. */
const backoff = { firstMs: 500, factor: 2, maxMs: 10_000 };
/**
 * How long the start waits for the check that a database belongs to this network; a new one needs no check. A database
 * server may be unreachable for hours; the built-in database opens or fails by itself.
 */
const patienceMs = { postgres: 3_000, embedded: 20_000 };
/** Of what seals partitions. */
const sessions = { readers: 1, writers: 1 };
const logEveryMs = 30_000;

/** Opens the index of a network and, unless it is only read, follows the chain. */
export async function openIndex(network: OpenNetwork, modules: NetworkModules): Promise<OpenIndex> {
  const { config, clock } = modules;
  const log = modules.log.child({ network: network.name });
  const location = indexLocation(config, network);
  const scope = indexScope(config, network);
  if (scope?.from !== undefined && config.from !== undefined)
    throw new AppError("app/config", 'both --from and the "from" of the scope set where the index begins; give one');
  const open = (signal: AbortSignal) =>
    openIndexDatabase(
      location,
      { kind: config.index ? "write" : "read", replica: config.replica, scope },
      network.zeroState.rootHash,
      { clock, log, signal },
      { reset: network.indexReset, findRootHash: network.findRootHash },
    );
  const database = new DeferredDatabase({ kind: location.kind, open }, { clock, random: systemRandom, log });
  await database.start(isNewLocation(location) ? 0 : patienceMs[location.kind]);
  const closers = new Closers();
  closers.add("database", () => database.close());
  const failures = new ClassifyFailures(log);
  const events = new EventLog({ database, clock, log, random: systemRandom });
  closers.add("events of the index", () => events.close());
  const watchChanges = startOnDemand(database, clock, events, closers);
  const written = config.index ? startIndexer(network, database, failures, { ...modules, events }, closers) : undefined;
  const { head: watching, scope: covered } = watchTables({ database, clock, indexer: written?.indexer }, closers);
  const metadata = startMetadata(network, database, modules, closers);
  const describe = () =>
    describeIndex({
      condition: database.condition(),
      waitsForWriter: database.waitsForWriter,
      status: written?.indexer.status(),
      head: watching(),
      scope: covered(),
      now: Math.round(clock.now() / 1_000),
    });
  if (written !== undefined) logProgress(written.indexer, modules, closers);
  return {
    ...{ database, describe, failures, events },
    place: () => describeLocation(location, database.schema),
    indexer: written?.indexer,
    head: watching,
    epoch: changesOf(database, written?.indexer, watchChanges),
    checks: checksOf(database, written?.indexer, { describe, covered }, modules),
    wantMetadata: metadata.want,
    watch: (metrics) => {
      registerIndexMetrics(metrics, { ...written, head: watching, networkHead: network.headSeqno, clock, failures });
      metadata.watch(metrics);
    },
    close: () => {
      const cancel = destroyAfterStop(database, clock, AbortSignal.abort());
      return closers.close().finally(cancel);
    },
  };
}

/** Starts the watch of changes with the first answer that may be cached: a process that only indexes needs none. */
function startOnDemand(database: DeferredDatabase, clock: Clock, events: EventLog, closers: Closers): () => void {
  let changes: ChangeWatch | undefined;
  let isClosed = database.kind !== "postgres";
  events.onChange(() => changes?.look());
  closers.add("watch of changes", async () => {
    isClosed = true;
    await changes?.close();
  });
  return () => {
    if (!isClosed) changes ??= new ChangeWatch({ database, clock });
  };
}

/** While gaps are filled, other sessions and processes write as well: then every number differs. */
function changesOf(
  database: DeferredDatabase,
  indexer: Pick<Indexer, "hasGaps"> | undefined,
  watchChanges: () => void,
): () => number {
  let others = 0;
  return () => {
    watchChanges();
    if (indexer?.hasGaps === true) others++;
    return database.changes + others;
  };
}

function startIndexer(
  network: OpenNetwork,
  database: DeferredDatabase,
  reporter: FailureReporter,
  modules: NetworkModules & { readonly events: EventLog },
  closers: Closers,
) {
  const { clock, executor, config, events } = modules;
  const log = modules.log.child({ network: network.name });
  const common = { clock, random: systemRandom };
  const stop = new AbortController();
  const heads = followHeads(network, clock, stop.signal);
  const source = openSource({ server: network.lite, heads, ...common });
  const sink = countingSink(
    databaseSink(database, () => events.advance()),
    clock,
  );
  const parts = {
    source,
    server: network.lite,
    queries: new AccountQueries(common),
    executor,
    database,
    sink,
    heads,
    log,
    reporter,
    arrived: network.arrived,
  };
  const from = chooseStart(config.from ?? (network.local === undefined ? "head" : "genesis"), network);
  const backfill = openBackfill(network, modules, () => events.advance());
  closers.add("backfill", () => backfill.close());
  const memoryBytes = shareCellMemory(config, network.local === undefined ? "remote" : "local").index;
  const options = { from, network: networkKind(network), backoff, backfillers: backfill.ofFollower, memoryBytes };
  const indexer = new Indexer({ ...common, ...parts }, { ...options, holder: holderName(0) });
  if (config.keep !== undefined)
    closers.add("removal of old history", dropOldHistory(database, config.keep, { clock, log }));
  const location = indexLocation(config, network);
  const isWriter = () => !database.waitsForWriter && ["catchingUp", "following"].includes(indexer.status().kind);
  if (location.kind !== "embedded") {
    const open = (signal: AbortSignal) =>
      openIndexDatabase(location, { kind: "read" }, network.zeroState.rootHash, { clock, log, signal }, { sessions });
    const sealing = { clock, log, name: holderName(0), isWriter, open, keptSeconds: config.keep };
    closers.add("sealing of partitions", sealHistory(sealing));
  }
  const running = indexer.run(stop.signal).catch((error: unknown) => {
    if (!stop.signal.aborted) log.error("indexing stopped", { error });
  });
  closers.add("indexer", async () => {
    stop.abort(new LibError("lib/aborted", "the index is closed"));
    await running;
  });
  return { indexer: withWorkers(indexer, () => backfill.status()), source, sink };
}

/** The indexer with the workers of a backfill among its own. */
function withWorkers(indexer: Indexer, others: () => IndexerStatus["workers"]): WatchedIndexer {
  return {
    status: () => {
      const own = indexer.status();
      return { ...own, workers: [...own.workers, ...others()] };
    },
    counters: () => indexer.counters(),
    get hasGaps() {
      return indexer.hasGaps;
    },
  };
}

function checksOf(
  database: DeferredDatabase,
  indexer: Pick<Indexer, "status"> | undefined,
  { describe, covered }: { readonly describe: () => string; readonly covered: () => Scope | undefined },
  { clock, config }: NetworkModules,
): readonly ReadinessCheck[] {
  return [
    {
      name: "database",
      check: async (signal) => {
        await database.query("select 1", [], { signal }).catch(hideAddresses);
        return `${database.kind} answers`;
      },
    },
    {
      name: "index",
      check: async (signal) => {
        const head = await findIndexedHead(database, { signal }).catch(hideAddresses);
        const text = describe();
        const isLate = head === undefined || clock.now() - head.utime * 1_000 > config.maxHeadAgeMs;
        const isOld = isLate && !hasEnded(covered(), head, Math.round(clock.now() / 1_000));
        // An index of another chain is not ready, however new its blocks are.
        const isForeign = indexer !== undefined && findFailure(indexer.status())?.code === "history/foreign";
        if (isOld || isForeign) throw new HistoryError("history/absent", text);
        return text;
      },
    },
  ];
}

/** Everybody may read readiness; where the database is stands in the log. */
function hideAddresses(cause: unknown): never {
  const text = cause instanceof Error ? cause.message : String(cause);
  throw new HistoryError("history/database", withoutAddresses(text), { cause });
}

/** While it is behind, prints a line from time to time; and one when it has caught up. */
function logProgress(indexer: Pick<Indexer, "status">, { clock, log }: NetworkModules, closers: Closers): void {
  const stop = new AbortController();
  const work = async (): Promise<void> => {
    let wasBehind = false;
    while (!stop.signal.aborted) {
      await clock.sleep(logEveryMs, stop.signal).catch(() => {});
      const { kind, workers, head, lastSeqno, lagSeconds } = indexer.status();
      if (stop.signal.aborted) return;
      if (kind === "catchingUp")
        log.info("indexing", { head, lastSeqno, lagSeconds, workers: workers.map(describeSegment) });
      else if (wasBehind && kind === "following") log.info("the index has caught up", { head, lastSeqno, lagSeconds });
      wasBehind = kind === "catchingUp" || (wasBehind && kind !== "following");
    }
  };
  const running = work();
  closers.add("progress of the index", async () => {
    stop.abort();
    await running;
  });
}

/** A fork is indexed from its first own block on: those before it are blocks of another network. */
function chooseStart(from: StartAt, { local }: OpenNetwork): StartAt {
  const base = local?.net.fork?.facts.master.seqno;
  if (base === undefined || from === "head") return from;
  return from === "genesis" ? base + 1 : Math.max(from, base + 1);
}
