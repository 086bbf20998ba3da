import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

/** The repository root. */
export const root = join(import.meta.dirname, "..");

/** Compiles a project into an emptied folder, so that no stale file is left; exits on failure. */
export function compile(project, folder) {
  rmSync(join(root, folder), { recursive: true, force: true });
  const { status } = spawnSync(process.execPath, [findCompiler(), "-p", join(root, project)], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) {
    process.stderr.write(`${project} does not compile\n`);
    process.exit(1);
  }
}

/** Copies the SQL files, which the compiler ignores, to where the compiled program looks for them. */
export function copySql(folder) {
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
  for (const path of sources.filter((each) => each.endsWith(".sql")))
    cpSync(join(root, "src", path), join(root, folder, path), { recursive: true });
}

/** Copies the documents that the compiled program serves as pages. */
export function copyDocuments(folder) {
  for (const path of ["docs", "OPERATING.md", "CHANGELOG.md"])
    cpSync(join(root, path), join(root, folder, path), { recursive: true });
}

/**
 * Strips the types of the sources that are newer than what a folder has of them, without checking them: a fraction of the
 * time that the compiler takes. The sources have erasable syntax only, so this gives the same program.
 */
export async function transpile(folder, since) {
  const isSource = (path) => path.endsWith(".ts") && !path.endsWith(".d.ts");
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter(isSource);
  const changed = sources.filter((path) => timeOf(join(root, "src", path)) > since);
  if (changed.length > 0) await transpileAll(folder, changed);
  removeStale(folder, new Set(sources.map((path) => path.replace(/ts$/, "js"))));
}

async function transpileAll(folder, paths) {
  const { transformSync } = await import(pathToFileURL(findTranspiler()).href);
  const options = { lang: "ts", typescript: { onlyRemoveTypeImports: true, rewriteImportExtensions: "rewrite" } };
  for (const path of paths) {
    const { code, errors } = transformSync(path, readFileSync(join(root, "src", path), "utf8"), options);
    if (errors.length > 0) {
      process.stderr.write(`src/${path}: ${errors.map(({ message }) => message).join("\n")}\n`);
      process.exit(1);
    }
    const target = join(root, folder, path.replace(/ts$/, "js"));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, code);
  }
}

/** Removes what was built from sources that are no more; what is built for browsers is not from them. */
function removeStale(folder, wanted) {
  const built = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  const isStale = (path) => path.endsWith(".js") && !/^web[\\/]/.test(path) && !wanted.has(path);
  for (const path of built.filter(isStale)) rmSync(join(root, folder, path));
}

/** When a file changed last; zero for one that is not there. */
export function timeOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** The bundler brings a transpiler along. */
function findTranspiler() {
  const bundler = createRequire(import.meta.url).resolve("vite/package.json");
  return createRequire(bundler).resolve("rolldown/utils");
}

/** The path of the compiler; exits if it is not installed. */
export function findCompiler() {
  try {
    return join(createRequire(import.meta.url).resolve("typescript/package.json"), "..", "bin", "tsc");
  } catch {
    process.stderr.write("the compiler is missing: run npm ci\n");
    return process.exit(1);
  }
}
