import { compiledWorker } from "./compiledWorker.ts";

/** Stands in the place of `src/tvm/engine/workerUrl.ts` in tests. */
export const workerUrl: URL = compiledWorker({
  folder: "tvm/engine",
  file: "worker.js",
  project: "tsconfig.worker.json",
});
