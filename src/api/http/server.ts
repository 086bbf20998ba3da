import type { Server as HttpServer, IncomingMessage, ServerResponse } from "node:http";
import { type FastifyInstance, type FastifyReply, fastify } from "fastify";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { metricsType } from "../../lib/metricsText.ts";
import { ApiError } from "../declare/errors.ts";
import { Monitor } from "../Monitor.ts";
import type { Metrics } from "../metrics.ts";
import { ApiPage } from "../pages/ApiPage.ts";
import { Documents } from "../pages/documents.ts";
import { type ExplorerPages, explorerBase } from "../pages/ExplorerPages.ts";
import { formatLanding, type LandingFacts } from "../pages/landing.ts";
import type { LoadAssets } from "../pages/PageAssets.ts";
import { plainPageHeaders, styledPageHeaders } from "../pages/pageHeaders.ts";
import type { ReadinessCheck } from "../readiness.ts";
import type { ConnectionLimit } from "./ConnectionLimit.ts";
import { closeServer, firstAddress, type HttpLimits, httpOptions, listenOnSecond } from "./listening.ts";
import { type HostEntry, HostTable } from "./routes/HostTable.ts";
import { answerPreflight } from "./routes/preflight.ts";
import type { StreamRoutes } from "./routes/StreamRoutes.ts";
import { knownMethods, strayError } from "./routes/strayError.ts";
import { addUpgrades } from "./routes/upgrades.ts";
import { findHeaderError, wireError } from "./routes/wireChecks.ts";
import type { ServedVersion } from "./ServedVersion.ts";

/** Where metrics are served: nowhere, on a path of the same server, or on a separate port. */
export type MetricsPlace =
  | { readonly kind: "off" }
  | { readonly kind: "path" }
  | { readonly kind: "port"; readonly host: string; readonly port: number };

export interface ServerOptions extends HttpLimits {
  readonly host: string;
  /** Zero takes any free one. */
  readonly port: number;
  readonly metrics: MetricsPlace;
  /** How long answers under way may take once the server stops. */
  readonly drainMs: number;
}

/** The limits of the contract. */
export const contractLimits = { maxBodyBytes: 1_048_576, maxUrlBytes: 8192, maxHeaderBytes: 65_536 } as const;

export interface ServerModules {
  readonly versions: readonly ServedVersion[];
  readonly checks: readonly ReadinessCheck[];
  /** What runs here now. */
  readonly facts: () => LandingFacts;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly log: Log;
  readonly draining: Draining;
  /** Of all servers of the process; without one they take every connection. */
  readonly connections?: ConnectionLimit;
  /** Answers that do not end. */
  readonly streams?: readonly StreamRoutes[];
  /** Files for browsers; absent when they were not built or are switched off. */
  readonly assets?: LoadAssets | undefined;
  readonly explorer?: Pick<ExplorerPages, "handle"> | undefined;
}

/** What is answered under some of the names by which a server is called. */
export interface NamedModules extends ServerModules {
  /** In lower case, without port. */
  readonly hostNames: readonly string[];
}

/** Says to all parts of a server that it stops. */
export class Draining {
  #isOn = false;

  get isOn(): boolean {
    return this.#isOn;
  }

  begin(): void {
    this.#isOn = true;
  }
}

/** A server that listens. */
export interface Server {
  readonly port: number;
  /** The separate port of metrics, if there is one. */
  readonly metricsPort: number | undefined;
  /** Accepts no more connections, finishes running requests, and ends those that take longer than the drain time. */
  close(): Promise<void>;
  /** Ends everything at once. */
  destroy(): Promise<void>;
  /** Answers everything for one of the modules, by its place, with this error, and ends its streams. */
  hold(at: number, error: ApiError): Promise<void>;
  /** Answers from other modules in that place from now on. */
  replace(at: number, modules: NamedModules): Promise<void>;
}

const noQuery = {};

/** Opens the server; it listens when this returns. Requests for one of the host names are answered by its modules. */
export async function openServer(
  options: ServerOptions,
  modules: ServerModules,
  named: readonly NamedModules[] = [],
): Promise<Server> {
  const app = await openApp(options, modules);
  const others = await Promise.all(named.map((each) => openApp(options, each)));
  const all = [{ hostNames: [], ...modules }, ...named];
  const table = new HostTable([app, ...others].flatMap((each, at) => hostEntries(each, all[at])));
  routeRequests(app, table, options, modules.versions[0]);
  addUpgrades(app.server, (request) => table.streamsFor(request));
  const metricsApp = options.metrics.kind === "port" ? makeApp(options, modules.versions[0]) : undefined;
  if (metricsApp !== undefined) addMetrics(metricsApp, new Monitor(modules), modules);
  const apps = [app, ...others, ...(metricsApp === undefined ? [] : [metricsApp])];
  const seconds: HttpServer[] = [];
  const close = (drainMs: number) => {
    for (const { draining } of all) draining.begin();
    const streams = table.entries.flatMap((entry) => entry.streams);
    return closeApps(apps, seconds, drainMs, modules, streams);
  };
  try {
    seconds.push(...(await listen(app, options, options, modules)));
    if (options.metrics.kind === "port" && metricsApp !== undefined)
      seconds.push(...(await listen(metricsApp, options.metrics, options, modules)));
  } catch (error) {
    await close(0);
    throw error;
  }
  const metricsPort = metricsApp && portOf(metricsApp);
  return {
    ...{ port: portOf(app), metricsPort, close: () => close(options.drainMs), destroy: () => close(0) },
    hold: async (at, error) => {
      table.hold(at, error);
      await Promise.all((table.entries[at]?.streams ?? []).map((stream) => stream.close(0)));
    },
    replace: async (at, next) => {
      const opened = await openApp(options, next);
      apps.push(opened);
      all[at] = next;
      for (const entry of hostEntries(opened, next)) table.replace(at, entry);
    },
  };
}

function hostEntries(app: FastifyInstance, modules: NamedModules | undefined): readonly HostEntry[] {
  if (modules === undefined) return [];
  const { hostNames, streams = [], versions } = modules;
  return [
    {
      ...{ hostNames, streams },
      answer: (request, response) => app.routing(request, response),
      refuse: (error, request, response) => versions[0]?.handler.refuse(error, request, response),
    },
  ];
}

/** Listens on the addresses of a host; returns the additional servers. */
async function listen(
  app: FastifyInstance,
  { host, port }: { readonly host: string; readonly port: number },
  options: ServerOptions,
  { connections }: ServerModules,
): Promise<HttpServer[]> {
  connections?.watch(app.server);
  await app.listen({ host: firstAddress(host), port });
  const second = await listenOnSecond(host, app.server, options);
  if (second === undefined) return [];
  connections?.watch(second);
  return [second];
}

async function openApp(options: ServerOptions, modules: ServerModules): Promise<FastifyInstance> {
  const app = makeApp(options, modules.versions[0]);
  for (const served of modules.versions) await addVersion(app, served, modules);
  for (const { routes } of modules.streams ?? [])
    for (const { method, path, handle } of routes) addRaw(app, method, path, handle);
  const monitor = new Monitor(modules);
  addServicePaths(app, monitor, modules);
  addDocuments(app);
  addExplorer(app, modules);
  if (options.metrics.kind === "path") addMetrics(app, monitor, modules);
  await app.ready();
  return app;
}

/** Only the first app listens; the others get the requests for their host names. Bad headers are refused before that. */
function routeRequests(
  app: FastifyInstance,
  table: HostTable,
  { maxHeaderBytes }: ServerOptions,
  first: ServedVersion | undefined,
): void {
  app.server.removeAllListeners("request");
  app.server.on("request", (request, response) => {
    const error = findHeaderError(request, maxHeaderBytes);
    if (error !== undefined) {
      response.shouldKeepAlive = false;
      first?.handler.refuse(error, request, response);
      return;
    }
    table.answer(request, response);
  });
}

function makeApp(options: ServerOptions, first: ServedVersion | undefined): FastifyInstance {
  const app = fastify({
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    requestTimeout: options.requestMs,
    http: httpOptions(options),
    routerOptions: {
      ignoreTrailingSlash: true,
      // An argument in a path may be as long as a URL.
      maxParamLength: options.maxUrlBytes,
      // Query strings are parsed here, with the rules of the contract.
      querystringParser: () => noQuery,
    },
    genReqId: () => "",
    clientErrorHandler: (error, socket) => {
      if (socket.writable && error.code !== "ECONNRESET")
        socket.write(first?.handler.refuseRaw(wireError(error.code, options.maxHeaderBytes)) ?? "");
      socket.destroy(error);
    },
    frameworkErrors: (_error, request, reply) => {
      reply.hijack();
      first?.handler.refuse(new ApiError("api/url", "bad percent-encoding"), request.raw, reply.raw);
    },
  });
  const refuseStray = (request: IncomingMessage, response: ServerResponse) =>
    first?.handler.refuse(new ApiError("api/not-found", `no such path: ${request.url}`), request, response);
  addRaw(app, app.supportedMethods, "/*", refuseStray);
  // Methods the framework has never heard of come here.
  app.setNotFoundHandler((request, reply) => {
    reply.hijack();
    refuseStray(request.raw, reply.raw);
  });
  return app;
}

type RawHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Hands a request over before the framework looks at its body: content types mean nothing to this interface. */
function addRaw(app: FastifyInstance, method: string | readonly string[], url: string, handle: RawHandler): void {
  app.route({
    method: typeof method === "string" ? method : [...method],
    url,
    onRequest: (request, reply, _done) => {
      reply.hijack();
      handle(request.raw, reply.raw);
    },
    handler: () => undefined,
  });
}

async function addVersion(app: FastifyInstance, served: ServedVersion, modules: ServerModules): Promise<void> {
  const { base, routes, hasKeyPaths, rpcPath, rpcAliases = [], openApi, handler, documentAlias, version } = served;
  for (const { name, path, methods } of routes) {
    const url = path.replaceAll(/\{(\w+)\}/g, ":$1");
    for (const method of methods) {
      const answer: RawHandler = (request, response) =>
        method === "GET" ? handler.get(name, request, response) : handler.post(name, request, response);
      addRaw(app, method, `${base}/${url}`, answer);
      if (hasKeyPaths) addRaw(app, method, `${base}/k/:key/${url}`, answer);
    }
  }
  if (rpcPath !== undefined)
    addRaw(app, "POST", `${base}${rpcPath}`, (request, response) => handler.rpc(request, response));
  for (const path of rpcAliases) {
    addRaw(app, "POST", path, (request, response) => handler.rpc(request, response));
    addRaw(app, "OPTIONS", path, (_request, response) => answerPreflight(response, served));
  }
  const document = JSON.stringify(openApi);
  for (const name of ["openapi.json", ...(documentAlias === undefined ? [] : [documentAlias])]) {
    app.get(`${base}/${name}`, (_request, reply) => {
      count("openapi", reply, modules);
      return reply
        .header("access-control-allow-origin", "*")
        .header("x-api-version", version)
        .type("application/json")
        .send(document);
    });
  }
  app.get(`${base}/postman.json`, (request, reply) => {
    count("postman", reply, modules);
    return reply
      .header("access-control-allow-origin", "*")
      .header("x-api-version", version)
      .header("content-disposition", `attachment; filename="tongate-${served.name}.postman_collection.json"`)
      .send(served.postman(`${request.protocol}://${request.host}`));
  });
  addApiPage(app, served, modules);
  const known = knownMethods(served);
  addRaw(app, app.supportedMethods, `${base}/*`, (request, response) => {
    if (request.method === "OPTIONS") answerPreflight(response, served);
    else handler.refuse(strayError(known, base, request), request, response);
  });
}

function addApiPage(app: FastifyInstance, served: ServedVersion, { assets, log }: ServerModules): void {
  const page = new ApiPage(served, assets);
  for (const path of page.paths) addPage(app, path, (request, response) => page.handle(request, response), log);
}

/** Health checks often use HEAD. */
const monitored = { exposeHeadRoute: true };

/** Counts a request for a path that no API version has, when its answer has left. */
function count(name: string, reply: FastifyReply, { metrics, clock }: Pick<ServerModules, "metrics" | "clock">): void {
  const startedAt = clock.monotonic();
  reply.raw.once("finish", () => {
    const bytes = Number(reply.raw.getHeader("content-length") ?? 0);
    metrics.requests.add(name, "GET", reply.raw.statusCode, (clock.monotonic() - startedAt) / 1000, bytes);
  });
}

function addServicePaths(app: FastifyInstance, monitor: Monitor, modules: ServerModules): void {
  const { facts, draining, assets } = modules;
  app.get("/landing.js", async (_request, reply) => {
    const script = (await assets?.())?.landing ?? "";
    return reply.headers(styledPageHeaders).type("text/javascript").send(script);
  });
  app.get("/", (_request, reply) =>
    reply.headers(styledPageHeaders).type("text/html; charset=utf-8").send(formatLanding(facts())),
  );
  app.get("/healthcheck", monitored, (_request, reply) => reply.type("application/json").send('"OK"'));
  app.get("/readyz", monitored, async (_request, reply) => {
    count("readyz", reply, modules);
    const { isReady, checks } = await monitor.readiness();
    const ready = isReady && !draining.isOn;
    return reply.code(ready ? 200 : 503).send({ ready, stopping: draining.isOn, checks });
  });
}

/** The documentation, rendered from the Markdown that comes with the program. */
function addDocuments(app: FastifyInstance): void {
  const documents = new Documents();
  app.get("/docs", (_request, reply) => reply.redirect(`/docs/${documents.names[0]}`));
  app.get<{ Params: { name: string } }>("/docs/:name", (request, reply) => {
    const page = documents.findPage(request.params.name);
    if (page === undefined)
      return reply.code(404).send({ error: `no such page; there are ${documents.names.join(", ")}` });
    return reply.headers(plainPageHeaders).type("text/html; charset=utf-8").send(page);
  });
}

function addExplorer(app: FastifyInstance, { explorer, log }: ServerModules): void {
  if (explorer === undefined) return;
  for (const path of [explorerBase, `${explorerBase}/*`])
    addPage(app, path, (request, response) => explorer.handle(request, response), log);
}

type PageHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Answers GET and HEAD of a path with a file. */
function addPage(app: FastifyInstance, path: string, handle: PageHandler, log: Log): void {
  addRaw(app, ["GET", "HEAD"], path, (request, response) => {
    handle(request, response).catch((cause: unknown) => {
      log.error("a file of a page could not be sent", { path: request.url, cause: String(cause) });
      response.destroy();
    });
  });
}

function addMetrics(app: FastifyInstance, monitor: Monitor, modules: ServerModules): void {
  app.get("/metrics", async (_request, reply) => {
    count("metrics", reply, modules);
    const text = await monitor.metricsText();
    return reply.type(metricsType).send(text);
  });
}

function portOf(app: FastifyInstance): number {
  const address = app.server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function closeApps(
  apps: readonly FastifyInstance[],
  seconds: readonly HttpServer[],
  drainMs: number,
  modules: ServerModules,
  streams: readonly StreamRoutes[],
): Promise<void> {
  const { clock, draining, log } = modules;
  draining.begin();
  await Promise.all(streams.map((stream) => stream.close(drainMs)));
  const endAll = () => {
    for (const server of [...apps.map((app) => app.server), ...seconds]) server.closeAllConnections();
  };
  const cancel = clock.timer(drainMs, () => {
    log.warn("answers under way took too long to finish; their connections are ended", { drainMs });
    endAll();
  });
  await Promise.all([...apps.map((app) => app.close()), ...seconds.map(closeServer)]);
  cancel();
}
