import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { headingId, renderMarkdown } from "../../../src/api/pages/markdown.ts";

const render = (source: string) => renderMarkdown(source, (href) => href).html;

describe("Markdown", () => {
  it("renders headings with the ids that links use", () => {
    const { html, headings, title } = renderMarkdown("# Start `here`\n\n## What, then?\n", (href) => href);
    expect(html).toBe('<h1 id="start-here">Start here</h1>\n<h2 id="what-then">What, then?</h2>\n');
    expect([title, headings.map(({ level }) => level)]).toEqual(["Start here", [1, 2]]);
  });

  it("joins the lines of a paragraph and of an item", () => {
    expect(render("one\ntwo\n\n- a\n  b\n- c\n\n1. x\n2. y\n")).toBe(
      "<p>one two</p>\n<ul>\n<li>a b</li>\n<li>c</li>\n</ul>\n<ol>\n<li>x</li>\n<li>y</li>\n</ol>\n",
    );
  });

  it("renders tables, with escaped bars in cells", () => {
    expect(render("| a | b |\n| --- | :-: |\n| `x\\|y` | 2 |\n")).toBe(
      '<div class="table"><table>\n<thead>\n<tr><th>a</th><th>b</th></tr>\n</thead>\n<tbody>\n<tr><td><code>x|y</code></td><td>2</td></tr>\n</tbody>\n</table></div>\n',
    );
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
    expect(render("<!-- not run: why -->\n```\nx\n")).toBe("<pre><code>x\n</code></pre>\n");
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
          const known = /^<\/?(?:h[1-6]|p|ul|ol|li|pre|code|table|thead|tbody|tr|th|td|div|a|strong|em)$/;
          expect(tags.filter((tag) => !known.test(tag))).toEqual([]);
          expect(render(source)).not.toMatch(/href="\s*javascript:/i);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("gives a heading the same id as code hosts", () => {
    expect(headingId("Why `v3` is 503, and when")).toBe("why-v3-is-503-and-when");
  });
});
