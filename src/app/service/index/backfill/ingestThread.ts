import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../../../../lib/clock.ts";
import { LibError } from "../../../../lib/errors.ts";
import { openLog } from "../../../../lib/log.ts";
import { openExecutor } from "../../../../tvm/run/openExecutor.ts";
import { openRemote } from "../../remote/openRemote.ts";
import { runBackfill } from "./runBackfill.ts";
import type { IngestThreadStart } from "./startThreads.ts";

// The program of a thread that fills ranges of an index, with connections and sessions of its own.

const port = parentPort;
if (port === null) throw new Error("this file runs only as a worker thread");
const { config, plan, location, holder } = workerData as IngestThreadStart;
const log = openLog({ level: config.logLevel });
const executor = await openExecutor({}, { clock: systemClock });
const ignore = (): void => {};
const modules = { config, clock: systemClock, log, executor, write: ignore, tell: ignore };
const network = openRemote(plan, modules);
const stop = new AbortController();
port.once("message", () => stop.abort(new LibError("lib/aborted", "the index is closed")));
await runBackfill({ network, location, holder, onStatus: (status) => port.postMessage(status) }, modules, stop.signal);
await network.close();
await executor.close();
port.close();
