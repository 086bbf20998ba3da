import type { TSchema } from "typebox";
import type { Args } from "../../lib/kit/arg.ts";
import type { Steps } from "../../lib/sharing/steps.ts";
import type { AnswerNotes } from "./AnswerNotes.ts";
import type { Endpoint } from "./endpoint.ts";
import type { RequestArgs, RequestHeaders, RequestReader } from "./requestArgs.ts";

/** Timing of an answer. */
export interface AnswerTime {
  readonly nowMs: number;
  /** Since the request arrived. */
  readonly elapsedMs: number;
}

/** The origin of an answer: the cache, another request's run, or its own run. */
export type AnswerSource = "cache" | "shared" | "run";

/** How an answer was made. */
export interface AnswerFacts {
  readonly source: AnswerSource;
  readonly notes: AnswerNotes;
}

/** The answer for an error. */
export interface Refusal {
  readonly status: number;
  readonly body: string;
  /** Alternating names and values. */
  readonly headers?: readonly string[];
}

/** The origin of a request. */
export interface RequestOrigin {
  /** The address of the client behind trusted proxies. */
  readonly client: string;
  /** Whether an untrusted proxy says that it forwards the request. */
  readonly isForwarded: boolean;
  /** The header `Host`. */
  readonly host: string | undefined;
  /** The header `Origin`, which browsers send. */
  readonly origin: string | undefined;
}

/** One API version: its endpoints, and the envelope of their results. */
export interface ApiVersion<S> {
  readonly name: string;
  readonly title: string;
  /** A description for its page. */
  readonly about: string;
  /** The prefix of its paths. */
  readonly base: string;
  /** The value of `X-API-Version`. */
  readonly version: string;
  readonly endpoints: readonly Endpoint<S>[];
  /** The text before every result. */
  readonly beginning: string;
  /** The text after a result; `echo` is what JSON-RPC adds to the envelope, empty otherwise. */
  end(answer: AnswerFacts, moment: AnswerTime, echo: string): string;
  /** The whole answer for an error, with the notes until then. */
  refuse(error: unknown, moment: AnswerTime, echo: string, notes?: AnswerNotes): Refusal;
  successSchema(result: TSchema): TSchema;
  readonly errorSchema: TSchema;
  /** Statuses of every endpoint besides 200. */
  readonly statuses: readonly number[];
  /** The path of JSON-RPC below the base; absent without JSON-RPC. */
  readonly rpcPath: string | undefined;
  /** Other whole paths of JSON-RPC. */
  readonly rpcAliases?: readonly string[];
  /** Decodes the arguments of a request; `ArgReader` by default. */
  readonly makeReader?: (args: Args) => RequestReader;
  /** Decodes the arguments of a body; a JSON object by default. */
  readonly readBody?: (text: string, headers: RequestHeaders) => Steps<RequestArgs>;
  /** How bodies and answers of `application/octet-stream` are read and written; absent where there are none. */
  readonly bytes?: {
    readonly read: (body: Buffer) => RequestArgs;
    /** The JSON text of a result before and after the base64 of its bytes. */
    readonly frame: readonly [before: string, after: string];
  };
  /** Whether each path is also served below `k/<key>`, for clients that can set neither header nor query. */
  readonly hasKeyPaths?: boolean;
  /** Headers, in lower case, that are arguments too: the URL alone does not identify such a request. */
  readonly argHeaders?: readonly string[];
  /** The content type of all answers; `application/json` by default. */
  readonly contentType?: string;
  /** Whether every answer has `Server-Timing`. */
  readonly isTimed?: boolean;
  /** Headers that pages of other origins may send; a short list by default. */
  readonly allowedHeaders?: string;
  /** Throws when a POST request of this origin is not allowed; all are by default. */
  readonly checkPost?: (origin: RequestOrigin) => void;
  /** Throws when the POST request of an origin needs a key and has none, where keys are used; none does by default. */
  readonly checkKeyless?: (origin: RequestOrigin) => void;
  /** Paths with this beginning are served at the root, too, where another program has them. */
  readonly rootPrefix?: string;
  /** Another name below the base for the document of the API. */
  readonly documentAlias?: string;
}
