import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./build.mjs";

// In a process of its own: a bundler takes half a gigabyte, and benchmarks measure the memory of their process.
const { status } = spawnSync(process.execPath, [join(root, "scripts", "benchBuild.mjs")], { stdio: "inherit" });
if (status !== 0) process.exit(1);
const { runBench } = await import(pathToFileURL(join(root, ".bench", "bench", "run.js")).href);
process.exitCode = await runBench(process.argv.slice(2), root);
