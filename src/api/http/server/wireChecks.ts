import type { IncomingMessage } from "node:http";
import { ApiError } from "../../declare/errors.ts";

/** Browsers and proxies send less than half of it. */
export const maxHeaders = 100;

/**
 * Header errors that the HTTP parser accepts: more headers than anybody needs (the parser drops those above its own
 * limit, so that what decides about a request may be behind them, seen by a proxy and not by us), more bytes than the
 * contract allows (the parser counts the URL with them), or several `Host` headers, which proxies and servers may read
 * differently (RFC 9112, 3.2).
 */
export function findHeaderError({ rawHeaders }: IncomingMessage, maxHeaderBytes: number): ApiError | undefined {
  if (rawHeaders.length > 2 * maxHeaders)
    return new ApiError("api/header-size", `too many headers (limit ${maxHeaders})`);
  let bytes = 0;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    // Name and value are separated by a colon and a space and end with a line break.
    bytes += name.length + (rawHeaders[at + 1]?.length ?? 0) + 4;
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  if (hosts > 1) return new ApiError("api/url", "a request must have only one Host header");
  return bytes > maxHeaderBytes
    ? new ApiError("api/header-size", `the headers are too large (limit ${maxHeaderBytes} bytes)`)
    : undefined;
}

/** The error for a request that the HTTP parser rejects, by the parser's code. */
export function wireError(code: string, maxHeaderBytes: number): ApiError {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new ApiError("api/header-size", `the headers are too large (limit ${maxHeaderBytes} bytes)`);
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new ApiError("api/slow-request", "the request did not arrive in time");
    default:
      return new ApiError("api/url", "not an HTTP request");
  }
}
