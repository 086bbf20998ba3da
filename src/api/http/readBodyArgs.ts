import type { IncomingMessage } from "node:http";
import type { ApiVersion } from "../declare/ApiVersion.ts";
import { ApiError } from "../declare/errors.ts";
import { findProperties, parseBody, type RequestArgs } from "../declare/requestArgs.ts";
import { bytesType } from "./HttpExchange.ts";
import { readBody, readBytes } from "./readBody.ts";

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
  { readBody: readArgs = readObject }: ApiVersion<S>,
  bytes: ApiVersion<S>["bytes"],
  maxBytes: number,
): Promise<RequestArgs> {
  if (bytes !== undefined) return bytes.read(await readBytes(request, maxBytes));
  return readArgs(await readBody(request, maxBytes), request.headers);
}

/** A body that is a JSON object. */
function readObject(text: string): RequestArgs {
  const properties = findProperties(parseBody(text));
  if (properties === undefined) throw new ApiError("api/body", "the body must be a JSON object");
  return properties;
}
