import { createServer } from "node:net";
import { isMainThread } from "node:worker_threads";
import { LoopWatch } from "./LoopWatch.ts";
import { liveBytes } from "./liveBytes.ts";
import { mainThreadCpuMs } from "./mainThreadCpu.ts";

/** After this time, the program has done what waited while the probe held it up. */
const caughtUpMs = 100;

// Loaded before the program by `--import`: measures from inside the process that is attacked, and answers each
// connection to the socket that the environment names with one line of JSON.
const path = process.env.ATTACK_PROBE;
if (path !== undefined && isMainThread) startProbe(path);

function startProbe(path: string): void {
  // The program and its children do not know the variables of the probe.
  delete process.env.ATTACK_PROBE;
  delete process.env.NODE_OPTIONS;
  const watch = new LoopWatch();
  let highestBytes = 0;
  let lastUse = performance.eventLoopUtilization();
  const look = () => {
    highestBytes = Math.max(highestBytes, process.memoryUsage.rss());
  };
  setInterval(look, 20).unref();

  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    look();
    const { utilization: busyShare } = performance.eventLoopUtilization(lastUse);
    const before = { worstPieceMs: watch.takeWorstMs(), cpuMs: mainThreadCpuMs(), busyShare, highestBytes };
    const live = liveBytes();
    const rss = process.memoryUsage.rss();
    // The collection is not work of the program, nor is what waited for its end; memory before it is not memory after.
    setTimeout(() => {
      watch.takeWorstMs();
      lastUse = performance.eventLoopUtilization();
      highestBytes = rss;
      socket.end(`${JSON.stringify({ ...before, residentBytes: rss, liveBytes: live })}\n`);
    }, caughtUpMs).unref();
  });
  server.listen(path).unref();
}
