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
pre{background:#f3f4f6;padding:.8rem;overflow:auto;border-radius:.4rem}dt{color:#666}dd{margin:0 0 .6rem;overflow-wrap:anywhere}
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
<dl>
${facts.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join("\n")}
</dl>
<ul>
${links.map(({ path, text }) => `<li><a href="${escapeHtml(path)}">${escapeHtml(text)}</a></li>`).join("\n")}
</ul>
${examples.map((example) => `<pre>${escapeHtml(example)}</pre>`).join("\n")}
</html>
`;
}

const marks: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => marks[mark] ?? mark);
}
