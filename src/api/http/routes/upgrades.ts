import type { IncomingMessage, Server } from "node:http";
import { readPathKey } from "../pathArgs.ts";
import type { StreamRoutes } from "./StreamRoutes.ts";

/** A name with a dot at its end is the same name, written in full. */
export function hostNameOf({ headers }: IncomingMessage): string {
  return headers.host?.replace(/\.?(?::[0-9]*)?$/, "").toLowerCase() ?? "";
}

/** Requests that become something else than HTTP, by the name and the path they ask for. */
export function addUpgrades(server: Server, find: (request: IncomingMessage) => readonly StreamRoutes[]): void {
  server.on("upgrade", (request, socket, head) => {
    const path = (request.url ?? "").replace(/\?.*$/s, "");
    const upgrade = find(request)
      .map(({ upgrades, keyBase }) => upgrades.get(path) ?? upgrades.get(readPathKey(keyBase, path)?.path ?? path))
      .find((each) => each !== undefined);
    if (upgrade === undefined) socket.end("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    else upgrade(request, socket, head);
  });
}
