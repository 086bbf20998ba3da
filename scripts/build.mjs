import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

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

/** When a file changed last; zero for one that is not there. */
export function timeOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
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
