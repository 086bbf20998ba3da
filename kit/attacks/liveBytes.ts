import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

let collect: (() => void) | undefined;

/**
 * Heap in use and memory outside the heap, after a collection. From the first call on, collections leave code alone:
 * they would drop what was not run since the last few of them, and two readings would differ by megabytes of code.
 */
export function liveBytes(): number {
  if (collect === undefined) {
    setFlagsFromString("--expose-gc");
    setFlagsFromString("--no-flush-bytecode");
    collect = runInNewContext("gc") as () => void;
  }
  // Memory outside the heap is freed by a thread that the first collection starts and the second one waits for.
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
