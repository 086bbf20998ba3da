/**
 * The compiled program of the engine's thread. It lies beside this file wherever that was compiled to; tests, which run
 * the sources themselves, put a copy compiled for them in its place (`vitest.config.ts`).
 */
export const databaseWorkerUrl: URL = new URL("./databaseWorker.js", import.meta.url);
