import type { TSchema } from "typebox";
import type { Args } from "../../lib/kit/arg.ts";
import type { RequestArgs, RequestHeaders, RequestReader } from "../http/requestArgs.ts";
import type { Endpoint } from "./endpoint.ts";
import type { AnswerNotes } from "./RequestContext.ts";

/** When an answer is written. */
export interface AnswerTime {
  readonly nowMs: number;
  /** Since the request came. */
  readonly elapsedMs: number;
}

/** The origin of an answer: the cache, another request's run, or its own run. */
export type AnswerSource = "cache" | "shared" | "run";

/** How an answer came about. */
export interface AnswerFacts {
  readonly source: AnswerSource;
  readonly notes: AnswerNotes;
}

/** The answer for an error. */
export interface Refusal {
  readonly status: number;
  readonly body: string;
  /** Names and values after one another. */
  readonly headers?: readonly string[];
}

/** The origin of a request. */
export interface RequestOrigin {
  /** The address of the client, behind proxies that are trusted. */
  readonly client: string;
  /** Whether a proxy that is not trusted says that it forwards the request. */
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
  /** What it is, for the head of its page. */
  readonly about: string;
  /** Where its paths begin. */
  readonly base: string;
  /** What `X-API-Version` says. */
  readonly version: string;
  readonly endpoints: readonly Endpoint<S>[];
  /** The text before every result. */
  readonly beginning: string;
  /** The text after a result; `echo` is what JSON-RPC adds to the envelope, and empty otherwise. */
  end(answer: AnswerFacts, moment: AnswerTime, echo: string): string;
  /** The whole answer for an error, with the notes until then. */
  refuse(error: unknown, moment: AnswerTime, echo: string, notes?: AnswerNotes): Refusal;
  successSchema(result: TSchema): TSchema;
  readonly errorSchema: TSchema;
  /** Statuses of every endpoint besides 200. */
  readonly statuses: readonly number[];
  /** Where JSON-RPC is answered, behind the base; no such thing when absent. */
  readonly rpcPath: string | undefined;
  /** Whole paths under which JSON-RPC is answered as well. */
  readonly rpcAliases?: readonly string[];
  /** How the arguments of a request are read; `ArgReader` by default. */
  readonly makeReader?: (args: Args) => RequestReader;
  /** How the arguments of a body are read; as a JSON object when absent. */
  readonly readBody?: (text: string, headers: RequestHeaders) => RequestArgs;
  /** Whether each path is answered behind `k/<key>` as well, for clients that can set neither header nor query. */
  readonly hasKeyPaths?: boolean;
  /** Headers, in lower case, that are arguments as well: a request that bears one is not known by its URL alone. */
  readonly argHeaders?: readonly string[];
  /** The type of all answers; `application/json` when absent. */
  readonly contentType?: string;
  /** Whether every answer has `Server-Timing`. */
  readonly isTimed?: boolean;
  /** Which headers pages of others may send; a short list when absent. */
  readonly allowedHeaders?: string;
  /** Throws when a POST request of this origin is not allowed; all are by default. */
  readonly checkPost?: (origin: RequestOrigin) => void;
  /** Further names, behind the base, under which the page and the document of the interface are found. */
  readonly aliases?: { readonly page: string; readonly document: string };
}
