import type { ApiVersion } from "../declare/ApiVersion.ts";
import { type PageSamples, samplesOf } from "../declare/argument.ts";
import type { HttpMethod } from "../declare/endpoint.ts";
import { openApiText } from "../declare/openapi.ts";
import { makePostmanCollection } from "../declare/postman.ts";
import { listOperations, type ToolOperation } from "../mcp/tools.ts";
import { AnswerCache, type AnswerCacheOptions, type HeadEpoch } from "./AnswerCache.ts";
import { type Answers, makeAnswers } from "./answers/Answers.ts";
import { defaultAnswerLimits } from "./answers/AnswerWriter.ts";
import { EndpointRunner, type EndpointRunnerOptions } from "./EndpointRunner.ts";
import { RequestHandler, type RequestHandlerModules, type RequestHandlerOptions } from "./RequestHandler.ts";

/** What the server needs to serve an API version: its paths and its handler. */
export interface ServedVersion {
  readonly name: string;
  readonly title: string;
  readonly base: string;
  readonly version: string;
  readonly routes: readonly { readonly name: string; readonly path: string; readonly methods: readonly HttpMethod[] }[];
  readonly hasKeyPaths?: boolean;
  readonly rpcPath: string | undefined;
  readonly rpcAliases?: readonly string[];
  /** The text of its OpenAPI document. */
  readonly openApi: string;
  /** What the page of the API puts into its fields. */
  samples(): PageSamples;
  /** Its operations as tools of assistants. */
  operations(): readonly ToolOperation[];
  /** A collection for API clients whose requests go to this origin. */
  readonly postman: (origin: string) => Readonly<Record<string, unknown>>;
  readonly allowedHeaders?: string;
  readonly documentAlias?: string;
  readonly rootPrefix?: string;
  readonly handler: Pick<
    RequestHandler<unknown>,
    "get" | "post" | "file" | "rpc" | "refuse" | "refuseRaw" | "admitPage" | "direct"
  >;
}

export interface ServedVersionOptions extends EndpointRunnerOptions, AnswerCacheOptions, RequestHandlerOptions {}

export interface ServedVersionModules<S> extends Omit<RequestHandlerModules<S>, "apiVersion" | "runner" | "answers"> {
  readonly services: S;
  /** Changes with every new block. */
  readonly head: HeadEpoch;
  /** Of the process; an API version alone makes its own. */
  readonly answers?: Answers;
}

/** Combines an API version with its modules. */
export function serveVersion<S>(
  apiVersion: ApiVersion<S>,
  options: ServedVersionOptions,
  modules: ServedVersionModules<S>,
): ServedVersion {
  const { services, head, clock, metrics } = modules;
  const cache = new AnswerCache(options, head);
  const answers = modules.answers ?? makeAnswers(defaultAnswerLimits, clock);
  // Where there is no envelope, result and proof get one.
  const hasProofFrame = apiVersion.beginning === "";
  const runner = new EndpointRunner<S>(options, { services, cache, clock, writer: answers.writer, hasProofFrame });
  metrics.watchCache(apiVersion.name, cache);
  metrics.watchGauge(`tongate_${apiVersion.name}_waiting`, "Concurrent requests.", () => runner.waiting);
  const { name, title, base, version, endpoints, rpcPath, rpcAliases, allowedHeaders, documentAlias, hasKeyPaths } =
    apiVersion;
  const routes = endpoints.map(({ name, path, methods }) => ({ name, path, methods }));
  const handler = new RequestHandler<S>(options, { apiVersion, runner, ...modules, answers });
  const extras = {
    ...(allowedHeaders && { allowedHeaders }),
    ...(documentAlias && { documentAlias }),
    ...(apiVersion.rootPrefix && { rootPrefix: apiVersion.rootPrefix }),
    ...(rpcAliases && { rpcAliases }),
    ...(hasKeyPaths && { hasKeyPaths }),
  };
  // Made when an assistant first asks: it takes milliseconds.
  let operations: readonly ToolOperation[] | undefined;
  const documents = {
    openApi: openApiText(apiVersion),
    samples: () => samplesOf(endpoints),
    operations: () => (operations ??= listOperations(apiVersion)),
    postman: (origin: string) => makePostmanCollection(apiVersion, origin),
  };
  return { name, title, base, version, routes, rpcPath, ...documents, handler, ...extras };
}
