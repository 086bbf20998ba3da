import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const root = join(import.meta.dirname, "../../..");
const cache = join(root, "node_modules", ".cache", "tongate-worker");

/** A worker program: its folder in `src/`, its file, and its tsconfig in this folder. */
export interface WorkerProgram {
  readonly folder: string;
  readonly file: string;
  readonly project: string;
}

/**
 * Compiles a worker program, once for each state of its sources: a worker thread starts outside the test runner and
 * cannot read TypeScript.
 */
export function compiledWorker(program: WorkerProgram): URL {
  return pathToFileURL(join(compiledFolder(program), program.folder, program.file));
}

function compiledFolder(program: WorkerProgram): string {
  const folder = join(cache, sourcesHash(program));
  if (existsSync(join(folder, "done"))) return folder;
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(join(cache, "fresh-"));
  compile(program, fresh);
  cpSync(projectOf(program), join(fresh, "done"));
  moveUnlessThere(fresh, folder);
  return folder;
}

/** Another test file may have moved the same result there in the meantime. */
function moveUnlessThere(fresh: string, folder: string): void {
  try {
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true });
    if (!existsSync(join(folder, "done"))) throw error;
  }
}

function projectOf({ project }: WorkerProgram): string {
  return join(import.meta.dirname, project);
}

function sourcesHash(program: WorkerProgram): string {
  const hash = createHash("sha256");
  const sources = join(root, "src", program.folder);
  const names = readdirSync(sources).sort();
  const paths = [projectOf(program), join(root, "tsconfig.json"), ...names.map((name) => join(sources, name))];
  for (const path of paths) hash.update(path).update(readFileSync(path));
  return hash.digest("hex").slice(0, 16);
}

function compile(program: WorkerProgram, folder: string): void {
  const compiler = join(createRequire(import.meta.url).resolve("typescript/package.json"), "..", "bin", "tsc");
  const { status, stdout } = spawnSync(process.execPath, [compiler, "-p", projectOf(program), "--outDir", folder]);
  if (status !== 0) throw new Error(`the worker does not compile:\n${stdout}`);
  const others = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.parentPath !== join(folder, program.folder),
  );
  if (others.length > 0) throw new Error(`the worker imports from outside its watched folder: ${others[0]?.name}`);
}
