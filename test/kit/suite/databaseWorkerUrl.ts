import { compiledWorker } from "./compiledWorker.ts";

/** Replaces `src/history/store/embedded/databaseWorkerUrl.ts` in tests. */
export const databaseWorkerUrl: URL = compiledWorker({
  folder: "history/store/embedded",
  file: "databaseWorker.js",
  project: "tsconfig.databaseWorker.json",
});
