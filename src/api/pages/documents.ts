import { readdirSync, readFileSync } from "node:fs";
import { escapeHtml } from "./html.ts";
import { drawingType, icon } from "./logo.ts";
import { type RenderedDocument, renderMarkdown } from "./markdown.ts";

/** The documents are part of the package: `docs/` next to the compiled files or to the sources. */
const folder = new URL("../../../docs/", import.meta.url);
const beside = new URL("../../../", import.meta.url);

/** Documents outside of the folder that its pages link. */
const others = ["OPERATING.md", "CHANGELOG.md"];

/** Documents for newcomers come first; the rest follows by name. */
const firstPages = ["start", "mainnet", "streaming", "errors", "proofs", "sizing", "migrating"];

/** The documentation as pages: `name` is the last part of the URL. */
export class Documents {
  readonly #sources: ReadonlyMap<string, URL>;
  readonly #rendered = new Map<string, RenderedDocument>();

  constructor() {
    const guides = readdirSync(folder).filter((name) => name.endsWith(".md"));
    const places: readonly (readonly [string, URL])[] = [
      ...guides.map((name) => [pageName(name), new URL(name, folder)] as const),
      ...others.map((name) => [pageName(name), new URL(name, beside)] as const),
    ];
    this.#sources = new Map([...places].sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1)));
  }

  get names(): readonly string[] {
    return [...this.#sources.keys()];
  }

  /** The whole page, `undefined` when there is no such document. */
  findPage(name: string): string | undefined {
    const document = this.#find(name);
    if (document === undefined) return undefined;
    const links = this.names.map((each) => {
      const current = each === name ? ' aria-current="page"' : "";
      return `<li><a href="/docs/${each}"${current}>${escapeHtml(this.#find(each)?.title ?? each)}</a></li>`;
    });
    return formatPage(document, links.join("\n"));
  }

  #find(name: string): RenderedDocument | undefined {
    const source = this.#sources.get(name);
    if (source === undefined) return undefined;
    const rendered = this.#rendered.get(name) ?? renderMarkdown(readFileSync(source, "utf8"), rewriteLink);
    this.#rendered.set(name, rendered);
    return rendered;
  }
}

function pageName(file: string): string {
  return file.replace(/\.md$/, "").toLowerCase();
}

function rank(name: string): number {
  const at = firstPages.indexOf(name);
  return at === -1 ? firstPages.length : at;
}

/**
 * Links between documents become links between pages; the README, which is for the repository, leads to the first
 * guide.
 */
function rewriteLink(href: string): string {
  const [, name, anchor = ""] = /^(?:\.\.?\/)*([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (name === "README") return "/docs/start";
  return name === undefined ? href : `/docs/${name.toLowerCase()}${anchor}`;
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
