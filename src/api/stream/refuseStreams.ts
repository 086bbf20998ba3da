import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { offRoutes } from "../http/server/offRoutes.ts";
import type { StreamRoutes } from "../http/server/StreamRoutes.ts";
import { refuseUpgrade } from "./websocket/upgrade.ts";

/** The addresses of streams: that of the contract, and a short one. */
export const streamBases: readonly string[] = ["/api/streaming/v2", "/streaming/v2"];

/** Events come from an index: a process without one refuses every stream and says why. */
const refusal = { error: "replay is not configured" };

/** The routes of streams in a process without an index. */
export function refuseStreams(): StreamRoutes {
  const upgrade = (_request: IncomingMessage, socket: Duplex): void => {
    socket.on("error", () => socket.destroy());
    refuseUpgrade(socket, 503, "Service Unavailable", JSON.stringify(refusal));
  };
  return {
    routes: streamBases.flatMap((base) => offRoutes([`${base}/sse`, `${base}/ws`], refusal)),
    upgrades: new Map(streamBases.map((base) => [`${base}/ws`, upgrade])),
    close: async () => {},
  };
}
