import { AnswerNotes } from "../../api/declare/AnswerNotes.ts";
import { ApiError } from "../../api/declare/errors.ts";
import type { ShownAnswer } from "../../api/declare/proof.ts";
import type { RequestContext } from "../../api/declare/RequestContext.ts";
import type { V2Services } from "../../api/v2/declare.ts";
import { v2Endpoints } from "../../api/v2/list.ts";
import { onChain } from "../../api/v2/onChain.ts";
import { V2Reader } from "../../api/v2/V2Reader.ts";
import { v3Endpoints } from "../../api/v3/list.ts";
import { V3Reader } from "../../api/v3/V3Reader.ts";
import { type Clock, sleepBy } from "../../lib/clock.ts";
import { withDeadline } from "../../lib/deadline.ts";
import { type JsonValue, parseJson } from "../../lib/json.ts";
import { formatDeferred } from "../../lib/kit/deferredJson.ts";
import type { Log } from "../../lib/log.ts";
import { findV3Name, type Question, textsOf } from "./Question.ts";

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

/** Answers questions from lite servers alone, as v2 does, and proves what an index shows. */
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

  /**
   * What the chain says of rows that an index shows: the part of an answer of v3 that it proves. Throws
   * "api/incomplete" or "chain/not-found" for rows that are not what was asked for, or not on the chain.
   */
  async proveShown(question: Question, shown: ShownAnswer, { hasProof = false } = {}): Promise<ProvedAnswer> {
    const endpoint = v3Endpoints.find(({ name }) => name === findV3Name(question));
    const { proof } = endpoint ?? {};
    if (endpoint === undefined || proof?.by !== "shown")
      throw new ApiError("api/no-proof", `${question.operation} has no proof`);
    const args = new V3Reader(endpoint.args).fromQuery(textsOf(question.args), {});
    const run = onChain(async (chain) => (await proof.prove(chain, args, shown)).result);
    return this.#answer(hasProof, (context) => run(this.#modules.services, args, context));
  }

  /** Throws the coded error of the operation, if the chain does not have what is asked or it cannot be proved. */
  async prove({ operation, args }: Question, { hasProof = false } = {}): Promise<ProvedAnswer> {
    const { services } = this.#modules;
    const endpoint = v2Endpoints.find(({ name }) => name === operation);
    if (endpoint === undefined) throw new ApiError("api/rpc-method", `v2 has no operation ${operation}`);
    return this.#answer(hasProof, async (context) => {
      const value = await endpoint.run(services, new V2Reader(endpoint.args).fromObject(args), context);
      return parseJson(formatDeferred(endpoint.result.encode(value)), limits);
    });
  }

  async #answer(hasProof: boolean, work: (context: RequestContext) => Promise<JsonValue>): Promise<ProvedAnswer> {
    const { clock, log, signal: parent } = this.#modules;
    const deadline = withDeadline(clock, patienceMs, parent);
    const { signal } = deadline;
    const [notes, headSeqno] = [new AnswerNotes(), this.headSeqno];
    const proof = hasProof ? { since: undefined } : undefined;
    try {
      const result = await work({ id: "audit", caller: { kind: "open" }, signal, log, notes, proof });
      return { result, headSeqno, proof: hasProof ? parseJson(formatDeferred(notes.proof), limits) : undefined };
    } finally {
      notes.releaseProof();
      deadline.dispose();
    }
  }
}
