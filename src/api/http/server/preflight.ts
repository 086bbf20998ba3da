import type { ServerResponse } from "node:http";
import type { ServedVersion } from "../ServedVersion.ts";

const usualHeaders = "Content-Type, X-API-Key, X-Ton-Client-Version, X-Request-Id, X-Tongate-Trace, X-Proof";

/** CORS preflight requests of browsers; without a version they are for an API that is switched off. */
export function answerPreflight(
  response: ServerResponse,
  { version, allowedHeaders = usualHeaders }: Partial<ServedVersion>,
): void {
  response.writeHead(204, {
    ...(version !== undefined && { "X-API-Version": version }),
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
    "Access-Control-Allow-Headers": allowedHeaders,
    "Access-Control-Max-Age": "86400",
  });
  response.end();
}
