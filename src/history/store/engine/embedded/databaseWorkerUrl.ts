/** The compiled program of the engine's thread, beside this file in every build; tests compile the sources too. */
export const databaseWorkerUrl: URL = new URL("./databaseWorker.js", import.meta.url);
