import type { IncomingMessage, ServerResponse } from "node:http";
import type { StreamRoutes } from "../../../api/http/server/StreamRoutes.ts";
import { checkControls } from "../../../api/local/controls.ts";
import type { Database } from "../../../history/store/Database.ts";
import { isCoded } from "../../../lib/errors.ts";
import type { NetworkModules, OpenNetwork } from "../parts/OpenNetwork.ts";
import { verifyNetwork } from "./verifyNetwork.ts";

/** Where a server compares its own index with the chain, for `tongate index verify` of the same machine. */
const verifyPath = "/index/verify";

const maxSampled = 1_000_000;

/** The route by which this machine has the index compared; one comparison runs at a time. */
export function verifyRoutes(network: OpenNetwork, database: Database, modules: NetworkModules): StreamRoutes {
  let isRunning = false;
  const answer = async (request: IncomingMessage): Promise<readonly [status: number, body: unknown]> => {
    if (isRunning) return [409, { error: "another verification is running" }];
    const { headers, socket, url = "" } = request;
    const sample = Number(new URL(url, "http://localhost").searchParams.get("sample"));
    if (!Number.isInteger(sample) || sample < 1 || sample > maxSampled)
      return [422, { error: `sample must be a whole number from 1 to ${maxSampled}` }];
    isRunning = true;
    try {
      const { host, origin } = headers;
      const isForwarded = headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined;
      checkControls("loopback", { client: socket.remoteAddress ?? "", isForwarded, host, origin });
      return [200, await verifyNetwork(network, database, modules, sample)];
    } catch (error) {
      if (!isCoded(error)) throw error;
      return [error.code === "api/local-controls" ? 403 : 503, { error: error.message }];
    } finally {
      isRunning = false;
    }
  };
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    answer(request).then(
      ([status, body]) => send(response, status, body),
      (error: unknown) => {
        modules.log.error("the index could not be verified", { error });
        send(response, 500, { error: "the index could not be verified; see the log" });
      },
    );
  };
  return { routes: [{ method: "POST", path: verifyPath, handle }], upgrades: new Map(), close: async () => {} };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response
    .writeHead(status, { "content-type": "application/json", "x-content-type-options": "nosniff" })
    .end(JSON.stringify(body));
}
