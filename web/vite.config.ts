import { join } from "node:path";
import { defineConfig } from "vite";

const root = import.meta.dirname;

/** Where a server answers while the explorer is developed: `npx vite web`. */
const server = "http://127.0.0.1:8081";
const paths = ["/api", "/localnet", "/readyz", "/metrics"];

/** What the first page needs, and with it every other. */
function isCore(id: string): boolean {
  const isShared = /[\\/](?:preact|web[\\/](?:api|app|format|parts))[\\/]/.test(id);
  return isShared && !/(?:CellTree|TransactionList|NftCards|Outside|Pager|Tabs|exitCodes)\.tsx?$/.test(id);
}

export default defineConfig({
  root,
  base: "/explorer/",
  oxc: { jsx: { runtime: "automatic", importSource: "preact", development: false } },
  server: { proxy: Object.fromEntries(paths.map((path) => [path, { target: server }])) },
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    // Inlined assets would need `data:` in the policy of the pages.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      input: {
        index: join(root, "index.html"),
        "api-page": join(root, "apiPage/main.ts"),
        landing: join(root, "landing.ts"),
      },
      output: {
        // The server puts these into its own pages by their names.
        entryFileNames: ({ name }) => (name === "index" ? "assets/[name]-[hash].js" : "[name].js"),
        // What every page needs is one file, what pictures and cells need another: fewer requests than a file a module.
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
