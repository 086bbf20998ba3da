import { ApiError } from "../../api/declare/errors.ts";
import { AnswerNotes } from "../../api/declare/RequestContext.ts";
import { v2Endpoints } from "../../api/v2/list.ts";
import type { V2Services } from "../../api/v2/Services.ts";
import { V2Reader } from "../../api/v2/V2Reader.ts";
import { type Clock, sleepBy } from "../../lib/clock.ts";
import { withDeadline } from "../../lib/deadline.ts";
import { type JsonValue, parseJson } from "../../lib/json.ts";
import { formatDeferred } from "../../lib/kit/deferredJson.ts";
import type { Log } from "../../lib/log.ts";
import type { Question } from "./Question.ts";

/** What the chain says. */
export interface ProvedAnswer {
  readonly result: JsonValue;
  /** Seqno of the newest masterchain block when it was asked. */
  readonly headSeqno: number;
  /** As `proof=1` has it; only if asked for. */
  readonly proof: unknown;
}

export interface ProverModules {
  readonly services: V2Services;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** How long one question may take. */
const patienceMs = 60_000;
/** How long and how often to look for new blocks. */
const maxStillMs = 30_000;
const lookMs = 200;
/** Of an answer. */
const limits = { maxDepth: 4_096, maxLength: 2 ** 28 };

/** Answers questions from lite servers alone, as v2 does. */
export class Prover {
  readonly #modules: ProverModules;

  constructor(modules: ProverModules) {
    this.#modules = modules;
  }

  /** Seqno of the newest proved masterchain block. */
  get headSeqno(): number {
    const { services, signal } = this.#modules;
    return services.chains.open({ access: "private", signal }).head.block.seqno;
  }

  /** Waits for as many further blocks; not long where the chain stands still. */
  async waitForBlocks(count: number): Promise<void> {
    const { clock, signal } = this.#modules;
    const [from, endMs] = [this.headSeqno, clock.monotonic() + maxStillMs];
    while (this.headSeqno < from + count && clock.monotonic() < endMs) await sleepBy(clock.timer, lookMs, signal);
  }

  /** Throws the coded error of the operation, if the chain does not have what is asked or it cannot be proved. */
  async prove({ operation, args }: Question, { hasProof = false } = {}): Promise<ProvedAnswer> {
    const { services, clock, log, signal: parent } = this.#modules;
    const endpoint = v2Endpoints.find(({ name }) => name === operation);
    if (endpoint === undefined) throw new ApiError("api/rpc-method", `v2 has no operation ${operation}`);
    const deadline = withDeadline(clock, patienceMs, parent);
    const { signal } = deadline;
    const [notes, headSeqno] = [new AnswerNotes(), this.headSeqno];
    const proof = hasProof ? { since: undefined } : undefined;
    try {
      const context = { id: "audit", caller: { kind: "open" } as const, signal, log, notes, proof };
      const value = await endpoint.run(services, new V2Reader(endpoint.args).fromObject(args), context);
      const result = parseJson(formatDeferred(endpoint.result.encode(value)), limits);
      return { result, headSeqno, proof: hasProof ? parseJson(formatDeferred(notes.proof), limits) : undefined };
    } finally {
      notes.releaseProof();
      deadline.dispose();
    }
  }
}
