/**
 * The compiled program of the crypto threads, beside this file in every build. Tests, which run the sources, use a copy
 * that is compiled for them (`vitest.config.ts`).
 */
export const cryptoWorkerUrl: URL = new URL("./cryptoWorker.js", import.meta.url);
