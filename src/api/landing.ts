/** What runs here, for people who open the address in a browser. */
export interface LandingFacts {
  readonly title: string;
  /** What there is to know, each by its name: network, newest block, version. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly links: readonly { readonly path: string; readonly text: string }[];
  /** First requests to copy. */
  readonly examples: readonly string[];
}

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:3rem auto;padding:0 1rem;color:#222;background:#fff}
h1{margin:0 0 .2rem}h1::before{content:"\\2229";color:#0098ea;font-weight:900;padding-right:.5rem}h2{font-size:1.1rem;margin:2rem 0 .6rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.3rem 1.5rem}dt{color:#666}dd{margin:0;overflow-wrap:anywhere}
ul{padding-left:1.2rem}a{color:#0078c0}pre{background:#f3f4f6;padding:.7rem;margin:.5rem 0;white-space:pre-wrap;overflow-wrap:anywhere;border-radius:.4rem}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#16181c}pre{background:#23262c}dt{color:#999}a{color:#7ab8ff}}`;

/** The page at `/`: small, whole in itself, no script. */
export function formatLanding({ title, facts, links, examples }: LandingFacts): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
<h1>${escapeHtml(title)}</h1>
<p>Access to the TON blockchain over HTTP.</p>
<dl>
${facts.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join("\n")}
</dl>
<h2>To read and to try</h2>
<ul>
${links.map(({ path, text }) => `<li><a href="${escapeHtml(path)}">${escapeHtml(text)}</a></li>`).join("\n")}
</ul>
<h2>First requests</h2>
${examples.map((example) => `<pre>${escapeHtml(example)}</pre>`).join("\n")}
</html>
`;
}

const marks: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => marks[mark] ?? mark);
}
