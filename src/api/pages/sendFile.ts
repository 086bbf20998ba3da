import type { IncomingMessage, ServerResponse } from "node:http";
import type { PageFile } from "./PageFile.ts";

/** For names whose content may change: browsers revalidate and mostly get 304. */
export const revalidated = "no-cache";

/**
 * Answers GET or HEAD with a file, in the smallest form that the client accepts, or with 304 when the client has it.
 */
export async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  file: PageFile,
  more: Readonly<Record<string, string>>,
): Promise<void> {
  const headers = { ...more, "Content-Type": file.type, ETag: file.etag, Vary: "Accept-Encoding" };
  const known = request.headers["if-none-match"]?.split(",").map((each) => each.trim());
  if (known?.includes(file.etag)) {
    response.writeHead(304, headers).end();
    return;
  }
  const { bytes, encoding } = await file.encode(String(request.headers["accept-encoding"] ?? ""));
  response.writeHead(200, {
    ...headers,
    ...(encoding === undefined ? {} : { "Content-Encoding": encoding }),
    "Content-Length": bytes.length,
  });
  response.end(request.method === "HEAD" ? undefined : bytes);
}
