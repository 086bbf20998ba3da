import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { leaveOut, listLong } from "./test/kit/suite/longRun.ts";
import { listAlone } from "./test/kit/suite/run/aloneFiles.ts";
import { aloneName, RunOrder } from "./test/kit/suite/run/runOrder.ts";

const root = import.meta.dirname;
const left =
  process.env.TONGATE_EVERYTHING === undefined ? leaveOut(listLong(join(root, "test")), process.argv.slice(2)) : [];
const inTests = (path: string) => `test/${path}`;
const alone = listAlone(join(root, "test"))
  .filter((path) => !left.includes(path))
  .map(inTests);

export default defineConfig({
  resolve: {
    alias: [
      ...["databaseWorkerUrl", "cryptoWorkerUrl"].map((name) => ({
        find: new RegExp(`^\\.{1,2}/(?:.*/)?${name}\\.ts$`),
        replacement: join(root, `test/kit/suite/${name}.ts`),
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
        test: {
          name: "together",
          include: ["test/**/*.test.ts"],
          exclude: [...alone, ...left.map(inTests)],
          isolate: false,
          setupFiles: "test/kit/suite/run/setup.ts",
        },
      },
      { extends: true, test: { name: aloneName, include: alone, setupFiles: "test/kit/suite/equalCells.ts" } },
    ],
  },
});
