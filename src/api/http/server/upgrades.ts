import type { IncomingMessage, Server } from "node:http";
import { readPathKey } from "../pathArgs.ts";
import type { StreamRoutes } from "./StreamRoutes.ts";

type Socket = IncomingMessage["socket"];

/** A name with a dot at its end is the same name, written in full. */
export function hostNameOf({ headers }: Pick<IncomingMessage, "headers">): string {
  return headers.host?.replace(/\.?(?::[0-9]*)?$/, "").toLowerCase() ?? "";
}

type Upgrade = StreamRoutes["upgrades"] extends ReadonlyMap<string, infer Value> ? Value : never;

/**
 * What a request becomes, by its path: an upgrade to WebSocket of a stream. All other offers are ignored: they are
 * requests like any other, and so is one with a body, which WebSocket does not have (RFC 6455, 4.1).
 */
export function findUpgrade(streams: readonly StreamRoutes[], request: IncomingMessage): Upgrade | undefined {
  const { headers, method, url = "" } = request;
  if (method !== "GET" || headers.upgrade?.toLowerCase() !== "websocket") return undefined;
  if (Number(headers["content-length"] ?? 0) > 0 || headers["transfer-encoding"] !== undefined) return undefined;
  const path = url.replace(/\?.*$/s, "");
  return streams
    .map(({ upgrades, keyBase }) => upgrades.get(path) ?? upgrades.get(readPathKey(keyBase, path)?.path ?? path))
    .find((each) => each !== undefined);
}

export interface UpgradeModules {
  /** The streams of the host that a request names. */
  readonly find: (request: IncomingMessage) => readonly StreamRoutes[];
  /** Takes a connection from HTTP; returns the received bytes that were not parsed. */
  readonly release: (socket: Socket) => Buffer | undefined;
}

/** Hands connections over to streams; only requests for which `findUpgrade` finds one come here. */
export function addUpgrades(server: Server, { find, release }: UpgradeModules): void {
  server.on("upgrade", (request, socket, head) => {
    // Node has taken its own listener away.
    socket.on("error", () => socket.destroy());
    const rest = release(request.socket);
    const upgrade = findUpgrade(find(request), request);
    if (upgrade === undefined) socket.destroy();
    else upgrade(request, socket, rest === undefined || rest.length === 0 ? head : Buffer.concat([head, rest]));
  });
}
