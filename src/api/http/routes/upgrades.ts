import type { IncomingMessage, Server } from "node:http";
import type { StreamRoutes } from "./StreamRoutes.ts";

interface Streaming {
  readonly streams?: readonly StreamRoutes[];
}

interface NamedStreaming extends Streaming {
  /** In lower case, without port. */
  readonly hostNames: readonly string[];
}

/** A name with a dot at its end is the same name, written in full. */
export function hostNameOf({ headers }: IncomingMessage): string {
  return headers.host?.replace(/\.?(?::[0-9]*)?$/, "").toLowerCase() ?? "";
}

/** Upgrade requests, by protocol and path. */
export function addUpgrades(server: Server, modules: Streaming, named: readonly NamedStreaming[]): void {
  server.on("upgrade", (request, socket, head) => {
    const found = named.find(({ hostNames }) => hostNames.includes(hostNameOf(request))) ?? modules;
    const path = (request.url ?? "").replace(/\?.*$/s, "");
    const upgrade = found.streams?.map(({ upgrades }) => upgrades.get(path)).find((each) => each !== undefined);
    if (upgrade === undefined) socket.end("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    else upgrade(request, socket, head);
  });
}
