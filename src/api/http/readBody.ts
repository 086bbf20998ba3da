import type { IncomingMessage } from "node:http";
import { ApiError } from "../declare/errors.ts";

/** Reads a request's body as text; rejects a too long one as soon as that is known. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const refuseLong = () => reject(new ApiError("api/body-size", `a body may have ${maxBytes} bytes`));
    const chunks: Buffer[] = [];
    let length = 0;
    let isWhole = false;
    request.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxBytes) refuseLong();
      else chunks.push(chunk);
    });
    request.on("end", () => {
      isWhole = true;
      resolve((chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString("utf8") ?? "");
    });
    const refuseCut = () => {
      // Creating an error is slow, and every request closes.
      if (!isWhole) reject(new ApiError("api/slow-request", "the request did not arrive whole"));
    };
    request.on("close", refuseCut);
    if (request.destroyed) refuseCut();
    if (Number(request.headers["content-length"] ?? 0) > maxBytes) refuseLong();
  });
}
