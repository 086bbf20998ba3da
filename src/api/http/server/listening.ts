import { createServer, type Server } from "node:http";
import { type MayUpgrade, upgradableRequest } from "../sockets/UpgradableRequest.ts";
import { maxHeaders } from "./wireChecks.ts";

export interface HttpLimits {
  readonly maxUrlBytes: number;
  readonly maxHeaderBytes: number;
  /** How long a request may take to arrive. */
  readonly requestMs: number;
  /** Which requests become something else than HTTP; none by default. */
  readonly mayUpgrade?: MayUpgrade;
}

/** The limits in the form of Node's servers. */
export function httpOptions({ maxHeaderBytes, maxUrlBytes, requestMs, mayUpgrade = () => false }: HttpLimits) {
  return {
    IncomingMessage: upgradableRequest(mayUpgrade),
    // Node counts the URL together with the headers.
    maxHeaderSize: maxHeaderBytes + maxUrlBytes,
    requestTimeout: requestMs,
    // Node uses the longer of the two timeouts for the whole request, and its default for headers is a minute.
    headersTimeout: requestMs,
    // Node checks for late requests at this interval, which must not exceed their timeout.
    connectionsCheckingInterval: Math.min(requestMs, 30_000),
  };
}

/** Node silently drops headers above its limit, so that must be above ours. */
export function limitHeaders(server: Server): void {
  server.maxHeadersCount = maxHeaders + 1;
}

/** The addresses of `localhost`. The framework would serve the second one without the checks of the first. */
const [firstLoopback, secondLoopback] = ["127.0.0.1", "::1"] as const;

/** The first address that a host name listens on. */
export function firstAddress(host: string): string {
  return host === "localhost" ? firstLoopback : host;
}

/**
 * Listens on the second address of `localhost` for a server that listens on the first and handles all its requests.
 * Returns nothing for other names, or if the machine has no such address.
 */
export async function listenOnSecond(host: string, main: Server, limits: HttpLimits): Promise<Server | undefined> {
  const bound = main.address();
  if (host !== "localhost" || bound === null || typeof bound === "string") return undefined;
  const server = createServer({ ...httpOptions(limits), keepAliveTimeout: main.keepAliveTimeout });
  limitHeaders(server);
  // A server without a listener for upgrades handles them as requests.
  for (const event of ["request", "upgrade", "clientError"].filter((name) => main.listenerCount(name) > 0))
    server.on(event, (...args: readonly unknown[]) => main.emit(event, ...args));
  const isListening = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false)).listen({ host: secondLoopback, port: bound.port }, () => resolve(true));
  });
  return isListening ? server : undefined;
}

/** Accepts no more connections; resolves when the busy ones have ended. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
