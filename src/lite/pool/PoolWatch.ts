import { isCoded } from "../../lib/errors.ts";
import { WaitQueue } from "../../lib/WaitQueue.ts";
import { LiteError } from "../errors.ts";
import { noNeed } from "../tl/need.ts";
import type { PoolQuery } from "./attempt.ts";
import { type ChooseInput, choose, isUsable } from "./choose.ts";
import { HeadPoller } from "./HeadPoller.ts";
import { HeadTracker } from "./HeadTracker.ts";
import {
  noteBusy,
  noteFailure,
  noteHead,
  noteProofError,
  quarantine,
  type ServerCondition,
  type ServerHead,
} from "./health.ts";
import { PoolMember, type PoolServer } from "./PoolMember.ts";
import type { PoolModules } from "./PoolModules.ts";
import { type ServerStatus, serverStatus } from "./status.ts";
import { judgeServerError } from "./verdict.ts";
import { watchHistory } from "./watchHistory.ts";

export type ServerAccess = "public" | "private";

export interface PoolWatchOptions {
  readonly maxInFlight: number;
  readonly maxWaiting: number;
  readonly pollMs: number;
  readonly headTimeoutMs: number;
  readonly behindMs: number;
  readonly historyEveryMs: number;
}

/**
 * Tracks the health of all servers of a pool: polls their heads, and from time to time determines their oldest block.
 */
export class PoolWatch {
  readonly members: readonly PoolMember[];
  /** Notifies when a server is in use again and when the newest head changes. */
  readonly changed = new WaitQueue();
  readonly #modules: PoolModules;
  readonly #options: PoolWatchOptions;
  readonly #pollers: ReadonlyMap<PoolMember, HeadPoller>;
  /** One per server, because many listeners on one signal cause a warning. */
  readonly #histories: ReadonlyMap<PoolMember, AbortController>;
  /** Private servers may be ahead of all public ones, and public callers cannot use their head. */
  readonly #trackers: Readonly<Record<ServerAccess, HeadTracker>> = {
    public: new HeadTracker(),
    private: new HeadTracker(),
  };

  constructor(servers: readonly PoolServer[], modules: PoolModules, options: PoolWatchOptions) {
    this.#modules = modules;
    this.#options = options;
    const onCondition = (member: PoolMember, before: ServerCondition) => this.#standingChanged(member, before);
    this.members = servers.map((server) => new PoolMember(server, { ...options, onCondition }));
    this.#histories = new Map(this.members.map((member) => [member, new AbortController()]));
    const onHead = (member: PoolMember, head: ServerHead, ms: number) => this.#headReported(member, head, ms);
    const onFailure = (member: PoolMember, error: unknown) => this.#headFailed(member, error);
    const polled = { ...options, onHead, onFailure };
    this.#pollers = new Map(this.members.map((member) => [member, new HeadPoller(member, modules, polled)]));
  }

  start(): void {
    for (const poller of this.#pollers.values()) poller.start();
    for (const [member, { signal }] of this.#histories)
      void watchHistory(member, this.#modules, this.#options.historyEveryMs, signal);
  }

  stop(reason: LiteError): void {
    for (const history of this.#histories.values()) history.abort(reason);
    for (const poller of this.#pollers.values()) poller.stop(reason);
    this.#trackers.public.end(reason);
    this.#trackers.private.end(reason);
    this.changed.admitAll();
  }

  heads(access: ServerAccess): HeadTracker {
    return this.#trackers[access];
  }

  /** The members that callers with this access may use, whether they work or not. */
  allowed(access: ServerAccess): readonly PoolMember[] {
    return this.members.filter((member) => member.access === "public" || access === "private");
  }

  /** The members to ask, best first. */
  choose({ need, access }: Pick<PoolQuery, "need" | "access">, missed: boolean): readonly PoolMember[] {
    return choose({ need, missed, ...this.#known(access) }, this.members);
  }

  status(): readonly ServerStatus[] {
    const nowMs = this.#modules.clock.monotonic();
    const { newest } = this.#trackers.private;
    return this.members.map((member) => serverStatus(member, newest, this.#options.behindMs, nowMs));
  }

  /** The error when no server is left, with the reason of each. */
  none(access: ServerAccess, cause?: unknown): LiteError {
    const allowed = new Set(this.allowed(access).map(({ name }) => name));
    const servers = this.status()
      .filter(({ name }) => allowed.has(name))
      .map(({ name, address, state, unusedBecause }) => {
        const reason = unusedBecause ?? "it is up, but did not answer this query";
        return { name, address, state: state.kind, reason };
      });
    const reasons = servers.map(({ name, reason }) => `${name}: ${reason}`).join("; ");
    const message =
      servers.length === 0 ? `no ${access} lite server is configured` : `no server could answer: ${reasons}`;
    return new LiteError("lite/none", message, { data: { servers }, ...(cause === undefined ? {} : { cause }) });
  }

  /** Why a query was not answered before its deadline; undefined when servers are only slow. */
  findPlight({ need, access }: Pick<PoolQuery, "need" | "access">, cause: unknown): LiteError | undefined {
    const known = this.#known(access);
    const usable = this.members.filter(
      (member) => isUsable(member, known) && member.health.pausedUntilMs <= known.nowMs,
    );
    if (usable.length === 0) return this.none(access, cause);
    if (usable.every(({ health }) => (health.head?.block.seqno ?? 0) < need.atLeast)) {
      const message = `no server has reached masterchain block ${need.atLeast} yet`;
      return new LiteError("lite/behind", message, { cause });
    }
    return undefined;
  }

  #known(access: ServerAccess): Omit<ChooseInput, "need" | "missed"> {
    const { newest } = this.#trackers[access];
    return { access, newest, behindMs: this.#options.behindMs, nowMs: this.#modules.clock.monotonic() };
  }

  #headReported(member: PoolMember, head: ServerHead, ms: number): void {
    const nowMs = this.#modules.clock.monotonic();
    member.update((health) => noteHead(health, head, ms, nowMs));
    if (member.health.condition.kind !== "working") return;
    const moved = this.#trackers.private.offer(head);
    const movedForAll = member.access === "public" && this.#trackers.public.offer(head);
    if (moved || movedForAll) {
      this.changed.admitAll();
      this.#nudgeOthers(head);
    }
  }

  /** When one server has a block, the others get it soon. */
  #nudgeOthers(head: ServerHead): void {
    for (const [member, poller] of this.#pollers) {
      const known = member.health.head;
      if (member.health.condition.kind === "working" && known !== undefined && known.block.seqno < head.block.seqno)
        poller.nudge();
    }
  }

  #headFailed(member: PoolMember, error: unknown): void {
    const nowMs = this.#modules.clock.monotonic();
    const message = error instanceof Error ? error.message : String(error);
    if (isCoded(error, "lite/proof")) {
      member.update((health) => quarantine(noteProofError(health), `proof error in its head: ${message}`, nowMs));
    } else if (isCoded(error, "lite/server") && isBusy(error.data)) {
      member.update((health) => noteBusy(health, nowMs));
    } else if (isCoded(error, "lib/deadline")) {
      const reason = `did not report its head within ${this.#options.headTimeoutMs} ms`;
      member.update((health) => noteFailure(health, reason, nowMs));
    } else if (!isCoded(error, "lite/busy")) {
      member.update((health) => noteFailure(health, message, nowMs));
    }
  }

  #standingChanged(member: PoolMember, before: ServerCondition): void {
    const { condition } = member.health;
    const data = { server: member.name, address: member.address };
    switch (condition.kind) {
      case "working":
        this.#modules.log?.info("lite server in use", data);
        this.changed.admitAll();
        return;
      case "down":
        // The report of the start names servers that were never reached: its first line says that none was.
        this.#modules.log?.[before.kind === "working" ? "warn" : "debug"]("lite server down", {
          ...data,
          reason: condition.reason,
        });
        this.#pollers.get(member)?.nudge();
        return;
      case "quarantined":
        this.#modules.log?.warn("lite server quarantined", { ...data, reason: condition.reason });
    }
  }
}

function isBusy({ serverCode, serverMessage }: Readonly<Record<string, unknown>>): boolean {
  return judgeServerError(Number(serverCode), String(serverMessage), noNeed) === "busy";
}
