import { spawn } from "node:child_process";
import { root } from "./build.mjs";

/** These run in parallel with the tests, which print at once; the output of these is printed at the end. */
const checks = ["typecheck", "lint"];

/** Runs a script of package.json; resolves with its exit code and its output. */
function run(script, stdio) {
  const child = spawn("npm", ["run", "--silent", script], { cwd: root, stdio, shell: process.platform === "win32" });
  let written = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text) => (written += text));
  return new Promise((resolve) => {
    child.on("error", ({ message }) => resolve({ script, code: 1, written: `${message}\n` }));
    child.on("close", (code) => resolve({ script, code: code ?? 1, written }));
  });
}

async function check(script) {
  const done = await run(script, ["ignore", "pipe", "pipe"]);
  process.stdout.write(`\n${script}: ${done.code === 0 ? "good" : "FAILED"}\n${done.written}`);
  return done;
}

const all = await Promise.all([...checks.map(check), run("unit", "inherit")]);
const failed = all.filter(({ code }) => code !== 0);
// Printed again at the end, where readers look.
for (const { script, written } of failed) process.stderr.write(`\n${script} failed\n${written}`);
process.exitCode = failed.length > 0 ? 1 : 0;
