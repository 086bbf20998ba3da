import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { escapeHtml } from "./html.ts";
import { drawingType, icon } from "./logo.ts";

/** A document as HTML; `name` is the last part of its URL. */
interface RenderedDocument {
  readonly name: string;
  readonly title: string;
  readonly html: string;
}

/** The build renders the documents; a clone that is not built renders them for the first page. */
const built = new URL("../../documents.json", import.meta.url);
const renderer = new URL("../../../scripts/documents.mjs", import.meta.url);

/** The documentation as pages. */
export class Documents {
  #rendered: Promise<readonly RenderedDocument[]> | undefined;

  async names(): Promise<readonly string[]> {
    return (await this.#load()).map(({ name }) => name);
  }

  /** The whole page, `undefined` when there is no such document. */
  async findPage(name: string): Promise<string | undefined> {
    const documents = await this.#load();
    const document = documents.find((each) => each.name === name);
    if (document === undefined) return undefined;
    const links = documents.map((each) => {
      const current = each === document ? ' aria-current="page"' : "";
      return `<li><a href="/docs/${each.name}"${current}>${escapeHtml(each.title)}</a></li>`;
    });
    return formatPage(document, links.join("\n"));
  }

  #load(): Promise<readonly RenderedDocument[]> {
    this.#rendered ??= loadDocuments().catch((error: unknown) => {
      this.#rendered = undefined;
      throw error;
    });
    return this.#rendered;
  }
}

async function loadDocuments(): Promise<readonly RenderedDocument[]> {
  const text = existsSync(built)
    ? readFileSync(built, "utf8")
    : (await promisify(execFile)(process.execPath, [fileURLToPath(renderer)], { maxBuffer: 1 << 24 })).stdout;
  return JSON.parse(text) as readonly RenderedDocument[];
}

const style = `:root{color-scheme:light dark}body{font:16px/1.6 system-ui,sans-serif;margin:0;color:#222;background:#fff}
.page{display:grid;grid-template-columns:15rem minmax(0,48rem);gap:3rem;max-width:70rem;margin:0 auto;padding:2rem 1rem}
nav ul{list-style:none;margin:0;padding:0;position:sticky;top:2rem}nav li{margin:.3rem 0}nav a[aria-current]{font-weight:600;color:inherit}
h1{margin:0 0 1rem}h2{margin:2.2rem 0 .6rem}h3{margin:1.6rem 0 .4rem}a{color:#0070b4;text-decoration:none}a:hover{text-decoration:underline}
pre{background:#f3f4f6;padding:.8rem 1rem;overflow-x:auto;border-radius:.5rem;font-size:.875rem}code{font-family:ui-monospace,monospace;font-size:.9em}
p code,li code,td code{background:#f3f4f6;padding:.1em .3em;border-radius:.3em;overflow-wrap:anywhere}
.table{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.94rem}th,td{text-align:left;vertical-align:top;padding:.4rem .8rem .4rem 0;border-bottom:1px solid #e3e5e8}
@media(max-width:50rem){.page{grid-template-columns:minmax(0,1fr);gap:1rem;padding:1rem}nav ul{position:static;display:flex;flex-wrap:wrap;gap:0 1rem}}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#16181c}pre,p code,li code,td code{background:#23262c}a{color:#7ab8ff}th,td{border-color:#33373e}}`;

const iconAddress = `data:${drawingType},${encodeURIComponent(icon.toString())}`;

function formatPage({ title, html }: RenderedDocument, links: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)} · Tongate</title>
<link rel="icon" href="${iconAddress}">
<style>${style}</style>
<div class="page">
<nav aria-label="Documentation"><ul>
<li><a href="/">Home</a></li>
${links}
</ul></nav>
<main>
${html}</main>
</div>
</html>
`;
}
