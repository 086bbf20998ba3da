import { escapeHtml } from "./html.ts";
import { drawingType, icon } from "./logo.ts";

/** The status of this service, for the page at `/`. */
export interface LandingFacts {
  readonly title: string;
  /** Facts by name: network, newest block, version. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly links: readonly { readonly path: string; readonly text: string }[];
  /** Example requests to copy. */
  readonly examples: readonly string[];
  /** Example accounts: wallets of a local network and contracts of its demo set. */
  readonly accounts?: Accounts;
}

type Accounts = readonly (readonly [name: string, address: string])[];

const explorerPath = "/explorer/";

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:54rem;margin:3rem auto;padding:0 1rem;color:#222;background:#fff}
h1{display:flex;align-items:center;gap:.6rem;margin:0 0 .2rem}h1 svg{width:1em;height:1em;flex:none}h2{font-size:1.1rem;margin:2rem 0 .6rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.4rem 1.5rem;margin:1rem 0}dt{color:#666}dd{margin:0;overflow-wrap:anywhere}
a{color:#0070b4}pre{background:#f3f4f6;padding:.7rem;margin:.5rem 0;white-space:pre-wrap;overflow-wrap:anywhere;border-radius:.4rem;font-size:.9rem}
pre{position:relative;padding-right:5rem}[data-accounts] dd{display:flex;align-items:baseline;gap:.7rem}[data-accounts] dt{white-space:nowrap}
button{font:inherit;font-size:.8rem;padding:.05rem .5rem;border:1px solid #8886;border-radius:.3rem;background:none;color:inherit;cursor:pointer}
pre button{position:absolute;top:.6rem;right:.6rem;font-family:system-ui,sans-serif}
@media(max-width:34rem){body{margin-top:1.5rem}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.7rem}}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#16181c}pre{background:#23262c}dt{color:#999}a{color:#7ab8ff}}`;

const iconAddress = `data:${drawingType},${encodeURIComponent(icon.toString())}`;

/** The page at `/`: small and self-contained. Its script updates the facts; the page also works without it. */
export function formatLanding({ title, facts, links, examples, accounts = [] }: LandingFacts): string {
  const hasExplorer = links.some(({ path }) => path === explorerPath);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${iconAddress}">
<style>${style}</style>
<main>
<h1>${icon.toString().replace("<svg", '<svg aria-hidden="true"')}${escapeHtml(title)}</h1>
<p>Access to the TON blockchain over HTTP.</p>
<dl data-live>
${facts.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join("\n")}
</dl>
<h2>To read and to try</h2>
<dl>
${links.map(({ path, text }) => `<dt>${formatLink(path)}</dt><dd>${escapeHtml(text)}</dd>`).join("\n")}
</dl>
<h2>First requests</h2>
${examples.map((example) => `<pre data-copy>${escapeHtml(example)}</pre>`).join("\n")}
${accounts.length === 0 ? "" : formatAccounts(accounts, hasExplorer)}</main>
<script src="/landing.js" defer></script>
</html>
`;
}

function formatAccounts(accounts: Accounts, hasExplorer: boolean): string {
  const rows = accounts.map(([name, address]) => {
    const code = `<code data-copy>${escapeHtml(address)}</code>`;
    const page = `${explorerPath}address/${encodeURIComponent(address)}`;
    return `<dt>${escapeHtml(name)}</dt><dd>${hasExplorer ? `<a href="${page}">${code}</a>` : code}</dd>`;
  });
  return `<h2>Accounts to start with</h2>\n<dl data-accounts>\n${rows.join("\n")}\n</dl>\n`;
}

function formatLink(path: string): string {
  return `<a href="${escapeHtml(path)}">${escapeHtml(path)}</a>`;
}
