import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, defineConfig, type Plugin } from "vite";

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

/** Scripts that the server puts into its own pages, by name. */
const scripts = { "api-page": "apiPage/main.ts", landing: "landing.ts" } as const;

/**
 * Builds each of those scripts as one file that imports nothing: a plain script cannot import, and shared chunks have
 * hashed names.
 */
function shipScripts(): Plugin {
  return {
    name: "tongate-scripts",
    async generateBundle() {
      for (const [name, path] of Object.entries(scripts)) {
        const source = await bundleScript(join(root, path));
        this.emitFile({ type: "asset", fileName: `${name}.js`, source });
      }
    },
  };
}

async function bundleScript(input: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "error",
    build: { write: false, target: "es2022", rolldownOptions: { input, output: { format: "iife" } } },
  });
  const outputs = "output" in built ? built.output : [];
  const [chunk, ...others] = outputs;
  if (chunk?.type !== "chunk" || others.length > 0) throw new Error(`${input} is not one script`);
  return chunk.code;
}

interface Checks {
  /** The files, minified; the first one is where they begin. */
  readonly bundleChecks: () => Promise<readonly { readonly fileName: string; readonly code: string }[]>;
}

/** Ships the checks of proofs, which a panel loads when it is to be checked. */
async function shipChecks(): Promise<Plugin> {
  const { bundleChecks }: Checks = await import(pathToFileURL(join(root, "../scripts/bundle.mjs")).href);
  const files = await bundleChecks();
  const [first] = files;
  return {
    name: "tongate-checks",
    config: () => ({ define: { "import.meta.env.CHECKS": JSON.stringify(`./${first?.fileName}`) } }),
    generateBundle() {
      for (const { fileName, code } of files)
        this.emitFile({ type: "asset", fileName: `assets/${fileName}`, source: code });
    },
  };
}

/** The development server behind `npx vite web`. */
const server = "http://127.0.0.1:8081";
const paths = ["/api", "/localnet", "/readyz", "/metrics"];

/** What the first page, and therefore every page, needs. */
function isCore(id: string): boolean {
  const isShared = /[\\/](?:preact|web[\\/](?:api|app|browser|format|parts))[\\/]/.test(id);
  return (
    isShared &&
    !/(?:CellTree|Decoded|NftCards|Outside|Pager|ShareBar|Tabs|exitCodes|contract|useErrorWords)\.tsx?$/.test(id)
  );
}

/** Panels are loaded when a reader opens them; their names set them apart from what pages load. */
function nameChunk({ moduleIds }: { readonly moduleIds: readonly string[] }): string {
  const isPanel = moduleIds.length > 0 && moduleIds.every((id) => /[\\/]web[\\/]contract[\\/]/.test(id));
  return `assets/${isPanel ? "panel-" : ""}[name]-[hash].js`;
}

export default defineConfig({
  root,
  base: "/explorer/",
  plugins: [shipSwaggerUi(), shipScripts(), shipChecks()],
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
      output: {
        chunkFileNames: nameChunk,
        // One file for what every page needs, one for diagrams, one for cells and one for small pages: fewer requests
        // and bytes than a file per module.
        codeSplitting: {
          groups: [
            { name: "core", test: (id: string) => isCore(id), priority: 2 },
            { name: "cells", test: /[\\/](?:src[\\/]cell|web[\\/]cells|web[\\/]parts[\\/]CellTree)/, priority: 1 },
            {
              name: "exits",
              test: /[\\/]web[\\/](?:format[\\/]exitCodes|trace[\\/]words|api[\\/](?:contract|useErrorWords))/,
              priority: 2,
            },
            { name: "trace", test: /[\\/]web[\\/]trace[\\/](?!TransactionList|flow|model|OutcomeBadge)/, priority: 1 },
            {
              name: "small",
              test: /[\\/]web[\\/]pages[\\/](?:BagField|CellInspector|Emulate|Status|Trace|status[\\/])/,
            },
            { name: "tokens", test: /[\\/]web[\\/]pages[\\/](?:Jetton|Nft)/ },
            {
              name: "lists",
              test: /[\\/]web[\\/](?:parts[\\/]|trace[\\/](?:TransactionList|flow|model|OutcomeBadge))/,
            },
          ],
        },
      },
    },
  },
});
