import { type Clock, systemClock } from "../../lib/clock.ts";
import { type Log, type LogLevel, openLog } from "../../lib/log.ts";
import type { RunningService, Terminal } from "../Command.ts";
import { listClosing } from "../service/parts/Closers.ts";

/** The last one is sent when the terminal closes. */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Resolves at the first stop signal; a second one ends the process immediately. */
function waitForStop(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      for (const signal of signals) process.off(signal, stop);
      resolve();
    };
    for (const signal of signals) process.on(signal, stop);
  });
}

/** How much longer than the drain time of requests a stop may take: for databases, threads and files. */
const graceMs = 5_000;

export interface StopModules {
  readonly clock: Clock;
  readonly log: Log;
  /** Ends the process at once. */
  readonly exit: (code: number) => void;
  /** Resolves at the first stop signal from now on. */
  readonly waitForStop: () => Promise<void>;
}

/**
 * Runs a service until a stop signal. Signals count from the beginning: what is still being opened is closed after
 * that.
 */
export async function runUntilStopped(
  open: () => Promise<RunningService>,
  drainMs: number,
  terminal: Terminal,
  modules: StopModules,
): Promise<void> {
  const stopped = modules.waitForStop();
  const opening = open();
  await Promise.race([opening, stopped]);
  await stopped;
  await stopService(opening, drainMs, terminal, modules);
}

/**
 * Closes a service. A stop has a deadline, whatever hangs: then the process says what did not close and ends. Every
 * store survives that, as it survives a power cut.
 */
async function stopService(
  opening: Promise<RunningService>,
  drainMs: number,
  terminal: Terminal,
  { clock, log, exit }: Omit<StopModules, "waitForStop">,
): Promise<void> {
  terminal.write("\nstopping…\n");
  const deadlineMs = drainMs + graceMs;
  const cancel = clock.timer(deadlineMs, () => {
    log.error("stopping took too long; ending the process", { deadlineMs, notClosed: listClosing().join(", ") });
    exit(1);
  });
  await opening.then((running) => running.close()).finally(cancel);
  terminal.write("stopped\n");
}

/** The modules of a stop of this process. */
export function systemStop(level: LogLevel): StopModules {
  return { clock: systemClock, log: openLog({ level }), exit: (code) => process.exit(code), waitForStop };
}
