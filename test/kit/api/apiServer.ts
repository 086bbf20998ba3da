import { join } from "node:path";
import { type AccessControl, openAccess } from "../../../src/api/access/Gatekeeper.ts";
import type { ApiVersion } from "../../../src/api/declare/ApiVersion.ts";
import { makeAnswers } from "../../../src/api/http/answers/Answers.ts";
import type { AnswerLimits } from "../../../src/api/http/answers/AnswerWriter.ts";
import { type ServedVersionOptions, serveVersion } from "../../../src/api/http/ServedVersion.ts";
import {
  contractLimits,
  Draining,
  openServer,
  type Server,
  type ServerOptions,
} from "../../../src/api/http/server/server.ts";
import type { ConnectionLimit } from "../../../src/api/http/sockets/ConnectionLimit.ts";
import { Metrics } from "../../../src/api/metrics.ts";
import { findSwaggerUi, type PageAssets, readPageAssets } from "../../../src/api/pages/PageAssets.ts";
import type { ReadinessCheck } from "../../../src/api/readiness.ts";
import type { V2Services } from "../../../src/api/v2/declare.ts";
import { v2Api } from "../../../src/api/v2/envelope.ts";
import { type Clock, systemClock } from "../../../src/lib/clock.ts";
import type { IpRange } from "../../../src/lib/ip.ts";
import { type Log, openLog } from "../../../src/lib/log.ts";

export interface TestServerOptions extends Partial<ServerOptions>, Partial<ServedVersionOptions> {
  readonly access?: AccessControl;
  readonly clock?: Clock;
  readonly log?: Log;
  readonly head?: () => number;
  readonly checks?: readonly ReadinessCheck[];
  readonly connections?: ConnectionLimit;
  readonly answers?: AnswerLimits;
}

export interface TestServer extends Server {
  readonly origin: string;
  readonly metricsText: () => Promise<string>;
}

/** The same files as in the build, taken from the package that provides them. */
const assets = async (): Promise<PageAssets> => ({
  ...readPageAssets(""),
  swaggerUi: findSwaggerUi(join(import.meta.dirname, "../../../node_modules/swagger-ui-dist")),
});

export const quietLog = openLog({ level: "silent" });

/** Serves one API version on a free loopback port. */
export async function openApiServer<S>(
  apiVersion: ApiVersion<S>,
  services: S,
  options: TestServerOptions = {},
): Promise<TestServer> {
  const { access = openAccess, clock = systemClock, log = quietLog, head = () => 1, checks = [] } = options;
  const [draining, metrics] = [new Draining(), new Metrics()];
  const limited = options.connections === undefined ? {} : { connections: options.connections };
  let requests = 0;
  const common = { clock, log, metrics };
  const served = serveVersion(
    apiVersion,
    { ...versionDefaults, ...options },
    {
      ...{ ...common, services, head, access, nextId: () => `r${++requests}`, isDraining: () => draining.isOn },
      ...(options.answers && { answers: makeAnswers(options.answers, clock) }),
    },
  );
  const server = await openServer(
    { ...serverDefaults, ...options },
    { ...common, ...limited, versions: [served], checks, draining, facts: () => landing, assets },
  );
  return { ...server, origin: `http://127.0.0.1:${server.port}`, metricsText: () => metrics.format() };
}

/** For requests that need no lite server. */
export const noChain: V2Services = {
  isLive: () => true,
  chains: {
    open: () => {
      throw new Error("there is no chain in this test");
    },
  },
};

export function openV2Server(options: TestServerOptions = {}, services: V2Services = noChain) {
  return openApiServer(v2Api, services, options);
}

const versionDefaults: ServedVersionOptions = {
  ...contractLimits,
  // Longer than the program's: a busy machine may be slow, and tests of the deadline set their own.
  deadlineMs: 60_000,
  maxWaiting: 1000,
  headBytes: 1 << 20,
  lastingBytes: 1 << 20,
  trustedProxies: [] satisfies IpRange[],
};

const serverDefaults: ServerOptions = {
  ...contractLimits,
  host: "127.0.0.1",
  port: 0,
  metrics: { kind: "path" },
  requestMs: 30_000,
  drainMs: 5000,
};

const landing = {
  title: "Tongate <test>",
  facts: [["Network", "none & nowhere"]],
  links: [{ path: "/api/v2/", text: "API" }],
  examples: ["curl 'http://127.0.0.1/'"],
} as const;
