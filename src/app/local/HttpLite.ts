import { isCoded } from "../../lib/errors.ts";
import { Lifetime } from "../../lib/Lifetime.ts";
import { LiteError } from "../../lite/errors.ts";
import type { AskOptions, LiteServer } from "../../lite/server/LiteServer.ts";

/** The lite servers of another Tongate, over HTTP. */
export class HttpLite implements LiteServer {
  readonly #url: string;
  readonly #lifetime = new Lifetime(() => new LiteError("lite/closed", "the connection is closed"));

  /** `origin` is the address of the service, without a path of an API. */
  constructor(origin: string) {
    this.#url = `${origin.replace(/\/+$/, "")}/api/lite/v1/query`;
  }

  ask(query: Uint8Array, { signal }: AskOptions): Promise<Uint8Array> {
    const own = new AbortController();
    const until = AbortSignal.any([signal, own.signal]);
    return this.#lifetime.run(
      () => this.#post(query, until),
      (reason) => own.abort(reason),
    );
  }

  async #post(query: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
    const headers = { "content-type": "application/octet-stream" };
    try {
      const answer = await fetch(this.#url, { method: "POST", headers, body: Buffer.from(query), signal });
      const bytes = new Uint8Array(await answer.arrayBuffer());
      if (answer.ok) return bytes;
      const text = Buffer.from(bytes).toString().slice(0, 300);
      throw new LiteError("lite/lost", `${this.#url} answered ${answer.status}: ${text}`);
    } catch (cause) {
      signal.throwIfAborted();
      if (isCoded(cause)) throw cause;
      throw new LiteError("lite/lost", `${this.#url} cannot be reached: ${Object(cause).message}`, { cause });
    }
  }

  close(): Promise<void> {
    return this.#lifetime.close(new LiteError("lite/closed", "the connection is closed"));
  }

  destroy(reason: LiteError): void {
    this.#lifetime.destroy(reason);
  }
}
