import fc from "fast-check";
import { describe, expect, it } from "vitest";

const { renderMarkdown } = (await import("../../scripts/documents.mjs" as string)) as {
  renderMarkdown(source: string, rewriteLink: (href: string) => string): { title: string; html: string };
};

const render = (source: string) => renderMarkdown(source, (href) => href).html;

describe("Markdown", () => {
  it("renders headings with the ids that links use", () => {
    expect(renderMarkdown("# Start `<here>`\n\n## Why [`v3`](a.md) is 503, and when?\n", (href) => href)).toEqual({
      title: "Start <here>",
      html: '<h1 id="start-here">Start &lt;here&gt;</h1>\n<h2 id="why-v3-is-503-and-when">Why v3 is 503, and when?</h2>\n',
    });
  });

  it("renders tables that can be scrolled, with escaped bars in cells", () => {
    const html = render("| a | b |\n| --- | --- |\n| `x\\|y` | 2 |\n");
    expect(html).toMatch(/^<div class="table"><table>\n.*<\/table><\/div>\n$/s);
    expect(html).toContain("<td><code>x|y</code></td>\n<td>2</td>");
  });

  it("keeps code unchanged, with markup in it as text", () => {
    expect(render("```sh\na < b  # **no**\n\nc\n```\n\n`**no** [x](y)`\n")).toBe(
      "<pre><code>a &lt; b  # **no**\n\nc</code></pre>\n<p><code>**no** [x](y)</code></p>\n",
    );
  });

  it("renders links, which the caller may rewrite, and emphasis", () => {
    const rewrite = (href: string) => href.replace(/\.md$/, "");
    expect(renderMarkdown("see [`x`](a.md), **b** and *c*", rewrite).html).toBe(
      '<p>see <a href="a"><code>x</code></a>, <strong>b</strong> and <em>c</em></p>\n',
    );
  });

  it("removes comments and ends unclosed code at the end of the document", () => {
    expect(render("<!-- not run: why -->\n```\nx\n")).toBe("<pre><code>x</code></pre>\n");
  });

  it("never passes markup or scripts of the source through", () => {
    expect(render('<script>alert(1)</script> [x](javascript:alert(1)) <b title="y">')).not.toMatch(
      /<script|<b|href="javascript/,
    );
    fc.assert(
      fc.property(
        fc.string({ maxLength: 300, unit: fc.constantFrom(..."<>\"'&`*[](){}#|-\n ab:/!javascript") }),
        (source) => {
          const tags = render(source).match(/<\/?[a-z0-9]+/g) ?? [];
          const known =
            /^<\/?(?:h[1-6]|p|ul|ol|li|pre|code|table|thead|tbody|tr|th|td|div|a|strong|em|hr|br|blockquote|del|input)$/;
          expect(tags.filter((tag) => !known.test(tag))).toEqual([]);
          expect(render(source)).not.toMatch(/href="\s*javascript:/i);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
