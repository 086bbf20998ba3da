import type { IncomingMessage } from "node:http";
import { systemClock } from "../../lib/clock.ts";
import { runInTurns, type Steps } from "../../lib/sharing/steps.ts";
import { TurnBudget } from "../../lib/TurnBudget.ts";
import { ApiError } from "../declare/errors.ts";

/** Reads a request's body as text; rejects a too long one as soon as that is known. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<string> {
  return (await readBytes(request, maxBytes)).toString("utf8");
}

/** The same as bytes. */
export function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const body = new GrowingBytes();
    let isWhole = false;
    let isLong = false;
    const refuseLong = () => {
      isLong = true;
      body.clear();
      reject(new ApiError("api/body-size", `the body is too large (limit ${maxBytes} bytes)`));
    };
    request.on("data", (chunk: Buffer) => {
      if (isLong) return;
      if (body.length + chunk.length > maxBytes) refuseLong();
      else body.push(chunk);
    });
    request.on("end", () => {
      isWhole = true;
      resolve(body.bytes());
    });
    const refuseCut = () => {
      // Creating an error is slow, and every request closes.
      if (!isWhole) reject(new ApiError("api/slow-request", "the request ended early"));
    };
    request.on("close", refuseCut);
    if (request.destroyed) refuseCut();
    if (Number(request.headers["content-length"] ?? 0) > maxBytes) refuseLong();
  });
}

/** Joins chunks in one buffer: a body that comes byte by byte takes no more memory than one that comes at once. */
class GrowingBytes {
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    if (this.#length === 0) this.#bytes = chunk;
    else if (length > this.#bytes.length || this.#bytes.length === this.#length) this.#grow(length);
    if (this.#length > 0) chunk.copy(this.#bytes, this.#length);
    this.#length = length;
  }

  #grow(length: number): void {
    const larger = Buffer.allocUnsafe(Math.max(2 * length, 1_024));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }

  clear(): void {
    this.#bytes = Buffer.alloc(0);
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}

/** All bodies that are read share the thread with everything else. */
const turns = new TurnBudget(systemClock, 4);

/** Reads a body in steps, between which others get their turn. */
export function readInTurns<T>(steps: Steps<T>): Promise<T> {
  return runInTurns(steps, () => turns.yieldIfDue());
}
