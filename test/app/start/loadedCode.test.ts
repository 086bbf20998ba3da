import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const source = join(import.meta.dirname, "../../../src");
/** Imports and exports of values; those in braces after `import()` are loaded later. */
const loadsAtOnce = /^(?:import|export) (?!type )(?:[^;"]*? from )?"([^"]+)";/gm;

/** What is loaded with a file: files of the program, and packages. */
function loadedWith(entries: readonly string[]): ReadonlySet<string> {
  const loaded = new Set<string>();
  const queue = entries.map((path) => join(source, path));
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const name = path.startsWith(source) ? path.slice(source.length + 1) : path;
    if (loaded.has(name)) continue;
    loaded.add(name);
    if (path === name) continue;
    const folder = dirname(path);
    for (const [, imported = ""] of readFileSync(path, "utf8").matchAll(loadsAtOnce))
      queue.push(imported.startsWith(".") ? join(folder, imported) : imported);
  }
  return loaded;
}

const isInterface = (name: string): boolean => /^api\/(v2|v3|v4|emulate|stream|mcp)\//.test(name);

test("an indexer loads neither the interfaces nor what serves requests", () => {
  const loaded = [...loadedWith(["app/start/serve.ts", "app/service/indexNetworks.ts"])];
  expect(loaded).toContain("history/ingest/Indexer.ts");
  expect(loaded.filter((name) => isInterface(name) || name === "fastify" || name === "ws")).toEqual([]);
});

test("the reader of imports finds the interfaces where requests are served", () => {
  const loaded = loadedWith(["app/service/serveNetworks.ts"]);
  expect([...loaded].some(isInterface)).toBe(true);
  expect(loaded).toContain("fastify");
});
