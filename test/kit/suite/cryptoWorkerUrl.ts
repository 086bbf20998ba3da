import { compiledWorker } from "./compiledWorker.ts";

/** Replaces `src/tvm/thread/cryptoWorkerUrl.ts` in tests. */
export const cryptoWorkerUrl: URL = compiledWorker({
  folder: "tvm/thread",
  file: "cryptoWorker.js",
  project: "tsconfig.cryptoWorker.json",
});
