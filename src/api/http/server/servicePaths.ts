import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply } from "fastify";
import { metricsType } from "../../../lib/process/metricsText.ts";
import type { PageKind } from "../../access/Gatekeeper.ts";
import type { Monitor } from "../../Monitor.ts";
import { Documents } from "../../pages/documents.ts";
import { explorerBase } from "../../pages/ExplorerPages.ts";
import { formatLanding } from "../../pages/landing.ts";
import { styledPageHeaders } from "../../pages/pageHeaders.ts";
import type { ServedVersion } from "../ServedVersion.ts";
import { mcpHandlers } from "./mcpHandlers.ts";
import type { ServerModules } from "./ServerModules.ts";

type RawHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Hands a request over before the framework looks at its body: content types mean nothing to this interface. */
export function addRaw(
  app: FastifyInstance,
  method: string | readonly string[],
  url: string,
  handle: RawHandler,
): void {
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

/** Health checks and link checkers use HEAD: every page answers it as GET, without the body. */
const withHead = { exposeHeadRoute: true };

/** Counts a request for something besides an API version by the limits of its client, then handles it. */
export function limited(kind: PageKind, first: ServedVersion | undefined, handle: RawHandler): RawHandler {
  return (request, response) => {
    if (first === undefined) handle(request, response);
    else first.handler.admitPage(kind, request, response, () => handle(request, response));
  };
}

/** The same for a page of the framework, and its HEAD; without a call of `done`, it does nothing more. */
export function limitedRoute(kind: PageKind, first: ServedVersion | undefined) {
  return {
    ...withHead,
    onRequest: (
      { raw }: { readonly raw: IncomingMessage },
      reply: { readonly raw: ServerResponse },
      done: () => void,
    ): void => {
      if (first === undefined) done();
      else first.handler.admitPage(kind, raw, reply.raw, done);
    },
  };
}

/** Counts a request for a path that no API version has, when its answer has left. */
export function count(
  name: string,
  reply: FastifyReply,
  { metrics, clock }: Pick<ServerModules, "metrics" | "clock">,
): void {
  const startedAt = clock.monotonic();
  reply.raw.once("finish", () => {
    const bytes = Number(reply.raw.getHeader("content-length") ?? 0);
    metrics.requests.add(name, "GET", reply.raw.statusCode, (clock.monotonic() - startedAt) / 1000, bytes);
  });
}

export function addServicePaths(app: FastifyInstance, monitor: Monitor, modules: ServerModules): void {
  const { facts, draining, assets } = modules;
  const page = limitedRoute("page", modules.versions[0]);
  app.get("/landing.js", page, async (_request, reply) => {
    const script = (await assets?.())?.landing ?? "";
    return reply.headers(styledPageHeaders).type("text/javascript").send(script);
  });
  app.get("/", page, (_request, reply) =>
    reply.headers(styledPageHeaders).type("text/html; charset=utf-8").send(formatLanding(facts())),
  );
  app.get("/healthcheck", withHead, (_request, reply) => reply.type("application/json").send('"OK"'));
  app.get("/readyz", withHead, async (_request, reply) => {
    count("readyz", reply, modules);
    const { isReady, checks } = await monitor.readiness();
    const ready = isReady && !draining.isOn;
    return reply.code(ready ? 200 : 503).send({ ready, stopping: draining.isOn, checks });
  });
}

/** The documentation. */
export function addDocuments(app: FastifyInstance, { versions }: ServerModules): void {
  const page = limitedRoute("page", versions[0]);
  const documents = new Documents();
  app.get("/docs", page, async (_request, reply) => reply.redirect(`/docs/${(await documents.names())[0]}`));
  app.get<{ Params: { name: string } }>("/docs/:name", page, async (request, reply) => {
    const page = await documents.findPage(request.params.name);
    if (page === undefined)
      return reply.code(404).send({ error: `page not found; use one of: ${(await documents.names()).join(", ")}` });
    return reply.headers(styledPageHeaders).type("text/html; charset=utf-8").send(page);
  });
}

/** The operations as tools of assistants. */
export function addMcp(app: FastifyInstance, { versions }: ServerModules): void {
  const { post, other } = mcpHandlers(versions, (request) => app.inject(request));
  addRaw(app, "POST", "/mcp", limited("page", versions[0], post));
  addRaw(app, ["GET", "DELETE"], "/mcp", other);
}

export function addExplorer(app: FastifyInstance, modules: ServerModules): void {
  const { explorer } = modules;
  if (explorer === undefined) return;
  for (const path of [explorerBase, `${explorerBase}/*`])
    addPage(app, path, (request, response) => explorer.handle(request, response), modules);
}

type PageHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Answers GET and HEAD of a path with a file. */
export function addPage(
  app: FastifyInstance,
  path: string,
  handle: PageHandler,
  { versions, log }: Pick<ServerModules, "versions" | "log">,
): void {
  const send: RawHandler = (request, response) => {
    handle(request, response).catch((cause: unknown) => {
      log.error("a file of a page could not be sent", { path: request.url, cause: String(cause) });
      response.destroy();
    });
  };
  addRaw(app, ["GET", "HEAD"], path, limited("page", versions[0], send));
}

/** On a port of its own, metrics are for their operator alone and are not limited. */
export function addMetrics(app: FastifyInstance, monitor: Monitor, modules: ServerModules, isPublic: boolean): void {
  const route = limitedRoute("metrics", isPublic ? modules.versions[0] : undefined);
  app.get("/metrics", route, async (_request, reply) => {
    count("metrics", reply, modules);
    const text = await monitor.metricsText();
    return reply.type(metricsType).send(text);
  });
}
