import type { Log } from "../../lib/log.ts";
import { AnswerNotes } from "../declare/AnswerNotes.ts";
import type { Caller } from "../declare/Caller.ts";
import type { ProofRequest } from "../declare/proof.ts";
import type { RequestContext } from "../declare/RequestContext.ts";
import type { CancelToken, TimedToken } from "./answers/CancelToken.ts";
import type { Call } from "./Call.ts";

/** The context of a run that several requests may share. */
export class SharedContext implements RequestContext {
  readonly id: string;
  readonly caller: Caller;
  readonly notes = new AnswerNotes();
  readonly proof: ProofRequest | undefined;
  readonly #call: Call;
  readonly #token: CancelToken;

  constructor(call: Call, token: CancelToken) {
    this.id = call.id;
    this.caller = call.caller;
    this.proof = call.proof;
    this.#call = call;
    this.#token = token;
  }

  /** Made at first use: most fast endpoints never use it. */
  get signal(): AbortSignal {
    return this.#token.signal;
  }

  /** Made at first use: most requests log nothing. */
  get log(): Log {
    return this.#call.log;
  }
}

/** A context whose deadline starts on first use: most fast runs never need it. */
export class LateContext implements RequestContext {
  readonly id: string;
  readonly caller: Caller;
  readonly notes = new AnswerNotes();
  readonly proof: ProofRequest | undefined;
  readonly #call: Call;
  readonly #open: () => TimedToken;
  #deadline: TimedToken | undefined;

  constructor(call: Call, open: () => TimedToken) {
    this.id = call.id;
    this.caller = call.caller;
    this.proof = call.proof;
    this.#call = call;
    this.#open = open;
  }

  get log(): Log {
    return this.#call.log;
  }

  get signal(): AbortSignal {
    this.#deadline ??= this.#open();
    return this.#deadline.token.signal;
  }

  dispose(): void {
    this.notes.releaseProof();
    this.#deadline?.dispose();
  }
}
