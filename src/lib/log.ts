import { type Level, type Logger, pino } from "pino";
import { type Clock, systemClock } from "./clock.ts";
import { RepeatedLines } from "./RepeatedLines.ts";
import { formatLogLine } from "./readableLog.ts";
import { withoutSecrets } from "./secrets.ts";

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** Data of a log line; secrets are masked by name at any depth. */
export type LogData = Readonly<Record<string, unknown>>;

/**
 * The log of a part: one JSON object per line for programs, readable lines for a terminal. Of many equal lines (the
 * same level, message and error code) some are written, the others counted: a client that asks often cannot fill the
 * disk.
 */
export interface Log {
  debug(message: string, data?: LogData): void;
  info(message: string, data?: LogData): void;
  warn(message: string, data?: LogData): void;
  error(message: string, data?: LogData): void;
  /** A log whose lines all carry the given data. */
  child(data: LogData): Log;
}

export interface LogOptions {
  readonly level: LogLevel;
  /** Where the lines go; standard error by default, because standard output belongs to commands. */
  readonly destination?: { write(line: string): void };
  readonly clock?: Clock;
  /** Wraps each write to a terminal, for callers that keep a status line there. */
  readonly around?: ((write: () => void) => void) | undefined;
}

/** Opens the log of a process; parts get child logs. */
export function openLog(options: LogOptions): Log {
  const { level, around, destination = standardError(process.stderr.isTTY, around), clock = systemClock } = options;
  const timestamp = () => `,"time":"${new Date(clock.now()).toISOString()}"`;
  const formatters = { level: (label: string) => ({ level: label }) };
  return wrap(pino({ level, base: null, timestamp, formatters }, destination), new RepeatedLines(clock));
}

/** How much is buffered when writing fails; later lines are dropped. */
const maxUnwritten = 1 << 20;

/** Standard error, written synchronously and in order. */
function standardError(
  isTerminal: boolean,
  around: (write: () => void) => void = (write) => write(),
): { write(line: string): void } {
  const bytes = pino.destination({ fd: 2, sync: true, maxLength: maxUnwritten });
  // A full disk must not stop the process: lines are buffered until one can be written.
  bytes.on("error", () => {});
  return isTerminal ? { write: (line) => around(() => bytes.write(formatLogLine(line))) } : bytes;
}

function wrap(logger: Logger, repeated: RepeatedLines): Log {
  const write = (level: Level) => (message: string, data?: LogData) => {
    if (!logger.isLevelEnabled(level)) return;
    for (const { kind, count } of repeated.takeSkipped())
      logger.warn({ line: kind, count }, "repeated lines were left out");
    // Debugging is switched on to see every line.
    if (level !== "debug" && !repeated.mayWrite(kindOf(level, message, data))) return;
    logger[level](withoutSecrets(data ?? {}), message);
  };
  return {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    child: (data) => wrap(logger.child(withoutSecrets(data)), repeated),
  };
}

function kindOf(level: Level, message: string, data: LogData = {}): string {
  const error: unknown = data.error ?? data.cause;
  const code = data.code ?? (typeof error === "object" && error !== null && "code" in error ? error.code : undefined);
  return `${level}: ${message}${typeof code === "string" ? ` (${code})` : ""}`;
}
