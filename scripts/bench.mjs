import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { compile, copyDocuments, copySql, root } from "./build.mjs";

compile("tsconfig.bench.json", ".bench");
copySql(join(".bench", "src"));
copyDocuments(".bench");
// The program reads its version there.
copyFileSync(join(root, "package.json"), join(root, ".bench", "package.json"));
const { runBench } = await import(pathToFileURL(join(root, ".bench", "bench", "run.js")).href);
process.exitCode = await runBench(process.argv.slice(2), root);
