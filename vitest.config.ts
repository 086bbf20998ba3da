import { join } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: {
    alias: [{ find: /^\.\/workerUrl\.ts$/, replacement: join(import.meta.dirname, "test/kit/workerUrl.ts") }],
  },
  test: { include: ["test/**/*.test.ts"], testTimeout: 120_000, hookTimeout: 120_000, pool: "forks", maxWorkers: 2 },
});
