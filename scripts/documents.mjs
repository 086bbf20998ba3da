import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Marked } from "marked";
import { root } from "./build.mjs";

/** Documents outside of the folder that its pages link. */
const others = ["OPERATING.md", "CHANGELOG.md"];

/** Documents for newcomers come first; the rest follows by name. */
const firstPages = ["start", "mainnet", "streaming", "errors", "proofs", "sizing", "migrating"];

/** Renders every document that the program serves: its name in the URL, its title and its HTML. */
export function renderDocuments() {
  const guides = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
  const paths = [...guides.map((name) => join("docs", name)), ...others];
  return paths
    .map((path) => ({ name: pageName(path), ...renderMarkdown(readFileSync(join(root, path), "utf8"), rewriteLink) }))
    .sort((a, b) => rank(a.name) - rank(b.name) || (a.name < b.name ? -1 : 1));
}

/** Renders the documents for a program that is shipped without the renderer. */
export function writeDocuments(folder) {
  writeFileSync(join(folder, "documents.json"), JSON.stringify(renderDocuments()));
}

/** Raw HTML is text and other schemes than those of the web are no links, so that a document cannot carry a script. */
export function renderMarkdown(source, rewriteLink) {
  let title = "";
  const renderer = {
    heading({ tokens, depth }) {
      const text = this.parser.parseInline(tokens, this.parser.textRenderer);
      title ||= text;
      return `<h${depth} id="${headingId(text)}">${escapeHtml(text)}</h${depth}>\n`;
    },
    code: ({ text }) => `<pre><code>${escapeHtml(text)}</code></pre>\n`,
    html: ({ text }) => escapeHtml(text.replace(/<!--.*?-->\n?/gs, "")),
    image: ({ text }) => escapeHtml(text),
    link({ href, tokens }) {
      const content = this.parser.parseInline(tokens);
      const isPlace = /^(?:https?:\/\/|[#./]|[\w-]+(?:[./#]|$))/.test(href) && !/^\w+:(?!\/\/)/.test(href);
      return isPlace ? `<a href="${escapeHtml(rewriteLink(href))}">${content}</a>` : content;
    },
  };
  const html = new Marked({ renderer }).parse(source);
  return {
    title,
    html: html.replaceAll("<table>", '<div class="table"><table>').replaceAll("</table>", "</table></div>"),
  };
}

/** The id that code hosts give a heading, so that links work there and here. */
function headingId(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

function pageName(path) {
  return path.replace(/^docs[\\/]|\.md$/g, "").toLowerCase();
}

function rank(name) {
  const at = firstPages.indexOf(name);
  return at === -1 ? firstPages.length : at;
}

/**
 * Links between documents become links between pages; the README, which is for the repository, leads to the first
 * guide.
 */
function rewriteLink(href) {
  const [, name, anchor = ""] = /^(?:\.\.?\/)*(?:docs\/)?([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (name === "README") return "/docs/start";
  return name === undefined ? href : `/docs/${name.toLowerCase()}${anchor}`;
}

function escapeHtml(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.stdout.write(JSON.stringify(renderDocuments()));
