import { type Clock, systemClock } from "../../lib/clock.ts";
import { type Log, type LogLevel, openLog } from "../../lib/log.ts";
import type { Terminal } from "../Command.ts";
import type { RunningService } from "../Running.ts";
import { listClosing } from "../service/parts/Closers.ts";

/** The last one is sent when the terminal closes. */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Resolves at the first stop signal; a second one ends the process immediately. */
export function waitForStop(): Promise<void> {
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
}

/**
 * Closes a service. A stop has a deadline, whatever hangs: then the process says what did not close and ends. Every store
 * survives that, as it survives a power cut.
 */
export async function stopService(
  running: RunningService,
  drainMs: number,
  terminal: Terminal,
  { clock, log, exit }: StopModules,
): Promise<void> {
  terminal.write("\nstopping…\n");
  const deadlineMs = drainMs + graceMs;
  const cancel = clock.timer(deadlineMs, () => {
    log.error("stopping took too long; ending the process", { deadlineMs, notClosed: listClosing().join(", ") });
    exit(1);
  });
  await running.close().finally(cancel);
  terminal.write("stopped\n");
}

/** The modules of a stop of this process. */
export function systemStop(level: LogLevel): StopModules {
  return { clock: systemClock, log: openLog({ level }), exit: (code) => process.exit(code) };
}
