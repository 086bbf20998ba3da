import type { Log } from "../../lib/log.ts";
import type { Caller } from "../declare/Caller.ts";
import type { ProofRequest } from "../declare/proof.ts";
import type { AnswerMemory } from "./answers/AnswerWriter.ts";
import type { CancelToken } from "./answers/CancelToken.ts";

/** One call of one request. */
export interface Call {
  readonly id: string;
  readonly caller: Caller;
  readonly log: Log;
  /** Ends when the client disconnected; made on demand, only when there is something to wait for. */
  gone(): CancelToken;
  /** Set where the answer must come with its proof. */
  readonly proof?: ProofRequest | undefined;
  /** Where the bytes of its answer are counted, if not with all other answers. */
  readonly memory?: AnswerMemory;
}
