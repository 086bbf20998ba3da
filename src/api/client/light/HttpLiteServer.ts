import { throwIfAborted } from "../../../lib/deadline.ts";
import { LiteError } from "../../../lite/errors.ts";
import type { AskOptions, LiteServer } from "../../../lite/server/LiteServer.ts";
import { type ClientOptions, keyHeader } from "./ClientOptions.ts";

/** A `LiteServer` behind HTTP: `POST …/query` takes the bytes of a query and answers with those of the answer. */
export class HttpLiteServer implements LiteServer {
  readonly #url: string;
  readonly #options: ClientOptions;

  /** `baseUrl` ends before the name: `…/api/lite/v1`. */
  constructor(baseUrl: string, options: ClientOptions) {
    this.#url = `${baseUrl.replace(/\/+$/, "")}/query`;
    this.#options = options;
  }

  async ask(query: Uint8Array, { signal }: AskOptions): Promise<Uint8Array> {
    const { apiKey, fetch = globalThis.fetch } = this.#options;
    const headers = { "content-type": "application/octet-stream", ...keyHeader(apiKey) };
    const request = { method: "POST", headers, body: new Uint8Array(query), signal };
    const { status, bytes } = await this.#send(() => fetch(this.#url, request), signal);
    if (status === 200) return bytes;
    throw new LiteError("lite/refused", `${this.#url}: ${reasonIn(bytes) ?? `status ${status}`}`);
  }

  async #send(work: () => Promise<Response>, signal: AbortSignal) {
    try {
      const response = await work();
      return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) };
    } catch (cause) {
      throwIfAborted(signal);
      throw new LiteError("lite/refused", `${this.#url}: no answer: ${cause}`, { cause });
    }
  }

  async close(): Promise<void> {}

  destroy(): void {}
}

/** The reason in the answer of an error. */
function reasonIn(bytes: Uint8Array): string | undefined {
  try {
    const { error }: { readonly error?: unknown } = Object(JSON.parse(new TextDecoder().decode(bytes)));
    return typeof error === "string" ? error : undefined;
  } catch {
    return undefined;
  }
}
