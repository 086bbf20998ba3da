import { escapeHtml } from "./html.ts";

/** A heading of a document, with the id that links use. */
export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly id: string;
}

/** A document as HTML; `headings` gives its table of contents. */
export interface RenderedDocument {
  readonly title: string;
  readonly html: string;
  readonly headings: readonly Heading[];
}

/**
 * Renders the Markdown that our documents use: headings, paragraphs, lists, tables, fenced code, links, emphasis and
 * HTML comments. Everything else is text: raw HTML is escaped, so that a document can never carry a script.
 */
export function renderMarkdown(source: string, rewriteLink: (href: string) => string): RenderedDocument {
  const lines = source.replace(/<!--.*?-->\n?/gs, "").split("\n");
  const headings: Heading[] = [];
  const parts: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const block = readBlock(lines, at);
    if (block.kind === "heading") headings.push(block.heading);
    parts.push(renderBlock(block, rewriteLink));
    at = block.end;
  }
  return { title: headings[0]?.text ?? "", html: parts.join(""), headings };
}

type Block = { readonly end: number } & (
  | { readonly kind: "blank" }
  | { readonly kind: "heading"; readonly heading: Heading }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "table"; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: "list"; readonly ordered: boolean; readonly items: readonly string[] }
  | { readonly kind: "paragraph"; readonly text: string }
);

const listItem = /^(?:[-*]|([0-9]+)\.) +(.*)$/;

function readBlock(lines: readonly string[], start: number): Block {
  const line = lines[start] ?? "";
  if (line.trim() === "") return { kind: "blank", end: start + 1 };
  const [, marks, heading = ""] = /^(#{1,6}) +(.+)$/.exec(line) ?? [];
  if (marks !== undefined) {
    return {
      kind: "heading",
      heading: { level: marks.length, text: plain(heading), id: headingId(heading) },
      end: start + 1,
    };
  }
  if (line.startsWith("```")) return readCode(lines, start);
  if (line.startsWith("|")) return readTable(lines, start);
  if (listItem.test(line)) return readList(lines, start);
  return readParagraph(lines, start);
}

function readCode(lines: readonly string[], start: number): Block {
  const found = lines.indexOf("```", start + 1);
  const end = found === -1 ? lines.length : found;
  return { kind: "code", text: lines.slice(start + 1, end).join("\n"), end: end + 1 };
}

function readTable(lines: readonly string[], start: number): Block {
  let end = start;
  while (lines[end]?.startsWith("|") === true) end += 1;
  const rows = lines.slice(start, end).map((line) =>
    line
      .replace(/^\||\|$/g, "")
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll("\\|", "|")),
  );
  return { kind: "table", rows: rows.filter((row) => !row.every((cell) => /^:?-+:?$/.test(cell))), end };
}

/** An item continues over indented lines. */
function readList(lines: readonly string[], start: number): Block {
  const items: string[] = [];
  let end = start;
  for (; end < lines.length; end++) {
    const line = lines[end] ?? "";
    const [, , text] = listItem.exec(line) ?? [];
    if (text !== undefined) items.push(text);
    else if (/^ {2,}\S/.test(line) && items.length > 0) items.push(`${items.pop()} ${line.trim()}`);
    else break;
  }
  return { kind: "list", ordered: /^[0-9]/.test(lines[start] ?? ""), items, end };
}

function readParagraph(lines: readonly string[], start: number): Block {
  let end = start + 1;
  while (end < lines.length && !/^(?:\s*$|#|```|\||[-*] )/.test(lines[end] ?? "")) end += 1;
  return { kind: "paragraph", text: lines.slice(start, end).join(" "), end };
}

function renderBlock(block: Block, rewriteLink: (href: string) => string): string {
  const inline = (text: string) => renderInline(text, rewriteLink);
  switch (block.kind) {
    case "blank":
      return "";
    case "heading": {
      const { level, id, text } = block.heading;
      return `<h${level} id="${id}">${escapeHtml(text)}</h${level}>\n`;
    }
    case "code":
      return `<pre><code>${escapeHtml(block.text)}</code></pre>\n`;
    case "table":
      return renderTable(block.rows, inline);
    case "list": {
      const tag = block.ordered ? "ol" : "ul";
      return `<${tag}>\n${block.items.map((item) => `<li>${inline(item)}</li>\n`).join("")}</${tag}>\n`;
    }
    case "paragraph":
      return `<p>${inline(block.text)}</p>\n`;
  }
}

function renderTable([head = [], ...body]: readonly (readonly string[])[], inline: (text: string) => string): string {
  const row = (tag: string) => (cells: readonly string[]) =>
    `<tr>${cells.map((cell) => `<${tag}>${inline(cell)}</${tag}>`).join("")}</tr>\n`;
  return `<div class="table"><table>\n<thead>\n${row("th")(head)}</thead>\n<tbody>\n${body.map(row("td")).join("")}</tbody>\n</table></div>\n`;
}

const codeOrLink = /`([^`]+)`|\[((?:`[^`]*`|[^\][`])+)\]\(([^)\s]+)\)/g;

/** The first match wins: a link inside code is code, code inside a label is part of the link. */
function renderInline(text: string, rewriteLink: (href: string) => string): string {
  let html = "";
  let end = 0;
  for (const match of text.matchAll(codeOrLink)) {
    const [all, code, label = "", href = ""] = match;
    html += renderText(text.slice(end, match.index));
    html += code === undefined ? renderLink(label, href, rewriteLink) : `<code>${escapeHtml(code)}</code>`;
    end = match.index + all.length;
  }
  return html + renderText(text.slice(end));
}

/** Only links to the web and to our documents are kept; a label never contains another link. */
function renderLink(label: string, href: string, rewriteLink: (href: string) => string): string {
  const content = renderInline(label, rewriteLink);
  const isPlace = /^(?:https?:\/\/|[#./]|[\w-]+(?:[./#]|$))/.test(href) && !/^\w+:(?!\/\/)/.test(href);
  return isPlace ? `<a href="${escapeHtml(rewriteLink(href))}">${content}</a>` : content;
}

function renderText(text: string): string {
  return escapeHtml(text)
    .replace(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>")
    .replace(/(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])/g, "<em>$1</em>");
}

/** A heading without its markup. */
function plain(heading: string): string {
  return heading.replace(/[`*]/g, "").replace(/\[([^\]]+)\]\([^)]+\)/g, "$1");
}

/** The id that code hosts give a heading, so that links work there and here. */
export function headingId(heading: string): string {
  return plain(heading)
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}
