import type { Server as HttpServer, IncomingMessage, ServerResponse } from "node:http";
import { type FastifyInstance, fastify } from "fastify";
import { ApiError } from "../../declare/errors.ts";
import { Monitor } from "../../Monitor.ts";
import { ApiPage } from "../../pages/ApiPage.ts";
import type { DirectAnswer, DirectRequest } from "../direct/DirectAnswer.ts";
import type { ServedVersion } from "../ServedVersion.ts";
import { type DirectWay, ServerSockets } from "../sockets/ServerSockets.ts";
import type { MayUpgrade } from "../sockets/UpgradableRequest.ts";
import type { HostEntry } from "./HostTable.ts";
import { HostTable } from "./HostTable.ts";
import { closeServer, firstAddress, type HttpLimits, httpOptions, limitHeaders, listenOnSecond } from "./listening.ts";
import { answerPreflight } from "./preflight.ts";
import type { ServerModules } from "./ServerModules.ts";
import type { StreamRoutes } from "./StreamRoutes.ts";
import {
  addDocuments,
  addExplorer,
  addMcp,
  addMetrics,
  addPage,
  addRaw,
  addServicePaths,
  count,
  limited,
  limitedRoute,
} from "./servicePaths.ts";
import { knownMethods, strayError } from "./strayError.ts";
import { addUpgrades, findUpgrade } from "./upgrades.ts";
import { findHeaderError, wireError } from "./wireChecks.ts";

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
  /** How long answers running may take once this server is stopping. */
  readonly drainMs: number;
}

/** The limits of the contract. */
export const contractLimits = { maxBodyBytes: 1_048_576, maxUrlBytes: 8192, maxHeaderBytes: 65_536 } as const;

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
  const [first] = modules.versions;
  const mayUpgrade: MayUpgrade = (request) =>
    findHeaderError(request, options.maxHeaderBytes) === undefined &&
    findUpgrade(table.streamsFor(request), request) !== undefined;
  const listening = { ...options, mayUpgrade };
  const app = await openApp(listening, modules);
  const others = await Promise.all(named.map((each) => openApp(options, each)));
  const all = [{ hostNames: [], ...modules }, ...named];
  const table = new HostTable([app, ...others].flatMap((each, at) => hostEntries(each, all[at])));
  const slowAnswer = () =>
    first?.handler.refuseRaw(wireError("ERR_HTTP_REQUEST_TIMEOUT", options.maxHeaderBytes)) ?? "";
  const sockets = new ServerSockets({
    clock: modules.clock,
    log: modules.log,
    slowAnswer,
    connections: modules.connections,
  });
  checkHeaders(app, options, first, (request, response) => table.answer(request, response));
  addUpgrades(app.server, {
    find: (request) => table.streamsFor(request),
    release: (socket) => sockets.release(socket),
  });
  const metricsApp = options.metrics.kind === "port" ? openMetrics(options, modules) : undefined;
  const apps = [app, ...others, ...(metricsApp === undefined ? [] : [metricsApp])];
  const seconds: HttpServer[] = [];
  const close = (drainMs: number) => {
    for (const { draining } of all) draining.begin();
    const streams = table.entries.flatMap((entry) => entry.streams);
    return closeApps({ apps, seconds, streams, sockets }, drainMs, modules);
  };
  try {
    const limitBytes = Math.min(options.maxUrlBytes, options.maxHeaderBytes);
    const direct = { find: (request: DirectRequest) => table.findDirect(request), limitBytes };
    seconds.push(...(await listen(app, options, listening, modules, { sockets, direct })));
    if (options.metrics.kind === "port" && metricsApp !== undefined)
      seconds.push(...(await listen(metricsApp, options.metrics, options, modules, { sockets })));
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
      findDirect: (request) => findDirect(versions, request),
      refuse: (error, request, response) => versions[0]?.handler.refuse(error, request, response),
    },
  ];
}

/** What the handler of a path answered before, it may answer directly. */
function findDirect(versions: readonly ServedVersion[], request: DirectRequest): DirectAnswer | undefined {
  for (const { handler } of versions) {
    const answer = handler.direct.find(request);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

/** Listens on the addresses of a host; returns the additional servers. */
async function listen(
  app: FastifyInstance,
  { host, port }: { readonly host: string; readonly port: number },
  options: ListeningOptions,
  { connections }: ServerModules,
  { sockets, direct }: { readonly sockets: ServerSockets; readonly direct?: DirectWay },
): Promise<HttpServer[]> {
  sockets.watch(app.server, direct);
  connections?.watch(app.server);
  await app.listen({ host: firstAddress(host), port });
  const second = await listenOnSecond(host, app.server, options);
  if (second === undefined) return [];
  sockets.watch(second, direct);
  connections?.watch(second);
  return [second];
}

/** The options of an app that listens itself. */
interface ListeningOptions extends ServerOptions {
  readonly mayUpgrade?: MayUpgrade;
}

async function openApp(options: ListeningOptions, modules: ServerModules): Promise<FastifyInstance> {
  const app = makeApp(options, modules.versions[0]);
  for (const served of modules.versions) await addVersion(app, served, modules);
  for (const { routes } of modules.streams ?? [])
    for (const { method, path, handle } of routes) addRaw(app, method, path, handle);
  const monitor = new Monitor(modules);
  addServicePaths(app, monitor, modules);
  addDocuments(app, modules);
  addMcp(app, modules);
  addExplorer(app, modules);
  if (options.metrics.kind === "path") addMetrics(app, monitor, modules, true);
  await app.ready();
  return app;
}

/** Metrics on a port of their own. */
function openMetrics(options: ServerOptions, modules: ServerModules): FastifyInstance {
  const [first] = modules.versions;
  const app = makeApp(options, first);
  addMetrics(app, new Monitor(modules), modules, false);
  checkHeaders(app, options, first, (request, response) => app.routing(request, response));
  return app;
}

/** Answers the requests of an app that listens: bad headers are refused before anything reads them. */
function checkHeaders(
  app: FastifyInstance,
  { maxHeaderBytes }: ServerOptions,
  first: ServedVersion | undefined,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  limitHeaders(app.server);
  app.server.removeAllListeners("request");
  app.server.on("request", (request, response) => {
    const error = findHeaderError(request, maxHeaderBytes);
    if (error === undefined) {
      answer(request, response);
      return;
    }
    response.shouldKeepAlive = false;
    first?.handler.refuse(error, request, response);
  });
}

function makeApp(options: ListeningOptions, first: ServedVersion | undefined): FastifyInstance {
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
  // Answers of the framework; handlers of API versions write their own headers.
  app.addHook("onSend", (_request, reply, payload, done) => {
    reply.header("x-content-type-options", "nosniff");
    done(null, payload);
  });
  const refuseStray = limited("page", first, (request, response) =>
    first?.handler.refuse(new ApiError("api/not-found", `no such path: ${request.url}`), request, response),
  );
  addRaw(app, app.supportedMethods, "/*", refuseStray);
  // Methods the framework has never heard of come here.
  app.setNotFoundHandler((request, reply) => {
    reply.hijack();
    refuseStray(request.raw, reply.raw);
  });
  return app;
}

type RawHandler = (request: IncomingMessage, response: ServerResponse) => void;

async function addVersion(app: FastifyInstance, served: ServedVersion, modules: ServerModules): Promise<void> {
  const {
    base,
    routes,
    hasKeyPaths,
    rpcPath,
    rpcAliases = [],
    openApi,
    handler,
    documentAlias,
    version,
    rootPrefix,
  } = served;
  for (const { name, path, methods } of routes) {
    const url = path.replaceAll(/\{(\w+)\}/g, ":$1");
    for (const method of methods) {
      const answer: RawHandler = (request, response) =>
        method === "GET" ? handler.get(name, request, response) : handler.post(name, request, response);
      addRaw(app, method, `${base}/${url}`, answer);
      if (rootPrefix !== undefined && url.startsWith(rootPrefix)) addRaw(app, method, `/${url}`, answer);
      if (hasKeyPaths) addRaw(app, method, `${base}/k/:key/${url}`, answer);
    }
  }
  if (rpcPath !== undefined)
    addRaw(app, "POST", `${base}${rpcPath}`, (request, response) => handler.rpc(request, response));
  for (const path of rpcAliases) {
    addRaw(app, "POST", path, (request, response) => handler.rpc(request, response));
    addRaw(app, "OPTIONS", path, (_request, response) => answerPreflight(response, served));
  }
  const [first] = modules.versions;
  const page = limitedRoute("page", first);
  for (const name of ["openapi.json", ...(documentAlias === undefined ? [] : [documentAlias])]) {
    app.get(`${base}/${name}`, page, (_request, reply) => {
      count("openapi", reply, modules);
      return reply
        .header("access-control-allow-origin", "*")
        .header("x-api-version", version)
        .type("application/json")
        .send(openApi);
    });
  }
  app.get(`${base}/postman.json`, page, (request, reply) => {
    count("postman", reply, modules);
    return reply
      .header("access-control-allow-origin", "*")
      .header("x-api-version", version)
      .header("content-disposition", `attachment; filename="tongate-${served.name}.postman_collection.json"`)
      .send(served.postman(`${request.protocol}://${request.host}`));
  });
  addApiPage(app, served, modules);
  const known = knownMethods(served);
  const refuseStray = limited("page", first, (request, response) =>
    handler.refuse(strayError(known, base, request), request, response),
  );
  addRaw(app, app.supportedMethods, `${base}/*`, (request, response) => {
    if (request.method === "OPTIONS") answerPreflight(response, served);
    else refuseStray(request, response);
  });
}

function addApiPage(app: FastifyInstance, served: ServedVersion, modules: ServerModules): void {
  const page = new ApiPage(served, modules.assets);
  for (const path of page.paths) addPage(app, path, (request, response) => page.handle(request, response), modules);
}

function portOf(app: FastifyInstance): number {
  const address = app.server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

interface OpenServers {
  readonly apps: readonly FastifyInstance[];
  readonly seconds: readonly HttpServer[];
  readonly streams: readonly StreamRoutes[];
  readonly sockets: ServerSockets;
}

/** How long what uses destroyed sockets may take to notice. */
const noticeMs = 1_000;

/** Stops listening; after the drain time every socket is destroyed, whatever it is used for. */
async function closeApps(
  { apps, seconds, streams, sockets }: OpenServers,
  drainMs: number,
  { clock, draining, log }: ServerModules,
): Promise<void> {
  draining.begin();
  let cancel = () => {};
  const closed = Promise.all([
    ...streams.map((stream) => stream.close(drainMs)),
    ...apps.map((app) => app.close()),
    ...seconds.map(closeServer),
  ]);
  // Between the two, the loop reads what has arrived.
  setImmediate(() => setImmediate(() => sockets.destroyUnused()));
  const overdue = new Promise<void>((resolve) => {
    const endAll = () => {
      if (sockets.size > 0 && drainMs > 0)
        log.warn("answers did not finish in time; closing their connections", { drainMs });
      sockets.destroyAll();
      cancel = clock.timer(noticeMs, resolve);
    };
    if (drainMs === 0) endAll();
    else cancel = clock.timer(drainMs, endAll);
  });
  await Promise.race([closed, overdue]);
  cancel();
}
