import { type FileHandle, open } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { isCoded } from "../../lib/errors.ts";
import { storageError } from "../../lib/files/FileSystem.ts";

/** A file that is the answer to a request. */
export interface ServedFile {
  readonly path: string;
  readonly bytes: number;
  /** Its name at the client. */
  readonly name: string;
}

/** The most that is read ahead of a client: what the stream of the file and the response hold. */
export const readAheadBytes = 256 << 10;

/**
 * Sends a file as fast as its reader takes it; `headers` are added. Resolves when it is sent or the reader has left.
 */
export async function sendFile(
  response: ServerResponse,
  { path, bytes, name }: ServedFile,
  headers: readonly string[],
): Promise<void> {
  const file = await openToRead(path);
  try {
    const type = ["Content-Type", "application/octet-stream", "X-Content-Type-Options", "nosniff"];
    const disposition = ["Content-Disposition", `attachment; filename="${name}"`, "Content-Length", String(bytes)];
    response.writeHead(200, [...type, ...disposition, ...headers]);
    // The file may not grow beyond what was announced.
    const content = file.createReadStream({
      start: 0,
      end: bytes - 1,
      highWaterMark: readAheadBytes,
      autoClose: false,
    });
    await pipeline(content, response);
  } catch (error) {
    // A reader that leaves is no failure; a file that cannot be read ends the connection, so that nobody takes it for
    // whole.
    response.destroy();
    if (!isGone(error)) throw storageError("read", path, error);
  } finally {
    await file.close();
  }
}

async function openToRead(path: string): Promise<FileHandle> {
  try {
    return await open(path, "r");
  } catch (error) {
    throw storageError("open", path, error);
  }
}

const goneCodes = new Set(["ERR_STREAM_PREMATURE_CLOSE", "ECONNRESET", "EPIPE", "ERR_STREAM_DESTROYED"]);

function isGone(error: unknown): boolean {
  return !isCoded(error) && goneCodes.has(String(Object(error).code));
}
