import { onAbort } from "../../lib/abort.ts";
import type { Random } from "../../lib/random.ts";
import type { Address } from "../../model/Address.ts";
import type { ArrivedAccounts } from "../ingest/states/ArrivedAccounts.ts";
import { listZeroAccounts } from "../ingest/states/zeroAccounts.ts";
import { AccountScope } from "../scope/AccountScope.ts";
import { limitsAccounts, type Scope } from "../scope/Scope.ts";
import { findScope } from "../scope/storedScope.ts";
import type { Database } from "../store/Database.ts";
import { listSegments, type Segment } from "../store/schema/checkpoint.ts";
import { beginsFact, findFact } from "../store/schema/indexFacts.ts";
import { isMissing, listMissing } from "../store/schema/missingParts.ts";
import { limitBlock } from "./limitBlock.ts";
import { type ChainModules, ProvedChain } from "./ProvedChain.ts";
import { chooseSome, compareArrived, compareBlock, compareEvents, compareHead, compareStates } from "./verifyBlock.ts";
import { compareElections, compareStakeEvents } from "./verifyElections.ts";
import { chooseAccounts } from "./verifyEntities.ts";
import { comparePoolEvents } from "./verifyPools.ts";
import type { Compared, Difference } from "./verifyRows.ts";
import { chooseTraces, compareTrace } from "./verifyTraces.ts";

export interface VerifyReport {
  readonly blocks: readonly number[];
  /** Accounts whose last state was derived again. */
  readonly accounts: number;
  readonly traces: number;
  readonly rows: number;
  /** Traces that were not compared because they span too many blocks. */
  readonly leftOut: number;
  readonly differences: readonly Difference[];
}

export interface VerifyModules extends ChainModules {
  readonly database: Pick<Database, "query" | "read">;
  readonly random: Random;
  /** Accounts that the chain has from another one. */
  readonly arrived?: ArrivedAccounts | undefined;
}

export interface VerifyOptions {
  /** Masterchain blocks, and rows of each kind of entity. */
  readonly count: number;
  /** The segments of an index that does not record them yet; blocks at their ends are always compared. */
  readonly segments?: readonly Segment[];
  /** Accounts and traces of each block that are compared; 50 and 20 by default. */
  readonly accountsPerBlock?: number;
  readonly tracesPerBlock?: number;
  /** What the index covers; as the tables say by default. */
  readonly scope?: Scope | undefined;
}

/**
 * Reads a sample of the chain again with proofs: masterchain blocks with everything derived from them (traces, actions,
 * token events, states), and accounts of every kind with their entities. Compares it with the tables.
 */
export async function verifySample(
  modules: VerifyModules,
  options: VerifyOptions,
  signal: AbortSignal,
): Promise<VerifyReport> {
  const { database, random } = modules;
  const segments = options.segments ?? (await listStoredSegments(database));
  const found = options.scope ?? (await findScope(database));
  const scope = found && limitsAccounts(found) ? found : undefined;
  const named = scope && new AccountScope(scope);
  const ends = options.segments?.flatMap(({ firstSeqno, nextSeqno }) => [firstSeqno, nextSeqno - 1]) ?? [];
  const blocks = [...new Set([...ends, ...chooseBlocks(segments, options.count, random)])].sort((a, b) => a - b);
  const own = new AbortController();
  const stopListening = onAbort(signal, (reason) => own.abort(reason));
  const report = new Report();
  try {
    const headSeqno = segments.reduce((head, { nextSeqno }) => Math.max(head, nextSeqno - 1), 0);
    const chain = new ProvedChain(modules, headSeqno, own.signal);
    const missing = await listMissing(database, "validators");
    for (const mcSeqno of blocks) {
      await verifyBlock(modules, chain, report, mcSeqno, { ...options, scope, missing });
      if (isMissing(missing, mcSeqno)) continue;
      const isStart = mcSeqno === segments[0]?.firstSeqno || missing.some(({ nextSeqno }) => nextSeqno === mcSeqno);
      report.add(await compareElections(database, chain, { mcSeqno, isStart }));
    }
    for (const { address, mcSeqno } of await chooseAccounts(database, options.count, random)) {
      if (mcSeqno === undefined) {
        await verifyArrived({ ...modules, signal: own.signal }, chain, report, {
          address,
          firstSeqno: segments[0]?.firstSeqno ?? 0,
        });
        continue;
      }
      report.accounts++;
      report.add(await compareStates(database, chain, mcSeqno, new Set([address])));
      // What happened to others outside the scope is not in the tables.
      if (named?.names(address) !== false) report.add(await compareHead(database, chain, address));
    }
  } finally {
    stopListening();
  }
  return report.finish(blocks);
}

interface BlockOptions extends VerifyOptions {
  /** Blocks without rows of stakes and elections. */
  readonly missing: readonly Segment[];
}

/** Compares a block, its events, and a sample of its changed accounts and traces. */
async function verifyBlock(
  modules: VerifyModules,
  chain: ProvedChain,
  report: Report,
  mcSeqno: number,
  { accountsPerBlock = 50, tracesPerBlock = 20, scope, missing }: BlockOptions,
): Promise<void> {
  const { database, random } = modules;
  const whole = await chain.getBlock(mcSeqno);
  const limited = scope && (await limitBlock(database, chain, whole, scope));
  const decoded = limited?.decoded ?? whole;
  report.add(await compareBlock(database, decoded));
  report.add(await compareEvents(database, chain, decoded, modules));
  report.add(await comparePoolEvents(database, chain, decoded));
  if (!isMissing(missing, mcSeqno)) report.add(await compareStakeEvents(database, decoded));
  const there = [...decoded.changed, ...listZeroAccounts(decoded.batch)];
  const addresses = [...new Set(there.map(({ address }) => address))].filter(
    (address) => limited?.accounts.has(address) !== false,
  );
  const some = new Set(chooseSome(addresses, accountsPerBlock, random));
  report.accounts += some.size;
  report.add(await compareStates(database, chain, mcSeqno, some));
  for (const traceId of chooseSome(await chooseTraces(database, mcSeqno), tracesPerBlock, random)) {
    if (report.hasTrace(traceId)) continue;
    const { isLeftOut, ...compared } = await compareTrace(database, chain, { traceId, mcSeqno }, modules);
    report.add(compared);
    if (isLeftOut) report.leftOut++;
  }
}

/** Compares an account without a transaction in the tables, if the chain has it from another one. */
async function verifyArrived(
  { database, arrived, signal }: VerifyModules & { readonly signal: AbortSignal },
  chain: ProvedChain,
  report: Report,
  { address, firstSeqno }: { readonly address: Address; readonly firstSeqno: number },
): Promise<void> {
  if (arrived === undefined) return;
  report.accounts++;
  const account = await arrived.find(address, signal);
  if (account !== undefined) report.add(await compareArrived(database, chain, account, firstSeqno));
  // The chain has changed it: a transaction of a block in the tables gives its rows.
  else report.add(await compareHead(database, chain, address));
}

class Report {
  accounts = 0;
  leftOut = 0;
  #rows = 0;
  readonly #traces = new Set<string>();
  readonly #differences = new Map<string, Difference>();

  /** A difference that is found twice, by a block and by an account, is reported once. */
  add({ rows, differences }: Compared): void {
    this.#rows += rows;
    for (const difference of differences) {
      const { kind, table, key } = difference;
      this.#differences.set(`${kind} ${table} ${key}`, difference);
    }
  }

  /** Returns whether a trace was compared before, and remembers it. */
  hasTrace(traceId: string): boolean {
    const had = this.#traces.has(traceId);
    this.#traces.add(traceId);
    return had;
  }

  finish(blocks: readonly number[]): VerifyReport {
    const { accounts, leftOut } = this;
    const differences = [...this.#differences.values()];
    return { blocks, accounts, traces: this.#traces.size, rows: this.#rows, leftOut, differences };
  }
}

/** The segments without what was removed because it is old. */
async function listStoredSegments(database: Pick<Database, "query">): Promise<readonly Segment[]> {
  const begins = Number((await findFact(database, beginsFact)) ?? 0);
  const all = await listSegments(database);
  const kept = all.map((segment) => ({ ...segment, firstSeqno: Math.max(segment.firstSeqno, begins) }));
  return kept.filter(({ firstSeqno, nextSeqno }) => firstSeqno < nextSeqno);
}

function chooseBlocks(segments: readonly Segment[], count: number, random: Random): readonly number[] {
  const total = segments.reduce((sum, { firstSeqno, nextSeqno }) => sum + nextSeqno - firstSeqno, 0);
  if (total <= count) {
    return segments.flatMap(({ firstSeqno, nextSeqno }) =>
      Array.from({ length: nextSeqno - firstSeqno }, (_, index) => firstSeqno + index),
    );
  }
  const chosen = new Set<number>();
  while (chosen.size < count) {
    let at = random.int(total);
    for (const { firstSeqno, nextSeqno } of segments) {
      if (at >= 0 && at < nextSeqno - firstSeqno) chosen.add(firstSeqno + at);
      at -= nextSeqno - firstSeqno;
    }
  }
  return [...chosen];
}
