import type { Log } from "../../lib/log.ts";
import type { Caller } from "../access/Caller.ts";
import { AnswerNotes, type RequestContext } from "../declare/RequestContext.ts";
import type { Call } from "./Call.ts";

/** The context of a run that many may wait for. */
export class SharedContext implements RequestContext {
  readonly id: string;
  readonly caller: Caller;
  readonly notes = new AnswerNotes();
  readonly signal: AbortSignal;
  readonly #call: Call;

  constructor(call: Call, signal: AbortSignal) {
    this.id = call.id;
    this.caller = call.caller;
    this.signal = signal;
    this.#call = call;
  }

  /** Made only for who has something to say, which most have not. */
  get log(): Log {
    return this.#call.log;
  }
}

/** A context whose deadline starts to run only when somebody wants to know it: most of what is quick never does. */
export class LateContext implements RequestContext {
  readonly id: string;
  readonly caller: Caller;
  readonly notes = new AnswerNotes();
  readonly #call: Call;
  readonly #open: () => { readonly signal: AbortSignal; dispose(): void };
  #deadline: { readonly signal: AbortSignal; dispose(): void } | undefined;

  constructor(call: Call, open: () => { readonly signal: AbortSignal; dispose(): void }) {
    this.id = call.id;
    this.caller = call.caller;
    this.#call = call;
    this.#open = open;
  }

  get log(): Log {
    return this.#call.log;
  }

  get signal(): AbortSignal {
    this.#deadline ??= this.#open();
    return this.#deadline.signal;
  }

  dispose(): void {
    this.#deadline?.dispose();
  }
}
