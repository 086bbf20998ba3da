import { spawnSync } from "node:child_process";
import { findCompiler, root } from "./build.mjs";

/**
 * Checks the types of the explorer. It imports API types from `src/`, which the compiler then checks with the browser
 * library; `src/` has its own project with the Node library, so only findings in `web/` count.
 */
const { stdout, stderr } = spawnSync(process.execPath, [findCompiler(), "-p", "tsconfig.web.json"], {
  cwd: root,
  encoding: "utf8",
});
const findings = stdout.split("\n").filter((line) => /^(?!src\/|\s)\S/.test(line));
process.stdout.write(findings.map((line) => `${line}\n`).join(""));
process.stderr.write(stderr);
process.exitCode = findings.length > 0 ? 1 : 0;
