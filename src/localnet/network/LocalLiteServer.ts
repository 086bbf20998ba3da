import { onAbort, orAborted } from "../../lib/abort.ts";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { throwIfAborted, withDeadline } from "../../lib/deadline.ts";
import { isCoded } from "../../lib/errors.ts";
import { Lifetime } from "../../lib/Lifetime.ts";
import { TurnBudget } from "../../lib/TurnBudget.ts";
import { LiteError } from "../../lite/errors.ts";
import type { AskOptions, LiteServer } from "../../lite/server/LiteServer.ts";
import { serverError } from "../../lite/tl/liteRecords.ts";
import { type DecodedQuery, decodeQuery, type Wait } from "../../lite/tl/queryEnvelope.ts";
import { encode } from "../../lite/tl/types.ts";
import type {
  AnswerContext,
  QueryHandler,
  RunMethod,
  Signatures,
  StateReader,
  Submit,
} from "../answers/kit/AnswerContext.ts";
import { ProofCache } from "../answers/kit/ProofCache.ts";
import { notReady, refusal, refusalCode } from "../answers/kit/refusal.ts";
import { queryHandlers } from "../answers/list.ts";
import type { Fork } from "../fork/Fork.ts";
import type { Ledger, LedgerBlock } from "../ledger/Ledger.ts";
import { ForkAnswers } from "./ForkAnswers.ts";

export interface LocalLiteServerOptions {
  readonly ledger: Ledger;
  /** The clock; for a recorded chain, one fixed at the time of the recording. */
  readonly clock?: Clock;
  /** Runs get-methods; without it `runSmcMethod` is refused for accounts that have code. */
  readonly runMethod?: RunMethod;
  /** Accepts external messages; without it the chain is read-only. */
  readonly submit?: Submit;
  /** Returns the signatures of masterchain blocks; without it there are no forward proofs. */
  readonly signatures?: Signatures;
  /** Whether signed shard blocks are reported before a masterchain block commits them; not by default, as nodes do. */
  readonly reportsPending?: boolean;
  /** What the chain has of the one that it continues. */
  readonly fork?: Fork | undefined;
  /** Memory for proofs that many answers contain. */
  readonly proofBytes?: number | undefined;
}

/** How far ahead of the head a query may wait for a block, and how long. */
const furthestWait = 100;
const longestWaitMs = 10_000;

/** A local chain as a lite server: answers every query of the schema, with the proofs and errors of a node. */
export class LocalLiteServer implements LiteServer {
  readonly #context: AnswerContext;
  readonly #byId: ReadonlyMap<number, QueryHandler>;
  readonly #lifetime = new Lifetime(() => new LiteError("lite/closed", "the local lite server is closed"));
  readonly #turns: TurnBudget;
  readonly #fork: ForkAnswers | undefined;

  constructor(options: LocalLiteServerOptions) {
    const {
      ledger,
      clock = systemClock,
      runMethod,
      submit,
      signatures,
      proofBytes,
      fork,
      reportsPending = false,
    } = options;
    this.#turns = new TurnBudget(clock);
    const pause = () => this.#turns.yieldIfDue();
    const root = (block: LedgerBlock) => ledger.rootInTurns(block, pause);
    const state: StateReader = ({ id }) => ledger.stateInTurns(id, pause);
    const proofs = new ProofCache(root, proofBytes);
    const shared = { ledger, clock, proofs, runMethod, submit, reportsPending, pause, root, state };
    this.#context = { ...shared, signatures: signatures ?? (() => undefined) };
    this.#fork = fork && new ForkAnswers(fork, this.#context);
    this.#byId = new Map(queryHandlers.map((answering) => [answering.query.id, answering]));
  }

  async ask(query: Uint8Array, { signal }: AskOptions): Promise<Uint8Array> {
    this.#lifetime.throwIfEnded();
    throwIfAborted(signal);
    // Answers come without I/O: a caller with many queries would otherwise block its own deadline.
    const turn = this.#turns.yieldIfDue();
    if (turn !== undefined) {
      await turn;
      this.#lifetime.throwIfEnded();
      throwIfAborted(signal);
    }
    const own = new AbortController();
    const stopListening = onAbort(signal, (reason) => own.abort(reason));
    const answered = this.#lifetime.run(
      () => this.#answer(query, own.signal),
      (reason) => own.abort(reason),
    );
    try {
      return await orAborted(answered, own.signal);
    } finally {
      stopListening();
    }
  }

  async close(): Promise<void> {
    await this.#lifetime.close(new LiteError("lite/closed", "the local lite server is closed"));
    this.#context.proofs.clear();
  }

  destroy(reason: LiteError): void {
    this.#lifetime.destroy(reason);
    this.#context.proofs.clear();
  }

  /** A refusal becomes `liteServer.error`, which is an answer. */
  async #answer(bytes: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
    try {
      const decoded = decodeQuery(bytes);
      if (decoded.wait !== undefined) await this.#waitFor(decoded.wait, signal);
      const run = (asked: DecodedQuery) => this.#run(asked, signal);
      return await (this.#fork?.answer(decoded, run, signal) ?? run(decoded));
    } catch (error) {
      // A failure of the system is no answer of the chain: a caller may try again.
      if (signal.aborted || !isCoded(error) || error.code === "lib/storage") throw error;
      const code = error.code === "localnet/refusal" ? Number(error.data.serverCode) : refusalCode.plain;
      return encode(serverError.boxed, { code, message: error.message });
    }
  }

  async #run({ query, args }: DecodedQuery, signal: AbortSignal): Promise<Uint8Array> {
    const answering = this.#byId.get(query.id);
    if (answering === undefined) throw refusal(refusalCode.badQuery, "unknown query");
    return encode(query.answer.boxed, await answering.run(this.#contextOf(signal), args, signal));
  }

  /** An old state is made again for as long as somebody waits for it; what was made until then is kept. */
  #contextOf(signal: AbortSignal): AnswerContext {
    const { ledger, pause } = this.#context;
    const next = () => {
      throwIfAborted(signal);
      return pause();
    };
    return { ...this.#context, state: ({ id }) => ledger.stateInTurns(id, next) };
  }

  async #waitFor({ seqno, timeoutMs }: Wait, signal: AbortSignal): Promise<void> {
    const { ledger, clock } = this.#context;
    const wanted = seqno >>> 0;
    if (wanted <= ledger.headId.seqno) return;
    if (timeoutMs <= 0) throw refusal(refusalCode.timeout, "timeout");
    if (wanted > ledger.headId.seqno + furthestWait) throw notReady("too big masterchain block seqno");
    const deadline = withDeadline(clock, Math.min(timeoutMs, longestWaitMs), signal);
    try {
      await ledger.reach(wanted, deadline.signal);
    } catch (error) {
      if (signal.aborted || !isCoded(error, "lib/deadline")) throw error;
      throw refusal(refusalCode.timeout, "timeout");
    } finally {
      deadline.dispose();
    }
  }
}
