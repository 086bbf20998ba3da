import { spawnSync } from "node:child_process";
import { findCompiler, root } from "./build.mjs";

/**
 * Checks the types of the explorer. It takes the types of the API from `src/`, which the compiler then reads with the
 * library of a browser; `src/` is checked by its own project with the library of Node, so only findings in `web/` count.
 */
const { stdout, stderr } = spawnSync(process.execPath, [findCompiler(), "-p", "tsconfig.web.json"], {
  cwd: root,
  encoding: "utf8",
});
const findings = stdout.split("\n").filter((line) => /^(?!src\/|\s)\S/.test(line));
process.stdout.write(findings.map((line) => `${line}\n`).join(""));
process.stderr.write(stderr);
process.exitCode = findings.length > 0 ? 1 : 0;
