import type { IncomingMessage, ServerResponse } from "node:http";
import { answerPreflight } from "./preflight.ts";
import type { StreamRoutes } from "./StreamRoutes.ts";

/**
 * The routes of an API that this server has switched off: every request is answered with 503 and this refusal. It is
 * not 404, which clients of these APIs read as "there is none".
 */
export function offRoutes(paths: readonly string[], refusal: object): StreamRoutes["routes"] {
  const body = JSON.stringify(refusal);
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    request.resume();
    if (request.method === "OPTIONS") {
      answerPreflight(response, { allowedHeaders: "*" });
      return;
    }
    response.writeHead(503, {
      "Content-Type": "application/json",
      "X-Content-Type-Options": "nosniff",
      "Access-Control-Allow-Origin": "*",
      "Content-Length": Buffer.byteLength(body),
    });
    response.end(body);
  };
  return paths.map((path) => ({ method: ["GET", "HEAD", "POST", "OPTIONS"], path, handle }));
}
