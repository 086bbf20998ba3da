import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { Clock } from "../../../lib/clock.ts";
import { metricsType } from "../../../lib/process/metricsText.ts";
import { Monitor } from "../../Monitor.ts";
import type { Metrics } from "../../metrics.ts";
import type { ReadinessCheck } from "../../readiness.ts";
import { limitHeaders } from "./listening.ts";
import { findHeaderError } from "./wireChecks.ts";

export interface MonitorServerOptions {
  readonly host: string;
  readonly port: number;
}

export interface MonitorServerModules {
  readonly metrics: Metrics;
  readonly checks: readonly ReadinessCheck[];
  readonly clock: Clock;
}

export interface MonitorServer {
  readonly port: number;
  close(): Promise<void>;
}

/** How long a request may take to arrive. */
const requestMs = 10_000;
/** Node's own limit, which includes the URL. */
const maxHeaderBytes = 16_384;

/** Serves `/metrics`, `/readyz` and `/healthcheck` of a process without an API, such as an indexer. */
export async function openMonitorServer(
  { host, port }: MonitorServerOptions,
  modules: MonitorServerModules,
): Promise<MonitorServer> {
  const monitor = new Monitor(modules);
  const server = createServer({ requestTimeout: requestMs, headersTimeout: requestMs }, (request, response) => {
    const path = (request.url ?? "").replace(/\?.*$/s, "");
    if (findHeaderError(request, maxHeaderBytes) !== undefined) {
      response.shouldKeepAlive = false;
      response.writeHead(431, { "Content-Length": 0 }).end();
      return;
    }
    const isRead = request.method === "GET" || request.method === "HEAD";
    void answer(isRead ? path : "", response, monitor).catch(() => response.destroy());
  });
  limitHeaders(server);
  server.on("connection", (socket) => socket.on("error", () => socket.destroy()));
  server.listen(port, host);
  await once(server, "listening");
  // A failed accept, such as one without a free file descriptor, does not end the process.
  server.on("error", () => {});
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function answer(path: string, response: ServerResponse, monitor: Monitor): Promise<void> {
  const send = (status: number, type: string, text: string) =>
    response
      .writeHead(status, {
        "Content-Type": type,
        "X-Content-Type-Options": "nosniff",
        "Content-Length": Buffer.byteLength(text),
      })
      .end(text);
  if (path === "/metrics") {
    send(200, metricsType, await monitor.metricsText());
  } else if (path === "/readyz") {
    const { isReady, checks } = await monitor.readiness();
    send(isReady ? 200 : 503, "application/json", JSON.stringify({ ready: isReady, stopping: false, checks }));
  } else if (path === "/healthcheck") {
    send(200, "application/json", '"OK"');
  } else {
    send(404, "application/json", '{"error":"not found; use /metrics, /readyz or /healthcheck"}');
  }
}
