import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { compile, copySql, root } from "./build.mjs";
import { bundle, programs, sourceOf } from "./bundle.mjs";
import { writeDocuments } from "./documents.mjs";

compile("tsconfig.bench.json", ".bench");
copySql(join(".bench", "src"));
writeDocuments(join(root, ".bench", "src"));
// What runs the program in a process of its own is bundled, because what users start is.
const processes = [
  "bench/tvm/firstAnswer",
  "bench/indexing/programProcess",
  "bench/cold/serviceProcess",
  "kit/attacks/probe",
];
const input = Object.fromEntries([
  ...processes.map((name) => [name, join(root, `${name}.ts`)]),
  ...programs.map((name) => [`src/${name}`, join(root, "src", sourceOf(name))]),
]);
await bundle({ base: root, folder: join(root, ".bench"), input, chunks: "chunks" });
// The program reads its version there.
copyFileSync(join(root, "package.json"), join(root, ".bench", "package.json"));
