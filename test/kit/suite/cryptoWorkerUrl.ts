import { compiledWorker } from "./compiledWorker.ts";

/** Replaces `src/tvm/crypto/cryptoWorkerUrl.ts` in tests. */
export const cryptoWorkerUrl: URL = compiledWorker({
  folder: "tvm/crypto",
  file: "cryptoWorker.js",
  project: "tsconfig.cryptoWorker.json",
});
