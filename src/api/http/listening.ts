import { createServer, type Server } from "node:http";

export interface HttpLimits {
  readonly maxUrlBytes: number;
  readonly maxHeaderBytes: number;
  /** How long a request may take to arrive. */
  readonly requestMs: number;
}

/** The limits as Node's servers take them. */
export function httpOptions({ maxHeaderBytes, maxUrlBytes, requestMs }: HttpLimits) {
  return {
    // Node counts the URL together with the headers.
    maxHeaderSize: maxHeaderBytes + maxUrlBytes,
    requestTimeout: requestMs,
    // Of the two times Node takes the longer one for the whole request, and its own for headers is a minute.
    headersTimeout: requestMs,
    // It looks for late requests only so often: not less often than they may take.
    connectionsCheckingInterval: Math.min(requestMs, 30_000),
  };
}

/** The addresses of `localhost`. The framework would answer on the second one past the checks of the first. */
const [firstLoopback, secondLoopback] = ["127.0.0.1", "::1"] as const;

/** The address on which a host name is listened for first. */
export function firstAddress(host: string): string {
  return host === "localhost" ? firstLoopback : host;
}

/**
 * Listens on the second address of `localhost` for a server that listens on the first: that server handles all its
 * requests. Gives none for other names, and where the machine has no such address.
 */
export async function listenOnSecond(host: string, main: Server, limits: HttpLimits): Promise<Server | undefined> {
  const bound = main.address();
  if (host !== "localhost" || bound === null || typeof bound === "string") return undefined;
  const server = createServer({ ...httpOptions(limits), keepAliveTimeout: main.keepAliveTimeout });
  // A server without a listener for upgrades handles them as requests.
  for (const event of ["request", "upgrade", "clientError"].filter((name) => main.listenerCount(name) > 0))
    server.on(event, (...args: readonly unknown[]) => main.emit(event, ...args));
  const isListening = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false)).listen({ host: secondLoopback, port: bound.port }, () => resolve(true));
  });
  return isListening ? server : undefined;
}

/** Takes no more connections; resolves when those that are busy have ended. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
