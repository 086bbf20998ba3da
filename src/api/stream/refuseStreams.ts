import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { StreamRoutes } from "../http/server/StreamRoutes.ts";
import { streamBases } from "./streamBases.ts";
import { refuseUpgrade } from "./websocket/upgrade.ts";

/** Events come from an index: a process without one refuses every stream and says why. */
const body = JSON.stringify({ error: "replay is not configured" });

/** The routes of streams in a process without an index. */
export function refuseStreams(): StreamRoutes {
  const refuse = (request: IncomingMessage, response: ServerResponse): void => {
    request.resume();
    response.writeHead(503, {
      "Content-Type": "application/json",
      "X-Content-Type-Options": "nosniff",
      "Access-Control-Allow-Origin": "*",
      "Content-Length": Buffer.byteLength(body),
    });
    response.end(body);
  };
  const upgrade = (_request: IncomingMessage, socket: Duplex): void => {
    socket.on("error", () => socket.destroy());
    refuseUpgrade(socket, 503, "Service Unavailable", body);
  };
  return {
    routes: streamBases.flatMap((base) => [
      { method: ["GET", "POST"], path: `${base}/sse`, handle: refuse },
      { method: "GET", path: `${base}/ws`, handle: refuse },
    ]),
    upgrades: new Map(streamBases.map((base) => [`${base}/ws`, upgrade])),
    close: async () => {},
  };
}
