/**
 * The compiled program of the engine's thread, beside this file in every build. Tests, which run the sources, use a
 * copy that is compiled for them (`vitest.config.ts`).
 */
export const databaseWorkerUrl: URL = new URL("./databaseWorker.js", import.meta.url);
