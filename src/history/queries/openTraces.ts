import type { Facts } from "../../contracts/engine/Facts.ts";
import type { Hash } from "../../model/Hash.ts";
import type { Trace } from "../../model/Trace.ts";
import { completeTraces, loadTraces } from "../ingest/traces/storedTraces.ts";
import { makeActionRows } from "../meaning/actionRows.ts";
import { gatherFacts } from "../meaning/gatherFacts.ts";
import { KnownEntities, loadMarketplaceNames } from "../meaning/KnownEntities.ts";
import type { SqlSession } from "../store/Database.ts";
import type { ActionRow } from "./actions.ts";
import type { HistorySnapshot } from "./kit/History.ts";

/** A session over a snapshot, for code that runs its own SQL. */
export function sessionOf(reading: HistorySnapshot): Pick<SqlSession, "query"> {
  return { query: (text, params = []) => reading.query({ text, params }) };
}

/** Facts about the accounts of traces. */
async function loadFacts(reading: HistorySnapshot, traces: readonly Trace[]): Promise<Facts> {
  const session = sessionOf(reading);
  const network = reading.options.isTestnet ? "testnet" : "mainnet";
  const known = new KnownEntities(network, await loadMarketplaceNames(session));
  await gatherFacts(session, traces, known, reading.reporter);
  return known.facts;
}

/** Incomplete traces as far as they are indexed, by id. */
export async function readOpen(reading: HistorySnapshot, ids: readonly Hash[]): Promise<ReadonlyMap<Hash, Trace>> {
  if (ids.length === 0) return new Map();
  const session = sessionOf(reading);
  const traces = await completeTraces(session, await loadTraces(session, ids));
  return new Map(traces.map((trace) => [trace.id, trace]));
}

/**
 * Actions of traces that are not, or not completely, indexed, by id; `refine` adds facts that the index cannot have.
 */
export async function classifyOpen(
  reading: HistorySnapshot,
  traces: readonly Trace[],
  refine: (facts: Facts, trace: Trace) => Facts = (facts) => facts,
): Promise<ReadonlyMap<Hash, readonly ActionRow[]>> {
  if (traces.length === 0) return new Map();
  const facts = await loadFacts(reading, traces);
  return new Map(
    traces.map((trace) => [trace.id, makeActionRows(trace, refine(facts, trace), reading.reporter).actions]),
  );
}
