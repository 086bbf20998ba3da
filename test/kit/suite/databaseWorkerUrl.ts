import { compiledWorker } from "./compiledWorker.ts";

/** Stands in the place of `src/history/store/embedded/databaseWorkerUrl.ts` in tests. */
export const databaseWorkerUrl: URL = compiledWorker({
  folder: "history/store/embedded",
  file: "databaseWorker.js",
  project: "tsconfig.databaseWorker.json",
});
