import { parentPort } from "node:worker_threads";
import { callHeavy, type HeavyCall } from "./heavyFunctions.ts";

// The program of a thread that computes: one call at a time, in the order in which they come.

const port = parentPort;
if (port === null) throw new Error("this file runs only as a worker thread");
port.on("message", (call: HeavyCall) => {
  port.postMessage({ value: callHeavy(call) });
});
