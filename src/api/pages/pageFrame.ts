const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text escaped for HTML, between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => entities[mark] ?? mark);
}

/** The media type of the drawings here. */
const drawingType = "image/svg+xml";

const gate =
  '<path d="M4 28V14a12 12 0 0 1 24 0v14M10 28V15a6 6 0 0 1 12 0v13" fill="none" stroke="#0098ea" stroke-width="4"/>';

/** For browser tabs. */
export const icon = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${gate}</svg>`);
/** For page headers with a dark background. */
export const logo =
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="180" height="40" viewBox="0 0 144 32">${gate}
<text x="40" y="24" fill="#fff" font-family="system-ui,sans-serif" font-size="22" font-weight="600">Tongate</text></svg>`);

/** The look of the explorer for the pages that the server writes: the same colours, header and panels. */
const style = `:root{color-scheme:light dark;--ground:#f5f7fa;--card:#fff;--ink:#16202c;--soft:#566374;--line:#dde3ea;--accent:#006fb3;--tint:#eaf4fb;--code:#f0f3f7}
@media(prefers-color-scheme:dark){:root{--ground:#10141a;--card:#181e26;--ink:#e6ebf1;--soft:#9dabbb;--line:#2b343f;--accent:#5fb8f2;--tint:#1b2b38;--code:#11161c}}
*{box-sizing:border-box}body{font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;margin:0;color:var(--ink);background:var(--ground)}
.top{background:var(--card);border-bottom:1px solid var(--line);padding:10px 16px}.bar{display:flex;align-items:center;gap:8px 20px;flex-wrap:wrap;max-width:1148px;margin:0 auto}
.brand{display:flex;align-items:center;gap:8px;font-weight:700;font-size:1.15rem;color:var(--ink)}.brand svg{width:24px;height:24px}
.bar nav{display:flex;flex-wrap:wrap;gap:2px}.bar nav a{color:var(--soft);padding:6px 10px;border-radius:8px}.bar nav a:hover,.bar nav a[aria-current]{background:var(--tint);color:var(--ink);text-decoration:none}
.bar nav a[aria-current]{font-weight:600}a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}p a,li a,dd a,dt a{text-decoration:underline;text-underline-offset:2px}
main{max-width:1180px;margin:0 auto;padding:16px}h1{font-size:1.6rem;line-height:1.25;margin:8px 0 16px}h2{font-size:1.05rem;margin:0 0 10px}
.panel{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:14px 16px;margin-bottom:16px}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.875em}pre{position:relative;background:var(--code);padding:10px 5rem 10px 12px;margin:8px 0;border-radius:6px}
button,input{font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:8px;padding:6px 12px}button{cursor:pointer;font-size:.8rem;padding:1px 8px}
pre button{position:absolute;top:8px;right:8px;font-family:system-ui,sans-serif}:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
@media(max-width:640px){.top{padding:6px 12px}.bar{flex-wrap:nowrap;gap:8px}.bar nav{flex-wrap:nowrap;overflow-x:auto;scrollbar-width:none;white-space:nowrap}.brand{font-size:0;gap:0}main{padding:12px}}`;

const iconAddress = `data:${drawingType},${encodeURIComponent(icon.toString())}`;

/** A page of the frame. */
export interface FramedPage {
  readonly title: string;
  /** Links of the header; the current one is marked. */
  readonly links: readonly { readonly path: string; readonly text: string; readonly isCurrent?: boolean }[];
  /** Styles of this page alone. */
  readonly style: string;
  readonly content: string;
}

/** The whole page. Its script adds copy buttons and more; the page also works without it. */
export function formatFramed({ title, links, style: own, content }: FramedPage): string {
  const items = links.map(
    ({ path, text, isCurrent = false }) =>
      `<a href="${escapeHtml(path)}"${isCurrent ? ' aria-current="page"' : ""}>${escapeHtml(text)}</a>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${iconAddress}">
<style>${style}
${own}</style>
<header class="top"><div class="bar">
<a class="brand" href="/">${icon.toString().replace("<svg", '<svg aria-hidden="true"')}Tongate</a>
<nav aria-label="Pages">${items.join("\n")}</nav>
</div></header>
${content}
<script src="/landing.js" defer></script>
</html>
`;
}
