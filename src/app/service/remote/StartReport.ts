import type { Clock } from "../../../lib/clock.ts";
import { isCoded } from "../../../lib/errors.ts";
import type { PoolServer } from "../../../lite/pool/PoolMember.ts";
import type { TrustedHead } from "../../../lite/queries/TrustedChain.ts";
import type { LiteServer } from "../../../lite/server/LiteServer.ts";
import type { BlockIdExt } from "../../../model/block/BlockId.ts";
import type { TrustStart } from "./TrustedBlockFile.ts";

export interface StartReportOptions {
  readonly name: string;
  readonly servers: readonly PoolServer[];
  readonly start: TrustStart;
}

export interface StartReportModules {
  readonly clock: Clock;
  readonly write: (text: string) => void;
}

/** Whether any lite server answers, as far as it is known. */
export type Reach = "unknown" | "some" | "none";

const progressEveryMs = 2_000;

/**
 * Prints how a network starts: the progress of the first proof, servers whose head is not proved, and that it is ready
 * or cannot be reached. `tongate doctor` reports each server.
 */
export class StartReport {
  readonly #options: StartReportOptions;
  readonly #modules: StartReportModules;
  readonly #reached = new Set<LiteServer>();
  readonly #failed = new Set<LiteServer>();
  readonly #names: ReadonlyMap<LiteServer, string>;
  #progressAtMs = Number.NEGATIVE_INFINITY;
  #isReady = false;
  /** Ends when a server is reached, or none is. */
  readonly begun: Promise<void>;
  #begin = (): void => {};

  constructor(options: StartReportOptions, modules: StartReportModules) {
    this.#options = options;
    this.begun = new Promise((resolve) => {
      this.#begin = resolve;
    });
    this.#modules = modules;
    this.#names = new Map(options.servers.map(({ server, name }) => [server, name]));
  }

  /** A server has answered; its head is not proved yet. */
  reached(server: LiteServer): void {
    this.#reached.add(server);
    this.#begin();
  }

  get reach(): Reach {
    if (this.#reached.size > 0) return "some";
    return this.#failed.size < this.#options.servers.length ? "unknown" : "none";
  }

  /** Passes the work through, and prints its first outcome. */
  async watch(server: LiteServer, work: Promise<TrustedHead>): Promise<TrustedHead> {
    try {
      const head = await work;
      this.reached(server);
      this.#ready(head);
      return head;
    } catch (error) {
      this.#fail(server, error);
      throw error;
    }
  }

  progress(at: BlockIdExt, target: BlockIdExt): void {
    const { clock, write } = this.#modules;
    const { name, start } = this.#options;
    if (this.#isReady || clock.monotonic() - this.#progressAtMs < progressEveryMs) return;
    this.#progressAtMs = clock.monotonic();
    const done = (at.seqno - start.block.seqno) / Math.max(target.seqno - start.block.seqno, 1);
    write(`${name}: proved up to block ${at.seqno} of ${target.seqno}, ${Math.floor(done * 100)} %\n`);
  }

  /** Printed once; later changes are logged. A slow proof is not a failure. */
  #fail(server: LiteServer, error: unknown): void {
    const isReached = this.#reached.has(server);
    const isWaiting = isReached && isCoded(error, "lib/deadline");
    const isOld = isReached && this.#isReady;
    if (isOld || this.#failed.has(server) || isWaiting || isCoded(error, "lite/closed")) return;
    this.#failed.add(server);
    const { name, servers } = this.#options;
    const { write } = this.#modules;
    if (isReached) {
      const message = error instanceof Error ? error.message : String(error);
      write(`${name}: lite server ${this.#names.get(server)} does not prove its head: ${message}\n`);
    } else if (this.reach === "none") {
      this.#begin();
      write(`${name}: 0 of ${servers.length} lite servers reached; requests fail until one answers\n`);
    }
  }

  #ready({ block, genUtime }: TrustedHead): void {
    if (this.#isReady) return;
    this.#isReady = true;
    const { clock, write } = this.#modules;
    const age = Math.max(Math.floor(clock.now() / 1_000) - genUtime, 0);
    const servers = `${this.#reached.size} of ${this.#options.servers.length} lite servers reached`;
    write(`${this.#options.name}: ready with masterchain block ${block.seqno}, ${age} s old; ${servers}\n`);
  }
}
