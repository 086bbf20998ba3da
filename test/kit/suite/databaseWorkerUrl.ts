import { compiledWorker } from "./compiledWorker.ts";

/** Replaces `src/history/store/engine/embedded/databaseWorkerUrl.ts` in tests. */
export const databaseWorkerUrl: URL = compiledWorker({
  folder: "history/store/engine/embedded",
  file: "databaseWorker.js",
  project: "tsconfig.databaseWorker.json",
});
