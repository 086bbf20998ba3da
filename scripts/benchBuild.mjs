import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { compile, copyDocuments, copySql, root } from "./build.mjs";
import { bundle, programs } from "./bundle.mjs";

compile("tsconfig.bench.json", ".bench");
copySql(join(".bench", "src"));
copyDocuments(".bench");
// What runs the program in a process of its own is bundled, because what users start is.
const processes = [
  "bench/tvm/firstAnswer",
  "bench/indexing/programProcess",
  "bench/cold/serviceProcess",
  "kit/attacks/probe",
];
const names = [...processes, ...programs.map((name) => `src/${name}`)];
const input = Object.fromEntries(names.map((name) => [name, join(root, `${name}.ts`)]));
await bundle({ base: root, folder: join(root, ".bench"), input, chunks: "chunks" });
// The program reads its version there.
copyFileSync(join(root, "package.json"), join(root, ".bench", "package.json"));
