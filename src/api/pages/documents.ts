import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { escapeHtml, formatFramed } from "./pageFrame.ts";

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

const style = `.page{display:grid;grid-template-columns:15rem minmax(0,48rem);gap:2rem;max-width:1180px;margin:0 auto;padding:16px}.page>nav ul{list-style:none;margin:0;padding:0;position:sticky;top:1rem}
.page>nav li{margin:4px 0}.page>nav a{text-decoration:none}.page>nav a[aria-current]{font-weight:600;color:inherit}.page>main{padding:14px 24px 24px;margin:0;line-height:1.6}h2{font-size:1.25rem;margin:2rem 0 .6rem}h3{margin:1.6rem 0 .4rem}
pre{overflow-x:auto}p code,li code,td code{background:var(--code);padding:.1em .3em;border-radius:.3em;overflow-wrap:anywhere}.table{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.94rem}
th,td{text-align:left;vertical-align:top;padding:.4rem .8rem .4rem 0;border-bottom:1px solid var(--line)}.found{list-style:none;padding:0}.found li{margin:10px 0}.found p{margin:0;color:var(--soft)}.page>nav input{width:100%;margin-bottom:8px}
@media(max-width:50rem){.page{grid-template-columns:minmax(0,1fr);gap:1rem}.page>nav ul{position:static;display:flex;flex-wrap:wrap;gap:0 1rem}}`;

function formatPage({ title, html }: RenderedDocument, links: string): string {
  return formatFramed({
    title: `${title} · Tongate`,
    style,
    links: [
      { path: "/", text: "Start page" },
      { path: "/docs/start", text: "Documentation", isCurrent: true },
    ],
    content: `<div class="page">
<nav aria-label="Documentation"><ul data-documents>
${links}
</ul></nav>
<main class="panel">
${html}</main>
</div>`,
  });
}
