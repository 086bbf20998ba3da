import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { ApiPage } from "../../../src/api/pages/ApiPage.ts";
import { findSwaggerUi } from "../../../src/api/pages/PageAssets.ts";

const swaggerUi = findSwaggerUi(join(import.meta.dirname, "../../../node_modules/swagger-ui-dist"));
const facts = {
  base: "/api/v2",
  title: "TON <v2>",
  version: "2.1.0",
  samples: () => ({ "/getShards": { seqno: "seqno" as const } }),
};
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function open(page: ApiPage): Promise<string> {
  const server = createServer((request, response) => void page.handle(request, response));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("the page of an API version", () => {
  it("refers only to its own files, and serves each with its type, compressed", async () => {
    const page = new ApiPage(facts, async () => ({ apiPage: "fill()", swaggerUi }));
    const origin = await open(page);
    const html = await (await fetch(`${origin}/api/v2/`)).text();
    expect(html).toContain("<title>TON &lt;v2&gt;</title>");
    const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, path = ""]) => new URL(path, `${origin}/api/v2/`),
    );
    const paths = named.map(({ pathname }) => pathname).filter((path) => path !== "/");
    const [, withName, ...files] = page.paths;
    expect(paths.sort()).toEqual(files.toSorted());
    expect(await (await fetch(`${origin}${withName}`)).text()).toBe(html);
    const answers = await Promise.all(paths.map((path) => fetch(`${origin}${path}`)));
    expect(
      answers.map(({ status, headers }) => [status, headers.get("content-type"), headers.get("content-encoding")]),
    ).toEqual([
      [200, "text/javascript; charset=utf-8", "gzip"],
      [200, "image/svg+xml", "gzip"],
      [200, "image/svg+xml", "gzip"],
      [200, "text/css; charset=utf-8", "gzip"],
      [200, "text/javascript; charset=utf-8", "gzip"],
      [200, "text/javascript; charset=utf-8", "gzip"],
      [200, "text/css; charset=utf-8", "gzip"],
    ]);
    expect(await answers[0]?.text()).toBe("fill()");
    const bundle = answers[5];
    expect((await bundle?.text())?.length).toBeGreaterThan(1e6);
    const again = await fetch(`${origin}/api/v2/`, {
      headers: { "if-none-match": `${(await fetch(`${origin}/api/v2/`)).headers.get("etag")}` },
    });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  it("starts Swagger UI with the document and the samples of its version, without a validator", async () => {
    const origin = await open(new ApiPage(facts, async () => ({ apiPage: "", swaggerUi })));
    const start = await (await fetch(`${origin}/api/v2/static/start.js`)).text();
    const [, config = ""] = /^SwaggerUIBundle\((.*)\);\n$/m.exec(start) ?? [];
    expect(JSON.parse(config)).toEqual({
      dom_id: "#swagger-ui",
      url: "/api/v2/openapi.json",
      samples: { "/getShards": { seqno: "seqno" } },
      deepLinking: true,
      tryItOutEnabled: true,
      filter: true,
      validatorUrl: null,
    });
  });

  it("reports a missing build, and links the document", async () => {
    const origin = await open(new ApiPage(facts, undefined));
    const html = await (await fetch(`${origin}/api/v2/`)).text();
    expect(html).toContain(
      'The page is not built. Build it with: npm run build. The document of the API is <a href="openapi.json">',
    );
    expect(html).not.toContain("<script");
  });
});
