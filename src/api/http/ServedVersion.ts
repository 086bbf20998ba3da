import type { Clock } from "../../lib/clock.ts";
import type { IpRange } from "../../lib/ip.ts";
import type { Log } from "../../lib/log.ts";
import type { AccessControl } from "../access/Gatekeeper.ts";
import type { ApiVersion } from "../declare/ApiVersion.ts";
import type { HttpMethod } from "../declare/endpoint.ts";
import { makeOpenApi } from "../declare/openapi.ts";
import { makePostmanCollection } from "../declare/postman.ts";
import type { Metrics } from "../metrics.ts";
import { AnswerCache, type AnswerCacheOptions, type HeadEpoch } from "./AnswerCache.ts";
import { EndpointRunner, type EndpointRunnerOptions } from "./EndpointRunner.ts";
import { RequestHandler } from "./RequestHandler.ts";

/** What the server must know to serve a generation: paths, and whom to hand requests to. */
export interface ServedVersion {
  readonly name: string;
  readonly title: string;
  readonly base: string;
  readonly version: string;
  readonly routes: readonly { readonly name: string; readonly path: string; readonly methods: readonly HttpMethod[] }[];
  readonly hasKeyPaths?: boolean;
  readonly rpcPath: string | undefined;
  readonly rpcAliases?: readonly string[];
  readonly openApi: Readonly<Record<string, unknown>>;
  /** A collection for API clients whose requests go to this origin. */
  readonly postman: (origin: string) => Readonly<Record<string, unknown>>;
  readonly allowedHeaders?: string;
  readonly aliases?: { readonly page: string; readonly document: string };
  readonly door: Pick<RequestHandler<unknown>, "get" | "post" | "rpc" | "refuse" | "refuseRaw">;
}

export interface ServedVersionOptions extends EndpointRunnerOptions, AnswerCacheOptions {
  readonly trustedProxies: readonly IpRange[];
  readonly maxBodyBytes: number;
  readonly maxUrlBytes: number;
  readonly maxUnsentBytes?: number;
  readonly strictParameters?: boolean;
}

export interface ServedVersionModules<S> {
  readonly services: S;
  /** Changes with every new block. */
  readonly head: HeadEpoch;
  readonly access: AccessControl;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly nextId: () => string;
  readonly isDraining: () => boolean;
}

/** Puts a generation together with what answers it. */
export function serveVersion<S>(
  generation: ApiVersion<S>,
  options: ServedVersionOptions,
  modules: ServedVersionModules<S>,
): ServedVersion {
  const { services, head, clock, metrics } = modules;
  const cache = new AnswerCache(options, head);
  const runner = new EndpointRunner<S>(options, { services, cache, clock });
  metrics.watchCache(generation.name, cache);
  metrics.watchGauge(
    `tongate_${generation.name}_waiting`,
    "Requests that wait for their answers.",
    () => runner.waiting,
  );
  const { name, title, base, version, endpoints, rpcPath, rpcAliases, allowedHeaders, aliases, hasKeyPaths } =
    generation;
  const routes = endpoints.map(({ name, path, methods }) => ({ name, path, methods }));
  const door = new RequestHandler<S>(options, { generation, runner, ...modules });
  const extras = {
    ...(allowedHeaders && { allowedHeaders }),
    ...(aliases && { aliases }),
    ...(rpcAliases && { rpcAliases }),
    ...(hasKeyPaths && { hasKeyPaths }),
  };
  const documents = {
    openApi: makeOpenApi(generation),
    postman: (origin: string) => makePostmanCollection(generation, origin),
  };
  return { name, title, base, version, routes, rpcPath, ...documents, door, ...extras };
}
