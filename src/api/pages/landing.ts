import { escapeHtml, formatFramed } from "./pageFrame.ts";

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
const documentsPath = "/docs/start";

const style = `dl{display:grid;grid-template-columns:max-content 1fr;gap:6px 24px;margin:0}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}pre{white-space:pre-wrap;overflow-wrap:anywhere}
[data-accounts] dd{display:flex;align-items:baseline;gap:10px}[data-accounts] dt{white-space:nowrap}@media(max-width:34rem){dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:10px}}`;

/** Links of the header, of those that this service has. */
const headerLinks: readonly (readonly [path: string, text: string])[] = [
  [explorerPath, "Explorer"],
  ["/api/v2/", "API v2"],
  ["/api/v3/", "API v3"],
];

/** The page at `/`: small and self-contained. Its script updates the facts. */
export function formatLanding({ title, facts, links, examples, accounts = [] }: LandingFacts): string {
  const paths = new Set(links.map(({ path }) => path));
  const all = [...links, { path: documentsPath, text: "the documentation: guides, errors, settings, with a search" }];
  const content = `<main>
<h1>${escapeHtml(title)}</h1>
<section class="panel"><h2>Access to the TON blockchain over HTTP</h2>
<dl data-live>
${facts.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join("\n")}
</dl></section>
<section class="panel"><h2>To read and to try</h2>
<dl>
${all.map(({ path, text }) => `<dt>${formatLink(path)}</dt><dd>${escapeHtml(text)}</dd>`).join("\n")}
</dl></section>
<section class="panel"><h2>First requests</h2>
${examples.map((example) => `<pre data-copy>${escapeHtml(example)}</pre>`).join("\n")}
</section>
${accounts.length === 0 ? "" : formatAccounts(accounts, paths.has(explorerPath))}</main>`;
  const header = headerLinks.filter(([path]) => paths.has(path)).map(([path, text]) => ({ path, text }));
  return formatFramed({
    title,
    style,
    links: [
      { path: "/", text: "Start page", isCurrent: true },
      ...header,
      { path: documentsPath, text: "Documentation" },
    ],
    content,
  });
}

function formatAccounts(accounts: Accounts, hasExplorer: boolean): string {
  const rows = accounts.map(([name, address]) => {
    const code = `<code data-copy>${escapeHtml(address)}</code>`;
    const page = `${explorerPath}address/${encodeURIComponent(address)}`;
    return `<dt>${escapeHtml(name)}</dt><dd>${hasExplorer ? `<a href="${page}">${code}</a>` : code}</dd>`;
  });
  return `<section class="panel"><h2>Accounts to start with</h2>\n<dl data-accounts>\n${rows.join("\n")}\n</dl></section>\n`;
}

function formatLink(path: string): string {
  return `<a href="${escapeHtml(path)}">${escapeHtml(path)}</a>`;
}
