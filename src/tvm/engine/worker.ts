import { parentPort, workerData } from "node:worker_threads";
import { Emulator, Refusal } from "./Emulator.ts";
import type { Order, Reply, WorkerStart } from "./protocol.ts";

// The program of a worker thread: one machine, one run at a time, in the order told.

const port = parentPort;
if (port === null) throw new Error("this is the program of a worker thread");
const tell = (reply: Reply) => port.postMessage(reply);

const emulator = await Emulator.open((workerData as WorkerStart).module);

function obey(order: Order): void {
  if (order.kind === "forget") {
    emulator.forget(order.what, order.key);
    return;
  }
  try {
    tell({ kind: "ended", answer: emulator.run(order.job), memoryBytes: emulator.memoryBytes });
  } catch (error) {
    // What the machine throws itself is a number: where in its memory the exception lies.
    const reason = error instanceof Error ? error.message : "an exception of the machine itself";
    tell(error instanceof Refusal ? { kind: "refused", reason } : { kind: "broken", reason });
  }
}

port.on("message", obey);
tell({ kind: "ready" });
