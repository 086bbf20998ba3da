import { availableParallelism } from "node:os";
import type { Clock } from "../../lib/clock.ts";
import { compileMachine } from "./compileMachine.ts";
import { ThreadPool } from "./ThreadPool.ts";
import { WasmExecutor } from "./WasmExecutor.ts";
import { WorkerThread } from "./WorkerThread.ts";

export interface ExecutorOptions {
  /** Worker threads; when left out as many as there are cores, but few. */
  readonly workers?: number;
  /** Runs that may wait for a worker before one more is `tvm/busy`. */
  readonly maxWaiting?: number;
  /** How long a worker may take over one run before it is `tvm/timeout`. */
  readonly maxRunMs?: number;
}

export interface ExecutorModules {
  readonly clock: Clock;
}

/** Each worker holds a machine with tens of megabytes of memory: a small pool serves. */
const mostWorkers = 4;

/**
 * Opens an executor over the WebAssembly machine of `@ton/sandbox`. The machine is compiled for the first run, and workers
 * are started as runs come: a service that is never asked to run anything need not hold a machine.
 */
export async function openExecutor(options: ExecutorOptions, modules: ExecutorModules): Promise<WasmExecutor> {
  const { workers = Math.min(availableParallelism(), mostWorkers), maxWaiting = 1000, maxRunMs = 10_000 } = options;
  let machine: Promise<WasmModule> | undefined;
  const openThread = () => {
    machine ??= compileMachine();
    return new WorkerThread(machine);
  };
  return new WasmExecutor(
    new ThreadPool({ maxThreads: workers, maxWaiting, maxRunMs }, { clock: modules.clock, openThread }),
    modules.clock,
  );
}
