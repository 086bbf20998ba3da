import type { Clock } from "../../../lib/clock.ts";
import type { Random } from "../../../lib/random.ts";
import { LiteError } from "../../../lite/errors.ts";
import { fetchBlock, fetchChainBlock, fetchZeroState, type WholeBlock } from "../../../lite/queries/blocks.ts";
import { fetchConfigParams } from "../../../lite/queries/config.ts";
import { lookUpProven } from "../../../lite/queries/lookup.ts";
import type { LiteServer } from "../../../lite/server/LiteServer.ts";
import { type BlockIdExt, formatBlockId, masterchain, sameBlock, wholeShard } from "../../../model/block/BlockId.ts";
import { prevBlockIds } from "../../../model/block/BlockInfo.ts";
import { type Config, findConfigParam } from "../../../model/config/ConfigParams.ts";
import { HistoryError } from "../../errors.ts";
import { AccountQueries, type AccountQueryOptions } from "./AccountQueries.ts";
import { type BlockBatch, type FetchedBlock, weighBlocks } from "./BlockBatch.ts";
import type { Heads } from "./followHeads.ts";
import { readAhead } from "./readAhead.ts";
import { fetchShardBlocks, listZeroStates, shardTops } from "./shardBlocks.ts";

export interface SourceModules {
  readonly server: LiteServer;
  readonly heads: Heads;
  readonly clock: Clock;
  readonly random: Random;
}

export interface SourceOptions extends AccountQueryOptions {
  /** How many masterchain blocks, with their shard blocks, are fetched ahead; 24 by default. */
  readonly ahead?: number;
  /** Memory limit for blocks fetched ahead; 32 MB by default. */
  readonly aheadBytes?: number;
}

/** The wanted masterchain blocks; without an end the head is followed. */
export interface SeqnoRange {
  /** At least 1: the zero state is not a block. */
  readonly from: number;
  readonly to?: number;
}

export interface SourceCounters {
  readonly blocks: number;
  readonly bytes: number;
  readonly lookups: number;
  /** Queries that were retried. */
  readonly repeated: number;
}

/**
 * Masterchain blocks in order, each with the shard blocks it newly commits. Every block is proved: a masterchain block
 * by the newest one, which the heads prove; a shard block by the masterchain block that commits it. Several ranges may
 * be read at the same time.
 */
export interface BlockSource {
  /** Throws when a query fails for good; the caller may start again where it stopped. */
  batches(range: SeqnoRange, signal: AbortSignal): AsyncGenerator<BlockBatch, void, void>;
  counters(): SourceCounters;
}

/** Opens a source over any lite server. */
export function openSource(modules: SourceModules, options: SourceOptions = {}): BlockSource {
  const { ahead = 24, aheadBytes = 32 << 20 } = options;
  const fetcher = new Fetcher(modules, options);
  return {
    batches: (range, signal) => readBatches(fetcher, range, { max: ahead, maxBytes: aheadBytes }, signal),
    counters: () => fetcher.counters(),
  };
}

type ConfigFacts = Pick<BlockBatch, "globalVersion" | "elector">;

/** A batch without what follows from the previous batch unless the configuration changed. */
type Unversioned = Omit<BlockBatch, keyof ConfigFacts>;

async function* readBatches(
  fetcher: Fetcher,
  { from, to }: SeqnoRange,
  bounds: { readonly max: number; readonly maxBytes: number },
  signal: AbortSignal,
): AsyncGenerator<BlockBatch, void, void> {
  if (!Number.isSafeInteger(from) || from < 1)
    throw new HistoryError("history/request", `masterchain block ${from} does not exist`);
  const reading = new Reading(fetcher, to);
  let facts: ConfigFacts | undefined;
  const ahead = readAhead((seqno, own) => reading.batch(seqno, own), {
    ...{ first: from, last: to, sizeOf: weighBlocks, signal },
    ...bounds,
  });
  for await (const batch of ahead) {
    if (batch.keyConfig !== undefined) facts = factsOf(batch.keyConfig);
    facts ??= factsOf(await fetcher.config(batch.master.id, signal));
    yield withFacts(batch, facts);
  }
}

/** Every property is named: a spread behind others adds each of its properties by itself. */
function withFacts(
  { mcSeqno, master, shardBlocks, tops, zeroStates = [], keyConfig }: Unversioned,
  { globalVersion, elector }: ConfigFacts,
): BlockBatch {
  return { mcSeqno, master, shardBlocks, tops, zeroStates, globalVersion, elector, keyConfig };
}

function factsOf(config: Config): ConfigFacts {
  return { globalVersion: findConfigParam(config, 8)?.version ?? 0, elector: findConfigParam(config, 1) };
}

/** Masterchain blocks of which one is looked up: a lookup with its proof costs as much as a block. */
const groupSize = 4;

/**
 * One range in progress: masterchain blocks are needed twice, the second time for the shard tops before the next one.
 */
class Reading {
  readonly #fetcher: Fetcher;
  readonly #masters = new Map<number, Promise<WholeBlock>>();
  /** The shard tops of recent masterchain blocks, by seqno. */
  readonly #tops = new Map<number, readonly BlockIdExt[]>();
  readonly #last: number | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(fetcher: Fetcher, last: number | undefined) {
    this.#fetcher = fetcher;
    this.#last = last;
  }

  async batch(seqno: number, signal: AbortSignal): Promise<Unversioned> {
    const before = this.#masters.get(seqno - 1);
    const master = await this.#master(seqno, signal);
    const [prev] = prevBlockIds(master.info);
    if (prev === undefined) throw new HistoryError("history/mismatch", `no block before ${formatBlockId(master.id)}`);
    const tops = this.#topsAt(master);
    const topsBefore = prev.seqno === 0 ? [] : await this.#topsOf(prev, before, signal);
    const shardBlocks = await fetchShardBlocks(tops, topsBefore, (id) => this.#fetcher.block(id, signal));
    const prevs = shardBlocks.flatMap(({ info }) => prevBlockIds(info));
    const zeroStates = prev.seqno === 0 ? await this.#fetcher.zeroStates([prev, ...tops, ...prevs], signal) : [];
    this.#masters.delete(seqno - 1);
    this.#tops.delete(seqno - 1);
    const keyConfig = master.info.keyBlock ? master.block.extra.load().custom?.load().config : undefined;
    return {
      mcSeqno: seqno,
      master: withoutBytes(master),
      shardBlocks: shardBlocks.map(withoutBytes),
      tops,
      zeroStates,
      keyConfig,
    };
  }

  /** A masterchain block, which may be fetched already for the one before it. */
  #master(seqno: number, signal: AbortSignal): Promise<WholeBlock> {
    const known = this.#masters.get(seqno);
    if (known !== undefined) return known;
    const fetched = this.#head(seqno, signal).then((head) => this.#fetchMaster(seqno, head, signal));
    this.#masters.set(seqno, fetched);
    // The reader of this block gets the failure.
    fetched.catch(() => {});
    return fetched;
  }

  /** A block names the one before it: only the last block of a group is looked up, the others need no proof. */
  async #fetchMaster(seqno: number, head: BlockIdExt, signal: AbortSignal): Promise<WholeBlock> {
    const isLast = seqno % groupSize === 0 || seqno === head.seqno || seqno === this.#last;
    if (isLast) return this.#fetcher.master(seqno, head, signal);
    const [own] = prevBlockIds((await this.#master(seqno + 1, signal)).info);
    if (own === undefined) throw new HistoryError("history/mismatch", `no block before masterchain block ${seqno + 1}`);
    return this.#fetcher.block(own, signal);
  }

  /** In sequence: at the end of the chain only the first block ahead waits for the next head. */
  #head(seqno: number, signal: AbortSignal): Promise<BlockIdExt> {
    const head = this.#turn.then(() => this.#fetcher.head(seqno, signal));
    this.#turn = head.catch(() => {});
    return head;
  }

  async #topsOf(
    prev: BlockIdExt,
    fetched: Promise<WholeBlock> | undefined,
    signal: AbortSignal,
  ): Promise<readonly BlockIdExt[]> {
    const before = fetched === undefined ? await this.#fetcher.block(prev, signal) : await fetched;
    if (!sameBlock(before.id, prev))
      throw new HistoryError("history/mismatch", `${formatBlockId(before.id)} is not the block its successor names`);
    return this.#topsAt(before);
  }

  /** Each block is asked twice, for itself and for the one after it. */
  #topsAt({ id, block }: WholeBlock): readonly BlockIdExt[] {
    const known = this.#tops.get(id.seqno);
    if (known !== undefined) return known;
    const tops = shardTops(block);
    this.#tops.set(id.seqno, tops);
    return tops;
  }
}

function withoutBytes({ id, root, block, info }: WholeBlock): FetchedBlock {
  return { id, root, read: { block, info } };
}

/** The queries of a source. */
class Fetcher {
  readonly #modules: SourceModules;
  readonly #queries: AccountQueries;
  /** For data that some servers really lack: a slow server must not be taken for one of them. */
  readonly #patient: AccountQueries;
  #blocks = 0;
  #bytes = 0;
  #lookups = 0;

  constructor(modules: SourceModules, options: AccountQueryOptions) {
    this.#modules = modules;
    this.#queries = new AccountQueries(modules, options);
    this.#patient = new AccountQueries(modules, { ...options, attempts: 6 });
  }

  head(seqno: number, signal: AbortSignal): Promise<BlockIdExt> {
    return this.#modules.heads.reach(seqno, signal);
  }

  /** A masterchain block proved by the head. */
  async master(seqno: number, head: BlockIdExt, signal: AbortSignal): Promise<WholeBlock> {
    const { server } = this.#modules;
    if (head.seqno === seqno)
      return this.#count(await this.#queries.run((own) => fetchBlock(server, head, { signal: own }), signal));
    this.#lookups++;
    const lookup = { workchain: masterchain, shard: wholeShard, by: "seqno", seqno } as const;
    const { id } = await this.#queries.run((own) => lookUpProven(server, head, lookup, { signal: own }), signal);
    return this.block(id, signal);
  }

  /** A block that another one, or its state, names. */
  async block(id: BlockIdExt, signal: AbortSignal): Promise<WholeBlock> {
    const { server } = this.#modules;
    return this.#count(await this.#queries.run((own) => fetchChainBlock(server, id, { signal: own }), signal));
  }

  #count(block: WholeBlock): WholeBlock {
    this.#blocks++;
    this.#bytes += block.bytes.length;
    return block;
  }

  /** The zero states among these ids; one that no server has is left out, because nodes can work without it. */
  async zeroStates(ids: readonly BlockIdExt[], signal: AbortSignal): Promise<FetchedBlock[]> {
    const fetchedBlocks = await Promise.all(listZeroStates(ids).map((id) => this.#findZeroState(id, signal)));
    return fetchedBlocks.filter((state) => state !== undefined);
  }

  async #findZeroState(id: BlockIdExt, signal: AbortSignal): Promise<FetchedBlock | undefined> {
    const { server } = this.#modules;
    try {
      return { id, root: await this.#patient.run((own) => fetchZeroState(server, id, { signal: own }), signal) };
    } catch (error) {
      if (error instanceof LiteError && error.code === "lite/server") return undefined;
      throw error;
    }
  }

  async config(block: BlockIdExt, signal: AbortSignal): Promise<Config> {
    const { server } = this.#modules;
    return (await this.#queries.run((own) => fetchConfigParams(server, block, [1, 8], { signal: own }), signal)).config;
  }

  counters(): SourceCounters {
    return {
      blocks: this.#blocks,
      bytes: this.#bytes,
      lookups: this.#lookups,
      repeated: this.#queries.repeated + this.#patient.repeated,
    };
  }
}
