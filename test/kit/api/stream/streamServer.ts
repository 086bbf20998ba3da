import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type AccessControl, openAccess } from "../../../../src/api/access/Gatekeeper.ts";
import { StreamHub } from "../../../../src/api/stream/StreamHub.ts";
import { StreamLimits } from "../../../../src/api/stream/StreamLimits.ts";
import { serveSse } from "../../../../src/api/stream/serveSse.ts";
import { serveWebSocket } from "../../../../src/api/stream/serveWebSocket.ts";
import { type Clock, systemClock } from "../../../../src/lib/clock.ts";
import { zeroHash } from "../../../../src/model/Hash.ts";
import { quietLog } from "../apiServer.ts";
import type { FakeIndex } from "./fakeIndex.ts";

/** The streams of an index over HTTP, as one process serves them. */
export interface StreamServer {
  readonly origin: string;
  readonly hub: StreamHub;
  /** Ends without a word to its clients, like a killed process. */
  kill(): Promise<void>;
}

export interface StreamServerParts {
  readonly clock?: Clock;
  readonly access?: AccessControl;
}

const noLimits = { connections: 10_000, addresses: 10_000, all: true };

export async function serveStreams(
  index: FakeIndex,
  { clock = systemClock, access = openAccess }: StreamServerParts = {},
): Promise<StreamServer> {
  const hub = new StreamHub({ source: index.source(), zeroState: zeroHash, clock, log: quietLog });
  const limits = new StreamLimits(new Map(), noLimits);
  const modules = {
    hub,
    limits,
    clock,
    access,
    mayAskForAll: true,
    refuseOutside: async () => {},
    log: quietLog,
    trustedProxies: [],
  };
  const server = createServer((request, response) => void serveSse(request, response, modules));
  server.on("upgrade", (request, socket, head) => void serveWebSocket(request, socket, head, modules));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const sockets = trackSockets(server);
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hub,
    kill: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await hub.close(0);
    },
  };
}

function trackSockets(server: Server): ReadonlySet<{ destroy(): void }> {
  const sockets = new Set<{ destroy(): void }>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return sockets;
}
