import type { Log } from "../../lib/log.ts";
import type { AnswerNotes } from "./AnswerNotes.ts";
import type { Caller } from "./Caller.ts";
import type { ProofRequest } from "./proof.ts";

/** The request data that an endpoint may use, and where it records how its answer was made. */
export interface RequestContext {
  /** Also in the answer's `X-Request-Id` and in every log line about the request. */
  readonly id: string;
  readonly caller: Caller;
  /** Aborts at the request's deadline, or when the client has disconnected. */
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly notes: AnswerNotes;
  /** Set where the answer must come with its proof. */
  readonly proof?: ProofRequest | undefined;
}
