import type { IncomingMessage, ServerResponse } from "node:http";
import type { LoadAssets, PageAssets } from "./PageAssets.ts";
import { PageFile } from "./PageFile.ts";
import { strictPageHeaders } from "./pageHeaders.ts";
import { revalidated, sendFile } from "./sendFile.ts";

/** Where the explorer is served; its bundle is built for this place. */
export const explorerBase = "/explorer";

/** What the explorer needs to know of the server before its first request. */
export interface ExplorerFacts {
  /** The displayed name of the network. */
  readonly network: string;
  /** Whether it is a network of this machine, with a faucet. */
  readonly local: boolean;
  /** What its coin is called. */
  readonly coin: { readonly name: string; readonly symbol: string };
  readonly streaming: boolean;
  readonly emulate: boolean;
  readonly version: string;
}

/** Said where the explorer was not built, as when the program runs from its sources. */
const notBuilt = "The explorer is not built. Build it with: npm run build\n";

const immutable = "public, max-age=31536000, immutable";

/**
 * Serves the built explorer: its assets by name, and its HTML for every other path, which the explorer routes itself.
 */
export class ExplorerPages {
  readonly #load: LoadAssets;
  readonly #about: PageFile;

  constructor(load: LoadAssets, facts: ExplorerFacts) {
    this.#load = load;
    this.#about = new PageFile("about.json", Buffer.from(JSON.stringify(facts)));
  }

  /** Answers GET and HEAD of any path below the base. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? "").replace(/[?#].*$/s, "").slice(explorerBase.length);
    if (path === "") response.writeHead(308, { ...strictPageHeaders, Location: `${explorerBase}/` }).end();
    else if (path === "/about.json") await sendFile(request, response, this.#about, headersOf(revalidated));
    else await sendBuilt(request, response, path, await this.#load());
  }
}

/** The pages of an explorer that is switched off: they say why. */
export function offPages(reason: string): Pick<ExplorerPages, "handle"> {
  return { handle: async (_request, response) => sendText(response, 404, `${reason}\n`) };
}

async function sendBuilt(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  { shell, explorer }: PageAssets,
): Promise<void> {
  if (path.startsWith("/assets/")) {
    const file = explorer.get(path);
    if (file === undefined) sendText(response, 404, "File not found.\n");
    else await sendFile(request, response, file, headersOf(immutable));
  } else if (shell === undefined) {
    sendText(response, 404, notBuilt);
  } else {
    await sendFile(request, response, shell, headersOf(revalidated));
  }
}

function sendText(response: ServerResponse, status: number, text: string): void {
  const length = { "Content-Length": Buffer.byteLength(text) };
  response.writeHead(status, { ...strictPageHeaders, "Content-Type": "text/plain; charset=utf-8", ...length });
  response.end(text);
}

function headersOf(cacheControl: string): Readonly<Record<string, string>> {
  return { ...strictPageHeaders, "Cache-Control": cacheControl };
}
