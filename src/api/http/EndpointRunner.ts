import { orAborted } from "../../lib/abort.ts";
import type { Clock } from "../../lib/clock.ts";
import { Inflight } from "../../lib/inflight.ts";
import { deferPlain } from "../../lib/kit/deferredJson.ts";
import { RecyclingMap } from "../../lib/memory/RecyclingMap.ts";
import type { AnswerNotes } from "../declare/AnswerNotes.ts";
import type { AnswerSource } from "../declare/ApiVersion.ts";
import { type Caller, callerName } from "../declare/Caller.ts";
import type { Endpoint } from "../declare/endpoint.ts";
import { ApiError } from "../declare/errors.ts";
import type { ProofRequest } from "../declare/proof.ts";
import { emptyProof } from "../declare/proofForm.ts";
import type { RequestContext } from "../declare/RequestContext.ts";
import type { AnswerAccess, AnswerCache, CacheSlot } from "./AnswerCache.ts";
import { answerKey } from "./answerKey.ts";
import type { AnswerMemory, AnswerWriter, AroundValue } from "./answers/AnswerWriter.ts";
import type { AnswerPiece, ByteText } from "./answers/byteText.ts";
import { type CancelToken, cancelAfter, type TimedToken } from "./answers/CancelToken.ts";
import { andThen, type MaybePromise } from "./answers/maybePromise.ts";
import type { Call } from "./Call.ts";
import { EncodedAnswer } from "./EncodedAnswer.ts";
import { LateContext, SharedContext } from "./runContexts.ts";
import { shareRun } from "./shareRun.ts";

/** An answer and its origin. */
export interface RunOutcome {
  readonly encoded: EncodedAnswer;
  readonly source: AnswerSource;
}

export interface EndpointRunnerOptions {
  /** The timeout of a request. */
  readonly deadlineMs: number;
  /** The maximum number of waiting requests. */
  readonly maxWaiting: number;
  /** The maximum number of waiting requests per caller; no limit by default. */
  readonly maxWaitingPerCaller?: number;
}

export interface EndpointRunnerModules<S> {
  readonly services: S;
  readonly cache: AnswerCache;
  readonly writer: AnswerWriter;
  readonly clock: Clock;
  /** Whether an answer with its proof is an object of both; otherwise both are fields of the envelope. */
  readonly hasProofFrame: boolean;
}

/** A run whose answer serves all concurrent identical requests. */
interface SharedRun<S> {
  readonly endpoint: Endpoint<S>;
  readonly args: DecodedArgs;
  readonly call: Call;
  readonly slot: CacheSlot;
  readonly waiter: CancelToken;
}

type DecodedArgs = Readonly<Record<string, unknown>>;

/** Answers decoded requests: from the cache, from a running identical request, or by running the endpoint. */
export class EndpointRunner<S> {
  readonly #options: EndpointRunnerOptions;
  readonly #modules: EndpointRunnerModules<S>;
  readonly #flights = new Inflight<string, EncodedAnswer>();
  /** Notes by error: one error object reaches all callers of a shared run. */
  readonly #failures = new WeakMap<object, AnswerNotes>();
  #waiting = 0;
  /** Waiting requests, by the name of their caller. */
  readonly #waitingOf = new RecyclingMap<string, number>();

  constructor(options: EndpointRunnerOptions, modules: EndpointRunnerModules<S>) {
    this.#options = options;
    this.#modules = modules;
  }

  /** Number of waiting requests. */
  get waiting(): number {
    return this.#waiting;
  }

  /** The notes of the endpoint that threw this error; undefined when no endpoint ran. */
  findNotes(error: unknown): AnswerNotes | undefined {
    return typeof error === "object" && error !== null ? this.#failures.get(error) : undefined;
  }

  /** The cached answer that the caller may see. */
  findCached(slot: CacheSlot, caller: Caller): RunOutcome | undefined {
    const encoded = this.#modules.cache.find(slot, accessOf(caller));
    return encoded === undefined ? undefined : { encoded, source: "cache" };
  }

  /** The same for a kind of callers, before one is admitted: it is no use of the answer. */
  peekCached(slot: CacheSlot, kind: Caller["kind"]): EncodedAnswer | undefined {
    return this.#modules.cache.peek(slot, accessOf({ kind }));
  }

  /** The cache place of the answer to this request. */
  placeOf(endpoint: Endpoint<S>, args: DecodedArgs, proof?: ProofRequest): CacheSlot {
    const rule = endpoint.cache(args);
    // The answer with a proof and the one without are two answers: each proof is that of its own answer.
    const kind = proof === undefined ? "" : `proof ${proof.since} `;
    const key = rule === "none" ? "" : answerKey(`${kind}${endpoint.name}`, args);
    return { rule, key, privateKey: `+${key}` };
  }

  /** Throws, or rejects with, the endpoint's coded error, "api/busy" if too many wait, "lib/deadline" if late. */
  run(
    endpoint: Endpoint<S>,
    args: DecodedArgs,
    call: Call,
    slot = this.placeOf(endpoint, args, call.proof),
  ): MaybePromise<RunOutcome> {
    if (slot.rule === "none") return this.#runAlone(endpoint, args, call);
    return (
      this.findCached(slot, call.caller) ??
      this.#wait(call, (waiter) => this.#runShared({ endpoint, args, call, slot, waiter }))
    );
  }

  #runAlone(endpoint: Endpoint<S>, args: DecodedArgs, call: Call): MaybePromise<RunOutcome> {
    this.#refuseIfBusy(call.caller);
    const context = new LateContext(call, () =>
      endpoint.hasDeadline ? this.#openDeadline(call) : withoutDeadline(call),
    );
    const outcome = (value: unknown): MaybePromise<RunOutcome> =>
      andThen(this.#encode(endpoint, value, context, call.memory), (encoded) => ({ encoded, source: "run" }));
    const value = endpoint.run(this.#modules.services, args, context);
    if (!(value instanceof Promise)) {
      const done = outcome(value);
      if (!(done instanceof Promise)) {
        context.dispose();
        return done;
      }
      return this.#count(call.caller, () => done).finally(() => context.dispose());
    }
    const noted = orAborted(value, context.signal).catch((error) => this.#failed(error, context.notes));
    return this.#count(call.caller, () => noted.then(outcome)).finally(() => context.dispose());
  }

  async #runShared({ endpoint, args, call, slot, waiter }: SharedRun<S>): Promise<RunOutcome> {
    const { cache, services } = this.#modules;
    const epoch = cache.epoch();
    const access = accessOf(call.caller);
    let source: RunOutcome["source"] = "shared";
    const work = async (token: CancelToken): Promise<EncodedAnswer> => {
      source = "run";
      const context = new SharedContext(call, token);
      const { notes } = context;
      try {
        const encoded = await this.#encode(endpoint, await endpoint.run(services, args, context), context);
        if (notes.mayBeCached) cache.keep(slot, access, epoch, encoded);
        return encoded;
      } catch (error) {
        return this.#failed(error, notes);
      } finally {
        notes.releaseProof();
      }
    };
    // A caller with a key may be answered by other servers, so it must not share the failure of one without.
    const flight = `${slot.rule === "head" ? epoch : ""}|${access === "private" ? slot.privateKey : slot.key}`;
    const encoded = await shareRun(this.#flights, flight, work, waiter);
    return { encoded, source };
  }

  /** Writes a result; the reader that has left does not get it written. */
  #encode(
    endpoint: Endpoint<S>,
    value: unknown,
    context: RequestContext,
    memory?: AnswerMemory,
  ): MaybePromise<EncodedAnswer> {
    const owner = { caller: callerName(context.caller) ?? "", signal: () => context.signal, memory };
    const { writer, hasProofFrame } = this.#modules;
    const { notes, proof } = context;
    if (proof === undefined) {
      const pieces = writer.write(() => endpoint.result.encode(value), owner);
      return andThen(pieces, (written) => new EncodedAnswer(written, notes));
    }
    const ready = notes.proofText;
    if (ready !== undefined) {
      const around = aroundResult(endpoint.name, ready, hasProofFrame);
      const pieces = writer.write(() => endpoint.result.encode(value) ?? null, owner, around);
      return andThen(pieces, (written) => new EncodedAnswer(written, notes));
    }
    const framed = () => {
      const made = notes.proof;
      const encode = () => endpoint.result.encode(value) ?? null;
      return {
        // A long proof is written in steps; what it proves is not written field by field because of that.
        result: made === undefined ? encode() : deferPlain(encode),
        proof: { operation: endpoint.name, ...Object(made ?? emptyProof) },
      };
    };
    return andThen(
      writer.write(framed, owner),
      (pieces) => new EncodedAnswer(hasProofFrame ? pieces : withoutFrame(pieces), notes),
    );
  }

  #failed(error: unknown, notes: AnswerNotes): never {
    if (typeof error === "object" && error !== null) this.#failures.set(error, notes);
    throw error;
  }

  #wait<T>(call: Call, work: (waiter: CancelToken) => Promise<T>): Promise<T> {
    this.#refuseIfBusy(call.caller);
    return this.#count(call.caller, async () => {
      const deadline = this.#openDeadline(call);
      try {
        return await work(deadline.token);
      } finally {
        deadline.dispose();
      }
    });
  }

  /** Called before anything is started, so that a refused request costs nothing. */
  #refuseIfBusy(caller: Caller): void {
    const { maxWaiting, maxWaitingPerCaller = maxWaiting } = this.#options;
    if (this.#waiting >= maxWaiting)
      throw new ApiError("api/busy", `too many concurrent requests (limit ${maxWaiting})`);
    const name = callerName(caller);
    const own = name === undefined ? 0 : (this.#waitingOf.get(name) ?? 0);
    if (own >= maxWaitingPerCaller)
      throw new ApiError("api/busy", `too many concurrent requests of one caller (limit ${maxWaitingPerCaller})`);
  }

  async #count<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    const name = callerName(caller);
    this.#waiting += 1;
    if (name !== undefined) this.#waitingOf.set(name, (this.#waitingOf.get(name) ?? 0) + 1);
    try {
      return await work();
    } finally {
      this.#waiting -= 1;
      if (name !== undefined) this.#leave(name);
    }
  }

  #leave(name: string): void {
    const left = (this.#waitingOf.get(name) ?? 1) - 1;
    if (left === 0) this.#waitingOf.delete(name);
    else this.#waitingOf.set(name, left);
  }

  #openDeadline(call: Call) {
    return cancelAfter(this.#modules.clock, this.#options.deadlineMs, call.gone());
  }
}

/** Ends with the caller only. */
function withoutDeadline(call: Call): TimedToken {
  return { token: call.gone(), dispose: () => undefined };
}

/** A result and its proof, which is written already: as an object of both, or as fields of the envelope. */
function aroundResult(operation: string, proof: string, hasFrame: boolean): AroundValue {
  const after = `,"proof":{"operation":${JSON.stringify(operation)},`;
  return { before: hasFrame ? '{"result":' : "", after, long: proof, end: hasFrame ? "}}" : "}" };
}

const frame = { before: '{"result":'.length, after: "}".length };

/** The fields of an object without its braces and the name of the first one: an envelope has these. */
function withoutFrame(pieces: readonly AnswerPiece[]): readonly AnswerPiece[] {
  const [first = "" as ByteText, ...others] = pieces;
  const last = others.pop();
  const begin = (piece: AnswerPiece) => cutPiece(piece, frame.before);
  const end = (piece: AnswerPiece) => cutPiece(piece, 0, -frame.after);
  return last === undefined ? [end(begin(first))] : [begin(first), ...others, end(last)];
}

function cutPiece(piece: AnswerPiece, from: number, to?: number): AnswerPiece {
  return typeof piece === "string" ? (piece.slice(from, to) as ByteText) : piece.subarray(from, to);
}

/** Callers without a key are answered by public lite servers only. */
function accessOf({ kind }: Pick<Caller, "kind">): AnswerAccess {
  return kind === "keyless" ? "public" : "private";
}
