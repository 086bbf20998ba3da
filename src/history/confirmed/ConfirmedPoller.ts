import type { Clock } from "../../lib/clock.ts";
import { runWithin } from "../../lib/deadline.ts";
import { isCoded, LibError } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import { judgeServerError } from "../../lite/pool/verdict.ts";
import { fetchBlock, type WholeBlock } from "../../lite/queries/blocks.ts";
import { fetchPendingShardBlocks } from "../../lite/queries/pendingBlocks.ts";
import type { LiteServer } from "../../lite/server/LiteServer.ts";
import { noNeed } from "../../lite/tl/need.ts";
import { type BlockIdExt, formatBlockId, masterchain } from "../../model/block/BlockId.ts";
import { prevBlockIds } from "../../model/block/BlockInfo.ts";

/** A lite server that may report signed shard blocks. */
export interface PolledServer {
  readonly name: string;
  readonly server: LiteServer;
}

export interface ConfirmedPollerModules {
  readonly servers: readonly PolledServer[];
  readonly clock: Clock;
  readonly log: Log;
  /** Whether what is before a block is known, so that a walk back ends there. */
  readonly isKnown: (id: BlockIdExt) => boolean;
  /** The bytes of all blocks of one walk back. */
  readonly maxBytes: number;
  /** A number that changes when more blocks are known. */
  readonly version: () => number;
  /** Takes new blocks, each after its predecessors. */
  readonly take: (blocks: readonly WholeBlock[]) => Promise<void>;
}

const times = {
  /** When a server that refused is asked again. */
  probeEveryMs: 600_000,
  /** When a server that did not answer is asked again: it may have another connection by then. */
  retryMs: 1_000,
  answerMs: 5_000,
};

const max = {
  /** Blocks taken from one answer: one of each shard and group of validators. */
  ids: 256,
  /** Blocks on the way back to a known one. */
  back: 64,
  /** Remembered ids that led to no known block. */
  dropped: 1_000,
};

/**
 * Asks every server for signed shard blocks, fetches those that are new and what is between them and known blocks, and
 * hands them on. A server that does not allow the query is asked again every ten minutes.
 */
export class ConfirmedPoller {
  readonly #everyMs: number;
  readonly #modules: ConfirmedPollerModules;
  readonly #closing = new AbortController();
  readonly #capable = new Set<string>();
  /** Ids whose walk reached no known block, with the version at that time. */
  readonly #dropped = new Map<string, number>();
  readonly #running: Promise<unknown>;
  /** One walk at a time: servers report the same blocks. */
  #turn: Promise<void> = Promise.resolve();

  constructor(everyMs: number, modules: ConfirmedPollerModules) {
    this.#everyMs = everyMs;
    this.#modules = modules;
    this.#running = Promise.all(modules.servers.map((each) => this.#follow(each)));
  }

  /** How many servers answer the query. */
  get capable(): number {
    return this.#capable.size;
  }

  async close(): Promise<void> {
    this.#closing.abort(new LibError("lib/aborted", "confirmed blocks are closed"));
    await this.#running;
  }

  async #follow(polled: PolledServer): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const pauseMs = await this.#poll(polled);
      // Ends with the signal.
      await this.#modules.clock.sleep(pauseMs, signal).catch(() => {});
    }
  }

  /** Returns when to ask again. */
  async #poll({ name, server }: PolledServer): Promise<number> {
    const { log } = this.#modules;
    try {
      const ids = await this.#ask((signal) => fetchPendingShardBlocks(server, { signal }));
      if (!this.#capable.has(name)) log.info("a lite server reports signed shard blocks", { server: name });
      this.#capable.add(name);
      const shardIds = ids.filter(({ workchain }) => workchain !== masterchain).slice(0, max.ids);
      for (const id of shardIds) await this.#inTurn(() => this.#fetchNew(server, id));
      return this.#everyMs;
    } catch (error) {
      this.#capable.delete(name);
      if (isRefusal(error)) return times.probeEveryMs;
      if (!this.#closing.signal.aborted) log.debug("signed shard blocks could not be read", { server: name, error });
      return Math.max(times.retryMs, this.#everyMs);
    }
  }

  #ask<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return runWithin(this.#modules.clock, times.answerMs, ({ signal }) => work(signal), this.#closing.signal);
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }

  async #fetchNew(server: LiteServer, id: BlockIdExt): Promise<void> {
    const { isKnown, version, take } = this.#modules;
    if (isKnown(id) || this.#dropped.get(id.rootHash) === version()) return;
    const at = version();
    const blocks = await this.#walkBack(server, id).catch((error: unknown) => this.#missed(id, error));
    if (blocks !== undefined) {
      await take(blocks);
      return;
    }
    this.#dropped.delete(id.rootHash);
    this.#dropped.set(id.rootHash, at);
    const [oldest] = this.#dropped.keys();
    if (oldest !== undefined && this.#dropped.size > max.dropped) this.#dropped.delete(oldest);
  }

  /** A block may be gone between two queries: committed in the meantime, or replaced. */
  #missed(id: BlockIdExt, error: unknown): undefined {
    if (this.#closing.signal.aborted || !isCoded(error)) throw error;
    this.#modules.log.debug("a signed shard block could not be read", { block: formatBlockId(id), error });
    return undefined;
  }

  /** The block and those between it and known ones, oldest first; `undefined` when that are too many. */
  async #walkBack(server: LiteServer, id: BlockIdExt): Promise<readonly WholeBlock[] | undefined> {
    const blocks = new Map<string, WholeBlock>();
    const ids = [id];
    let bytes = 0;
    for (let at = ids.pop(); at !== undefined; at = ids.pop()) {
      const wanted = at;
      if (blocks.has(wanted.rootHash) || this.#modules.isKnown(wanted)) continue;
      if (blocks.size === max.back) return undefined;
      const block = await this.#ask((signal) => fetchBlock(server, wanted, { signal }));
      bytes += block.bytes.length;
      if (bytes > this.#modules.maxBytes) return undefined;
      blocks.set(wanted.rootHash, block);
      ids.push(...prevBlockIds(block.info));
    }
    return [...blocks.values()].sort((a, b) => a.id.seqno - b.id.seqno);
  }
}

/** Whether a server does not answer this query; one that is busy may. */
function isRefusal(error: unknown): boolean {
  if (!isCoded(error, "lite/server")) return false;
  const { serverCode, serverMessage } = error.data;
  return judgeServerError(Number(serverCode), String(serverMessage), noNeed) !== "busy";
}
