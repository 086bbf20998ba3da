import { describe, expect, it } from "vitest";
import { formatLanding } from "../../../src/api/pages/landing.ts";

const page = formatLanding({
  title: "A & B",
  facts: [["Network", "<here>"]],
  links: [{ path: "/api/v2/", text: "v2 & more" }],
  examples: [`curl 'http://localhost/?a=1&b="2"'`, "curl http://localhost/x"],
  accounts: [["wallet <1>", "UQ…"]],
});

describe("the page at /", () => {
  it("shows facts, links and requests to copy, in this order", () => {
    const reported = [...page.matchAll(/<(?:dt|dd|pre)(?: data-copy)?>(.*?)<\/(?:dt|dd|pre)>/g)].map(
      ([, text]) => text,
    );
    expect(reported).toEqual([
      "Network",
      "&lt;here&gt;",
      '<a href="/api/v2/">/api/v2/</a>',
      "v2 &amp; more",
      '<a href="/docs/start">/docs/start</a>',
      "the documentation: guides, errors, settings, with a search",
      "curl &#39;http://localhost/?a=1&amp;b=&quot;2&quot;&#39;",
      "curl http://localhost/x",
      "wallet &lt;1&gt;",
      "<code data-copy>UQ…</code>",
    ]);
    expect(page).toContain("<h1>A &amp; B</h1>");
  });

  it("has the header of the explorer: links to what this service has, and to the documentation", () => {
    const header = page.slice(page.indexOf("<header"), page.indexOf("</header>"));
    const links = [...header.matchAll(/<a (?:class="brand" )?href="([^"]+)"[^>]*>(?:<svg.*?<\/svg>)?([^<]+)<\/a>/g)];
    expect(links.map(([, path, text]) => [path, text])).toEqual([
      ["/", "Tongate"],
      ["/", "Start page"],
      ["/api/v2/", "API v2"],
      ["/docs/start", "Documentation"],
    ]);
  });

  it("loads only its own script, and nothing from elsewhere", () => {
    expect(page.match(/<script[^>]*>/g)).toEqual(['<script src="/landing.js" defer>']);
    expect(page.match(/src="[^"]*"/g)).toEqual(['src="/landing.js"']);
    expect(page).not.toMatch(/<img|url\(/);
    expect(page.match(/<link [^>]*>/g)).toEqual([expect.stringMatching(/^<link rel="icon" href="data:[^"]*">$/)]);
  });
});
