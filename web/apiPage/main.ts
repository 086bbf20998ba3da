import type { PageSamples } from "../api/types.ts";
import { fillDocument } from "./fill.ts";
import { resolveSubtree } from "./resolveSubtree.ts";
import { gatherSamples } from "./samples.ts";

/** Runs on the API pages before Swagger UI starts: fills the document with values that exist on this network. */

type Json = Readonly<Record<string, unknown>>;
type PageProgram = (config: Json) => unknown;

async function ask(path: string): Promise<unknown> {
  const response = await fetch(path);
  return response.ok ? response.json() : undefined;
}

async function post(path: string, body: unknown): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  return response.ok ? response.json() : undefined;
}

async function load(url: string, samples: PageSamples): Promise<Json> {
  const base = url.slice(0, url.lastIndexOf("/"));
  const [document, found] = await Promise.all([
    ask(url),
    gatherSamples(base, samples, (path) => ask(path).catch(() => undefined), post),
  ]);
  return fillDocument(Object(document), samples, found);
}

/** A plugin of Swagger UI that replaces its resolver. */
const ownResolver = () => ({ fn: { resolveSubtree } });

const place = globalThis as unknown as { SwaggerUIBundle?: PageProgram };
const program = place.SwaggerUIBundle;
if (program !== undefined) {
  const start = (config: Json): unknown => {
    const { url, samples, ...others } = config;
    void load(String(url), Object(samples)).then((spec) => program({ ...others, spec, plugins: [ownResolver] }));
    // The page immediately calls this method of the returned object.
    return { initOAuth: () => undefined };
  };
  place.SwaggerUIBundle = Object.assign(start, program);
}
