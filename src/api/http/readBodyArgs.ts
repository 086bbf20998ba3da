import type { IncomingMessage } from "node:http";
import type { ApiVersion } from "../declare/ApiVersion.ts";
import { parseObject, type RequestArgs } from "../declare/requestArgs.ts";
import { bytesType } from "./HttpExchange.ts";
import { readBody, readBytes, readInTurns } from "./readBody.ts";

/** How bytes are read and answered, if the API version has such a form and the request is of it. */
export function findBytesForm<S>(
  { bytes }: ApiVersion<S>,
  headers: IncomingMessage["headers"],
): ApiVersion<S>["bytes"] {
  const type = String(headers["content-type"] ?? "").replace(/;.*$/s, "");
  return type.trim().toLowerCase() === bytesType ? bytes : undefined;
}

/** Reads the arguments in a body, of bytes or text. */
export async function readBodyArgs<S>(
  request: IncomingMessage,
  { readBody: readArgs = parseObject }: ApiVersion<S>,
  bytes: ApiVersion<S>["bytes"],
  maxBytes: number,
): Promise<RequestArgs> {
  if (bytes !== undefined) return bytes.read(await readBytes(request, maxBytes));
  return readInTurns(readArgs(await readBody(request, maxBytes), request.headers));
}
