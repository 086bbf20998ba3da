import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly exports: Readonly<
    Record<string, string | { readonly types: string; readonly browser?: string; readonly default: string }>
  >;
};
const modules = Object.entries(exports).flatMap(([name, place]) =>
  typeof place === "string" ? [] : [{ name, ...place }],
);

/** The source of a built file, relative to the root. */
function sourceOf(built: string): string {
  return built.replace(/^\.\/dist\//, "src/").replace(/(?:\.d\.ts|\.js)$/, ".ts");
}

/**
 * The build writes their values in their place; the tests of the package and of ready-made ABIs read what was built.
 */
const writtenByBuild = ["src/api/client/verify/clientNames.ts", "src/api/client/contract/readyAbis.ts"];

/** Packages that a source needs at run time, directly or indirectly. */
function packagesOf(path: string, seen = new Set<string>()): readonly string[] {
  if (seen.has(path) || writtenByBuild.includes(path)) return [];
  seen.add(path);
  const imports = readFileSync(join(root, path), "utf8").matchAll(/^(?:import|export) (?!type ).*?from "([^"]+)";/gms);
  return [...imports].flatMap(([, name = ""]) =>
    name.startsWith(".") ? packagesOf(join(dirname(path), name), seen) : [name],
  );
}

describe("the exports of the package", () => {
  it.each(modules)("$name has its code and its types from one source", ({ types, browser, default: code }) => {
    expect(sourceOf(types)).toBe(sourceOf(code));
    // Those of a local network are for programs only.
    if (browser !== undefined) expect(sourceOf(browser.replace("/browser/", "/"))).toBe(sourceOf(code));
    expect(existsSync(join(root, sourceOf(code)))).toBe(true);
  });

  const clients = modules.filter(({ default: code }) => code.startsWith("./dist/api/client/"));
  it.each(clients)("$name needs no package and nothing of Node, so that it runs in browsers, too", (each) => {
    expect(packagesOf(sourceOf(each.default))).toEqual([]);
  });
});
