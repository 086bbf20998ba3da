import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
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
  readonly #shell: PageFile | undefined;
  readonly #assets: ReadonlyMap<string, PageFile>;
  readonly #about: PageFile;

  /** Reads the whole folder, which is small; nothing outside of it can be named by a request. */
  constructor(folder: string, facts: ExplorerFacts) {
    const shell = join(folder, "index.html");
    this.#shell = existsSync(shell) ? new PageFile("index.html", readFileSync(shell)) : undefined;
    this.#assets = new Map(listAssets(folder));
    this.#about = new PageFile("about.json", Buffer.from(JSON.stringify(facts)));
  }

  /** Answers GET and HEAD of any path below the base. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? "").replace(/[?#].*$/s, "").slice(explorerBase.length);
    if (path === "") {
      response.writeHead(308, { ...strictPageHeaders, Location: `${explorerBase}/` }).end();
    } else if (path === "/about.json") {
      await sendFile(request, response, this.#about, headersOf(revalidated));
    } else if (path.startsWith("/assets/")) {
      const file = this.#assets.get(path);
      if (file === undefined) sendText(response, 404, "There is no such file.\n");
      else await sendFile(request, response, file, headersOf(immutable));
    } else if (this.#shell === undefined) {
      sendText(response, 404, notBuilt);
    } else {
      await sendFile(request, response, this.#shell, headersOf(revalidated));
    }
  }
}

/** Assets have the hash of their content in their names, so a name never changes its content. */
function listAssets(folder: string): (readonly [path: string, file: PageFile])[] {
  const inside = join(folder, "assets");
  if (!existsSync(inside)) return [];
  return readdirSync(inside).map((name) => [`/assets/${name}`, new PageFile(name, readFileSync(join(inside, name)))]);
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { ...strictPageHeaders, "Content-Type": "text/plain; charset=utf-8" });
  response.end(text);
}

function headersOf(cacheControl: string): Readonly<Record<string, string>> {
  return { ...strictPageHeaders, "Cache-Control": cacheControl };
}
