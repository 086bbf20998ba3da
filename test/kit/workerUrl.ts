import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const root = join(import.meta.dirname, "..", "..");
const project = join(import.meta.dirname, "tsconfig.worker.json");
const sources = join(root, "src", "tvm", "engine");
const cache = join(root, "node_modules", ".cache", "tongate-worker");

/**
 * Stands in the place of `src/tvm/engine/workerUrl.ts` in tests: a worker thread starts outside of the test runner and
 * cannot read TypeScript, so its program is compiled, once for each state of its sources.
 */
export const workerUrl: URL = pathToFileURL(join(compiledFolder(), "tvm", "engine", "worker.js"));

function compiledFolder(): string {
  const folder = join(cache, sourcesHash());
  if (existsSync(join(folder, "done"))) {
    return folder;
  }
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(join(cache, "fresh-"));
  compile(fresh);
  // Two test files may do this at the same time: both copy the same bytes, and the mark of the end comes last.
  cpSync(fresh, folder, { recursive: true });
  cpSync(project, join(folder, "done"));
  rmSync(fresh, { recursive: true });
  return folder;
}

function sourcesHash(): string {
  const hash = createHash("sha256");
  const names = readdirSync(sources).sort();
  for (const path of [project, join(root, "tsconfig.json"), ...names.map((name) => join(sources, name))]) {
    hash.update(path).update(readFileSync(path));
  }
  return hash.digest("hex").slice(0, 16);
}

function compile(folder: string): void {
  const compiler = join(createRequire(import.meta.url).resolve("typescript/package.json"), "..", "bin", "tsc");
  const { status, stdout } = spawnSync(process.execPath, [compiler, "-p", project, "--outDir", folder]);
  if (status !== 0) {
    throw new Error(`the worker does not compile:\n${stdout}`);
  }
  const others = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.parentPath !== join(folder, "tvm", "engine"),
  );
  if (others.length > 0) {
    throw new Error(`the worker imports from outside of its folder, which this does not watch: ${others[0]?.name}`);
  }
}
