import type { DecodedBatch } from "../../../src/history/ingest/decode/DecodedBatch.ts";
import { decodeBatch } from "../../../src/history/ingest/decode/decodeBatch.ts";
import { AccountQueries } from "../../../src/history/ingest/source/AccountQueries.ts";
import type { BlockBatch } from "../../../src/history/ingest/source/BlockBatch.ts";
import { type BlockSource, openSource, type SourceOptions } from "../../../src/history/ingest/source/BlockSource.ts";
import type { Heads } from "../../../src/history/ingest/source/followHeads.ts";
import {
  type AccountCounters,
  AccountReader,
  type ReadAccounts,
  type StateLookups,
} from "../../../src/history/ingest/states/AccountReader.ts";
import { StateMemory, type StateMemoryOptions } from "../../../src/history/ingest/states/StateMemory.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import type { LiteServer } from "../../../src/lite/server/LiteServer.ts";
import type { Ledger } from "../../../src/localnet/ledger/Ledger.ts";
import { LocalLiteServer } from "../../../src/localnet/network/LocalLiteServer.ts";

export const noEnd = new AbortController().signal;

/** Fails at the first error without a retry, so that the test sees the error. */
export const once: SourceOptions = { attempts: 1 };

const modules = { clock: systemClock, random: seededRandom("ingest") };

/** The heads of a trusted ledger. */
export function ledgerHeads(ledger: Ledger): Heads {
  return {
    reach: async (seqno, signal) => {
      await ledger.reach(seqno, signal);
      return ledger.headId;
    },
  };
}

export function openLedgerSource(
  ledger: Ledger,
  options: SourceOptions = once,
  server: LiteServer = new LocalLiteServer({ ledger }),
): BlockSource {
  return openSource({ server, heads: ledgerHeads(ledger), ...modules }, options);
}

/** The lookups of an empty database. */
export const noLookups: StateLookups = {
  findStates: async () => new Map(),
  findCodes: async () => new Map(),
};

export interface ReaderParts {
  readonly lookups?: StateLookups;
  readonly memory?: StateMemoryOptions;
  readonly dataDepth?: number;
}

export function openReader(
  server: LiteServer,
  { lookups = noLookups, memory, dataDepth }: ReaderParts = {},
): AccountReader {
  const parts = { server, lookups, queries: new AccountQueries(modules, once), memory: new StateMemory(memory) };
  return new AccountReader(parts, dataDepth === undefined ? {} : { dataDepth });
}

/** The intermediate results of one batch. */
export interface Ingested {
  readonly batch: BlockBatch;
  readonly decoded: DecodedBatch;
  readonly read: ReadAccounts;
}

/** Ingests a whole chain, from its first block to its head. */
export async function ingestAll(
  ledger: Ledger,
  parts: ReaderParts = {},
): Promise<{ readonly steps: readonly Ingested[]; readonly counters: AccountCounters }> {
  const server = new LocalLiteServer({ ledger });
  const reader = openReader(server, parts);
  const steps: Ingested[] = [];
  const source = openLedgerSource(ledger, once, server);
  for await (const batch of source.batches({ from: 1, to: ledger.headId.seqno }, noEnd)) {
    const decoded = decodeBatch(batch);
    steps.push({ batch, decoded, read: await reader.read(decoded, noEnd) });
  }
  return { steps, counters: reader.counters() };
}

export async function listBatches(batches: AsyncIterable<BlockBatch>): Promise<BlockBatch[]> {
  const list: BlockBatch[] = [];
  for await (const batch of batches) list.push(batch);
  return list;
}
