import { basename, join } from "node:path";
import { defineConfig } from "vitest/config";
import { leaveOut, listLong } from "./test/kit/suite/longRun.ts";
import { listAlone, listMocked } from "./test/kit/suite/run/aloneFiles.ts";
import { compileSources, fromCompiled } from "./test/kit/suite/run/compiledSources.ts";
import { aloneName, RunOrder } from "./test/kit/suite/run/runOrder.ts";

const root = import.meta.dirname;
const left =
  process.env.TONGATE_EVERYTHING === undefined ? leaveOut(listLong(join(root, "test")), process.argv.slice(2)) : [];
const inTests = (path: string) => `test/${path}`;
const listed = (paths: readonly string[]) => paths.filter((path) => !left.includes(path)).map(inTests);
const mocked = listed(listMocked(join(root, "test")));
const alone = listed(listAlone(join(root, "test")));
const compiled = compileSources(root);
// Whoever watches wants changes of the sources to run the tests again: the test runner knows those that it reads itself.
const isWatching = !process.argv.some((each) => each === "run" || each === "--run");
const plugins = isWatching ? [] : [fromCompiled(root, compiled)];

/**
 * Most code of a test file runs a few times: with the engine's own limit, compiling it anew to machine code takes a
 * fifth of all work. What runs long is compiled as well, a little later.
 */
const optimizeLater = "--interrupt-budget=540000";

export default defineConfig({
  resolve: {
    alias: [
      // Worker threads start outside the test runner and cannot read TypeScript.
      ...["history/store/engine/embedded/databaseWorkerUrl", "tvm/crypto/cryptoWorkerUrl"].map((path) => ({
        find: new RegExp(`^\\.{1,2}/(?:.*/)?${basename(path)}\\.ts$`),
        replacement: join(compiled, "src", `${path}.js`),
      })),
      // Documents and examples import the package by its name; in tests that is the sources.
      { find: /^tongate\/client$/, replacement: join(root, "src/api/client/client.ts") },
      { find: /^tongate\/client-v3$/, replacement: join(root, "src/api/client/v3Client.ts") },
      { find: /^tongate\/client-local$/, replacement: join(root, "src/api/client/localClient.ts") },
      { find: /^tongate\/testing$/, replacement: join(root, "src/app/testing/startLocalNetwork.ts") },
    ],
  },
  test: {
    globalSetup: "test/kit/suite/run/postgresForAll.ts",
    // For what hangs, not for what is slow: a busy machine may take ten times as long as an idle one.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    pool: "forks",
    // Files wait for blocks, processes and databases a third of their time: one more than a small machine has cores.
    maxWorkers: 3,
    sequence: { sequencer: RunOrder },
    projects: [
      // One process runs many files, with modules that are loaded once and code that is warm: half of the work of most.
      {
        extends: true,
        plugins,
        test: {
          name: "together",
          include: ["test/**/*.test.ts"],
          exclude: [...alone, ...mocked, ...left.map(inTests)],
          isolate: false,
          execArgv: [optimizeLater],
          setupFiles: "test/kit/suite/run/setup.ts",
        },
      },
      { extends: true, plugins, test: { name: aloneName, include: alone, setupFiles: "test/kit/suite/equalCells.ts" } },
      // Replaces modules, which only the test runner can: reads the sources itself.
      { extends: true, test: { name: "mocked", include: mocked } },
    ],
  },
});
