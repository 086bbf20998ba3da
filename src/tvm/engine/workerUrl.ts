/**
 * The compiled program of a worker thread. It lies beside this file wherever that was compiled to; tests, which run
 * the sources themselves, put a copy compiled for them in its place (`vitest.config.ts`), because a thread starts
 * outside of their runner.
 */
export const workerUrl: URL = new URL("./worker.js", import.meta.url);
