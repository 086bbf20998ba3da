import { join } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: {
    alias: ["workerUrl", "databaseWorkerUrl"].map((name) => ({
      find: new RegExp(`^\\./${name}\\.ts$`),
      replacement: join(import.meta.dirname, `test/kit/${name}.ts`),
    })),
  },
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/kit/postgresForAll.ts",
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: "forks",
    maxWorkers: 2,
  },
});
