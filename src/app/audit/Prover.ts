import type { ApiVersion } from "../../api/declare/ApiVersion.ts";
import { ApiError } from "../../api/declare/errors.ts";
import { AnswerNotes } from "../../api/declare/RequestContext.ts";
import { ArgReader, type RequestReader } from "../../api/declare/requestArgs.ts";
import { Answers } from "../../api/http/answers/Answers.ts";
import { defaultAnswerLimits } from "../../api/http/answers/AnswerWriter.ts";
import { v2Api } from "../../api/v2/envelope.ts";
import type { V2Services } from "../../api/v2/Services.ts";
import { ChainCaches } from "../../chain/ChainCaches.ts";
import type { LiveChains } from "../../chain/LiveChains.ts";
import { type Clock, sleepBy } from "../../lib/clock.ts";
import { withDeadline } from "../../lib/deadline.ts";
import { type JsonValue, parseJson } from "../../lib/json.ts";
import type { Log } from "../../lib/log.ts";
import type { TrustedHead } from "../../lite/queries/TrustedChain.ts";
import { type AskedAnswer, AskedAnswers } from "./AskedAnswers.ts";
import type { Question } from "./Question.ts";

/** What the chain says, and the answers of lite servers from which it follows. */
export interface ProvedAnswer {
  readonly result: JsonValue;
  /** The newest masterchain block when it was proved. */
  readonly head: TrustedHead;
  readonly answers: readonly AskedAnswer[];
}

export interface ProverModules {
  readonly services: V2Services & { readonly chains: Pick<LiveChains, "open"> };
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** How long one question may take. */
const patienceMs = 60_000;
/** How long and how often to look for new blocks. */
const maxStillMs = 30_000;
const lookMs = 200;

/** Answers questions from lite servers alone, as v2 does, and keeps what it was told. */
export class Prover {
  readonly #modules: ProverModules;
  readonly #answers: Answers;

  constructor(modules: ProverModules) {
    this.#modules = modules;
    this.#answers = new Answers(defaultAnswerLimits, modules.clock);
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
  async prove({ operation, args }: Question): Promise<ProvedAnswer> {
    const { services, clock, log, signal: parent } = this.#modules;
    const api: ApiVersion<V2Services> = v2Api;
    const endpoint = api.endpoints.find(({ name }) => name === operation);
    if (endpoint === undefined) throw new ApiError("api/rpc-method", `v2 has no operation ${operation}`);
    const reader: RequestReader = api.makeReader?.(endpoint.args) ?? new ArgReader(endpoint.args);
    const deadline = withDeadline(clock, patienceMs, parent);
    const asked = new AskedAnswers();
    let head: TrustedHead | undefined;
    const open: LiveChains["open"] = (opening) => {
      const chain = services.chains.open(opening);
      head ??= chain.head;
      // What is known already would not be asked again, and would be missing among the answers.
      return { ...chain, server: asked.record(chain.server), caches: new ChainCaches() };
    };
    const { signal } = deadline;
    const caller = { kind: "open" } as const;
    try {
      const context = { id: "audit", caller, signal, log, notes: new AnswerNotes() };
      const value = await endpoint.run({ ...services, chains: { open } }, reader.fromObject(args, {}), context);
      const owner = { caller: "", signal: () => signal };
      const pieces = await this.#answers.writer.write(() => endpoint.result.encode(value), owner);
      const result = parseJson(Buffer.from(pieces.join(""), "latin1").toString(), { maxDepth, maxLength });
      return {
        result,
        head: head ?? services.chains.open({ access: "private", signal }).head,
        answers: asked.list,
      };
    } finally {
      deadline.dispose();
    }
  }
}

/** Answers are ours: only their own limits count. */
const maxDepth = 4_096;
const maxLength = defaultAnswerLimits.maxAnswerBytes;
