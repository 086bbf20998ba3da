import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { formatClientTypes } from "../scripts/clientTypes.ts";
import { type Benchmark, type Measured, median } from "./kit/benchmark.ts";

const group = "clientTypes";
/** Benchmarks are compiled into a folder of the repository. */
const root = resolve(import.meta.dirname, "../..");

/** A program that uses both clients, as far as their types go. */
const program = `
import { ApiError, createClient } from "./api/client/client.js";
import { createV3Client } from "./api/client/v3Client.js";

const v2 = createClient("http://127.0.0.1:8081/api/v2");
const v3 = createV3Client("http://127.0.0.1:8081/api/v3");
const { last } = await v2.getMasterchainInfo();
for await (const { lt } of v3.pages("transactions", { limit: 10, sort: "asc" })) console.log(last.seqno, lt);
const { actions } = await v3.actions({ limit: 5 });
for (const action of actions) if (action.type === "jetton_transfer") console.log(action.details.amount);
for await (const event of v3.watch({ types: ["trace"] })) if (event.type === "trace") console.log(event.trace.tx_hash);
console.log(ApiError);
`;

const settings = {
  compilerOptions: {
    ...{ strict: true, noEmit: true, skipLibCheck: false, target: "es2022", module: "nodenext" },
    ...{ lib: ["es2022", "dom", "dom.asynciterable"], types: [] },
  },
};

/** Checks one file with the compiler; gives the seconds of CPU time that its process used. */
async function check(folder: string, file: string): Promise<number> {
  const place = join(folder, `${file}.json`);
  writeFileSync(place, JSON.stringify({ ...settings, files: [file] }));
  // Blueprint has the version that most programs have; this repository is checked with a newer one.
  const require = createRequire(createRequire(import.meta.url).resolve("@ton/blueprint"));
  const compiler = require.resolve("typescript/lib/tsc.js");
  const report = "const { user, system } = process.cpuUsage(); process.stderr.write(String((user + system) / 1e6));";
  const run = `process.on("exit", () => { ${report} }); require(${JSON.stringify(compiler)});`;
  const args = ["-e", run, compiler, "-p", place];
  const { stderr } = await promisify(execFile)(process.execPath, args, { cwd: folder });
  return Number(stderr);
}

async function measure(): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "tongate-client-types-"));
  try {
    for (const [path, text] of Object.entries(await formatClientTypes(root))) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(join(folder, "empty.ts"), "export {};\n");
    writeFileSync(join(folder, "program.ts"), program);
    const differences: number[] = [];
    for (let round = 0; round < 3; round++) {
      const empty = await check(folder, "empty.ts");
      differences.push((await check(folder, "program.ts")) - empty);
    }
    const more = median(differences);
    return { value: more, ratio: 3 / Math.max(0.01, more) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const benchmarks: readonly Benchmark[] = [
  {
    name: "types of the clients, TypeScript 5.9, CPU",
    ...{ group, unit: "s", baseline: "3 s over an empty file", mark: 1 },
    measure,
  },
];
