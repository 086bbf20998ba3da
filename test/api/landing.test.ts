import { describe, expect, it } from "vitest";
import { formatLanding } from "../../src/api/landing.ts";

const page = formatLanding({
  title: "A & B",
  facts: [["Network", "<here>"]],
  links: [{ path: "/api/v2/", text: "v2" }],
  examples: [`curl 'http://localhost/?a=1&b="2"'`, "curl http://localhost/x"],
});

describe("the page at /", () => {
  it("tells what runs here, where to go on, and requests to copy, in this order", () => {
    const told = [...page.matchAll(/<(?:dd|li|pre)>(.*?)<\/(?:dd|li|pre)>/g)].map(([, text]) => text);
    expect(told).toEqual([
      "&lt;here&gt;",
      '<a href="/api/v2/">v2</a>',
      "curl &#39;http://localhost/?a=1&amp;b=&quot;2&quot;&#39;",
      "curl http://localhost/x",
    ]);
    expect(page).toContain("<h1>A &amp; B</h1>");
  });

  it("fetches nothing from anywhere", () => {
    expect(page).not.toMatch(/<(?:script|img|link)|src=|url\(/);
  });
});
