import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/** The folder of the repository. */
export const root = join(import.meta.dirname, "..");

/** Compiles a project into an emptied folder, so that nothing stale is left; ends the process when it fails. */
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

function findCompiler() {
  try {
    return join(createRequire(import.meta.url).resolve("typescript/package.json"), "..", "bin", "tsc");
  } catch {
    process.stderr.write("the compiler is missing: run npm ci\n");
    return process.exit(1);
  }
}
