import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { defineConfig, type Plugin } from "vite";

const root = import.meta.dirname;

/** Ships Swagger UI, which the API pages use, with its licence. */
function shipSwaggerUi(): Plugin {
  const folder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  const names = ["swagger-ui-bundle.js", "swagger-ui-bundle.js.LICENSE.txt", "swagger-ui.css", "LICENSE", "NOTICE"];
  return {
    name: "tongate-swagger-ui",
    generateBundle() {
      for (const name of names) {
        // Source maps are not shipped.
        const source = readFileSync(join(folder, name), "utf8").replace(/\n?(?:\/\/|\/\*)# sourceMappingURL=.*$/m, "");
        this.emitFile({ type: "asset", fileName: `swagger-ui/${name}`, source });
      }
    },
  };
}

/** The development server behind `npx vite web`. */
const server = "http://127.0.0.1:8081";
const paths = ["/api", "/localnet", "/readyz", "/metrics"];

/** What the first page, and therefore every page, needs. */
function isCore(id: string): boolean {
  const isShared = /[\\/](?:preact|web[\\/](?:api|app|format|parts))[\\/]/.test(id);
  return isShared && !/(?:CellTree|TransactionList|NftCards|Outside|Pager|Tabs|exitCodes)\.tsx?$/.test(id);
}

export default defineConfig({
  root,
  base: "/explorer/",
  plugins: [shipSwaggerUi()],
  oxc: { jsx: { runtime: "automatic", importSource: "preact", development: false } },
  server: { proxy: Object.fromEntries(paths.map((path) => [path, { target: server }])) },
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    // Inlined assets would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      input: {
        index: join(root, "index.html"),
        "api-page": join(root, "apiPage/main.ts"),
        landing: join(root, "landing.ts"),
      },
      output: {
        // The server includes these in its own pages by name.
        entryFileNames: ({ name }) => (name === "index" ? "assets/[name]-[hash].js" : "[name].js"),
        // One file for what every page needs and one for diagrams and cells: fewer requests than a file per module.
        codeSplitting: {
          groups: [
            { name: "core", test: (id: string) => isCore(id), priority: 2 },
            { name: "cells", test: /[\\/]web[\\/](?:cells[\\/]|parts[\\/]CellTree)/, priority: 1 },
            { name: "trace", test: /[\\/]web[\\/](?:trace[\\/]|format[\\/]exitCodes)/, priority: 1 },
            { name: "lists", test: /[\\/]web[\\/]parts[\\/]/ },
          ],
        },
      },
    },
  },
});
