import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");
const cache = join(root, "node_modules", ".cache");

/** The program as it is shipped, for tests that need it in a process of its own. */
export interface CompiledApp {
  readonly cli: string;
  remove(): void;
}

/** Types are checked elsewhere; what counts here is what comes out. */
export function compileApp(): CompiledApp {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "tongate-app-"));
  const compiler = join(createRequire(import.meta.url).resolve("typescript/package.json"), "..", "bin", "tsc");
  const options = ["-p", join(root, "tsconfig.build.json"), "--outDir", join(folder, "dist"), "--declaration", "false"];
  const { stdout } = spawnSync(process.execPath, [compiler, ...options, "--sourceMap", "false"]);
  const cli = join(folder, "dist", "app", "cli.js");
  if (!existsSync(cli)) throw new Error(`the program does not compile:\n${stdout}`);
  const migrations = join("history", "store", "migrations");
  cpSync(join(root, "src", migrations), join(folder, "dist", migrations), { recursive: true });
  return { cli, remove: () => rmSync(folder, { recursive: true }) };
}
