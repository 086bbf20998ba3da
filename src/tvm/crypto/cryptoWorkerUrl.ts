/** The compiled program of the crypto threads, beside this file in every build; tests compile the sources too. */
export const cryptoWorkerUrl: URL = new URL("./cryptoWorker.js", import.meta.url);
