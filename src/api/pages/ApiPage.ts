import type { IncomingMessage, ServerResponse } from "node:http";
import type { PageSamples } from "../declare/argument.ts";
import { type PageAssets, swaggerNames } from "./PageAssets.ts";
import { PageFile } from "./PageFile.ts";
import { escapeHtml, icon, logo } from "./pageFrame.ts";
import { styledPageHeaders } from "./pageHeaders.ts";
import { revalidated, sendFile } from "./sendFile.ts";

/** What a page says of its API version. */
export interface ApiPageFacts {
  readonly base: string;
  readonly title: string;
  readonly version: string;
  /** What it puts into the fields. */
  samples(): PageSamples;
}

type ApiAssets = Pick<PageAssets, "apiPage" | "swaggerUi">;
type LoadApiAssets = () => Promise<ApiAssets>;

const noAssets: ApiAssets = { apiPage: "", swaggerUi: undefined };

/** Where a page keeps its files, below the base of its API version. */
const filesPath = "/static/";
const pageName = "index.html";
const fileNames = [...swaggerNames, "page.css", "fill.js", "start.js", "icon.svg", "logo.svg"];

/** The page to read and try an API version, with everything it needs: nothing is fetched from elsewhere. */
export class ApiPage {
  readonly #facts: ApiPageFacts;
  readonly #load: LoadApiAssets | undefined;
  #made: { readonly assets: ApiAssets; readonly files: ReadonlyMap<string, PageFile> } | undefined;

  constructor(facts: ApiPageFacts, load: LoadApiAssets | undefined) {
    this.#facts = facts;
    this.#load = load;
  }

  /**
   * The paths of the page, from the root of the server; the base also works without its slash and with its file name.
   */
  get paths(): readonly string[] {
    const { base } = this.#facts;
    return [`${base}/`, `${base}/${pageName}`, ...fileNames.map((name) => `${base}${filesPath}${name}`)];
  }

  /** Answers GET and HEAD of one of the paths. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { base, version } = this.#facts;
    const headers = { ...styledPageHeaders, "X-Api-Version": version };
    const path = (request.url ?? "").replace(/[?#].*$/s, "");
    // What the page needs is found by its place, which is inside of the base.
    if (path === base) {
      response.writeHead(302, { ...headers, Location: `${base}/` }).end();
      return;
    }
    const name =
      path === `${base}/` || path === `${base}/${pageName}` ? pageName : path.slice(`${base}${filesPath}`.length);
    const file = (await this.#files()).get(name);
    if (file === undefined) response.writeHead(404, headers).end();
    else await sendFile(request, response, file, { ...headers, "Cache-Control": revalidated });
  }

  /** The files are made once for the assets there are. */
  async #files(): Promise<ReadonlyMap<string, PageFile>> {
    const assets = (await this.#load?.()) ?? noAssets;
    if (this.#made?.assets !== assets) this.#made = { assets, files: makeFiles(this.#facts, assets) };
    return this.#made.files;
  }
}

function makeFiles(facts: ApiPageFacts, { apiPage, swaggerUi }: ApiAssets): ReadonlyMap<string, PageFile> {
  const written = {
    [pageName]: Buffer.from(swaggerUi ? formatPage(facts) : formatBarePage(facts)),
    "page.css": Buffer.from(style),
    "fill.js": Buffer.from(apiPage),
    "start.js": Buffer.from(formatStart(facts)),
    "icon.svg": icon,
    "logo.svg": logo,
  };
  const made = Object.entries(written).map(([name, bytes]): [string, PageFile] => [name, new PageFile(name, bytes)]);
  return new Map([...(swaggerUi ?? []), ...made]);
}

/**
 * Words in code do not lie on those below; the head is ours; no answer has links; on a phone nothing is wider than the
 * window.
 */
const style = `body{margin:0}
header{background:#1b1b1b;padding:10px 20px}
header img{height:40px;display:block}
.swagger-ui .info p code{padding:0 4px}
.swagger-ui .response-col_links{display:none}
@media(max-width:640px){
.swagger-ui .wrapper,.swagger-ui .opblock .opblock-section-header{padding:0 10px}
.swagger-ui .opblock-body .table-container,.swagger-ui .responses-inner{padding:10px}
.swagger-ui table.responses-table{table-layout:fixed}
.swagger-ui table.responses-table .response-col_status,.swagger-ui table.responses-table .col_header:first-child{width:3em}
.swagger-ui table.parameters{table-layout:fixed}
.swagger-ui table.parameters .parameters-col_name,.swagger-ui table.parameters .col_header:first-child{width:32%;overflow-wrap:anywhere}
.swagger-ui .parameters-col_description input,.swagger-ui .parameters-col_description select{max-width:100%;width:100%}
.swagger-ui .opblock-summary-path{max-width:none}
.swagger-ui .filter .operation-filter-input{width:100%;box-sizing:border-box}
.swagger-ui .response-col_description{overflow-wrap:anywhere}
}
`;

function formatPage({ title }: ApiPageFacts): string {
  const scripts = ["swagger-ui-bundle.js", "fill.js", "start.js"];
  return `${formatHead(title, ["swagger-ui.css", "page.css"])}<div id="swagger-ui"></div>
${scripts.map((name) => `<script src=".${filesPath}${name}"></script>\n`).join("")}</body>
</html>
`;
}

/** Where the program runs from its sources and nothing was built for browsers. */
function formatBarePage({ title }: ApiPageFacts): string {
  return `${formatHead(title, ["page.css"])}<main><h1>${escapeHtml(title)}</h1>
<p>The page is not built. Build it with: npm run build. The document of the API is <a href="openapi.json">openapi.json</a>.</p></main>
</body>
</html>
`;
}

function formatHead(title: string, styles: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<link rel="icon" type="image/svg+xml" href=".${filesPath}icon.svg">
${styles.map((name) => `<link rel="stylesheet" href=".${filesPath}${name}">\n`).join("")}</head>
<body>
<header><a href="/"><img src=".${filesPath}logo.svg" alt="Tongate"></a></header>
`;
}

/** Follows the choice between light and dark, for which Swagger UI has a class. */
const followTheme = `const dark = matchMedia("(prefers-color-scheme: dark)");
const paint = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", paint);
paint();
`;

/** Starts Swagger UI; `fill.js` has put itself before it. */
function formatStart({ base, samples }: ApiPageFacts): string {
  const config = { dom_id: "#swagger-ui", url: `${base}/openapi.json`, samples: samples() };
  const options = { deepLinking: true, tryItOutEnabled: true, filter: true, validatorUrl: null };
  return `${followTheme}SwaggerUIBundle(${JSON.stringify({ ...config, ...options })});\n`;
}
