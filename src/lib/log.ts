import { type Level, type Logger, pino } from "pino";
import { type Clock, systemClock } from "./clock.ts";
import { withoutSecrets } from "./internal/secrets.ts";
import { formatLogLine } from "./readableLog.ts";

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** What a line says beside its message; secrets are masked by their names wherever they stand. */
export type LogData = Readonly<Record<string, unknown>>;

/** Where every part writes what happened: one JSON object a line for programs, plain words for a terminal. */
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
}

/** Opens the log of a process; parts are handed children of it. */
export function openLog(options: LogOptions): Log {
  const { level, destination = standardError(process.stderr.isTTY), clock = systemClock } = options;
  const timestamp = () => `,"time":"${new Date(clock.now()).toISOString()}"`;
  const formatters = { level: (label: string) => ({ level: label }) };
  return wrap(pino({ level, base: null, timestamp, formatters }, destination));
}

/** How much is kept of what cannot be written; later lines are left out. */
const maxUnwritten = 1 << 20;

/** Standard error, at once and in order, as who reads it there can read it. */
function standardError(isTerminal: boolean): { write(line: string): void } {
  const bytes = pino.destination({ fd: 2, sync: true, maxLength: maxUnwritten });
  // A full disk must not end what the log tells of: lines wait there until the next one can be written.
  bytes.on("error", () => {});
  return isTerminal ? { write: (line) => bytes.write(formatLogLine(line)) } : bytes;
}

function wrap(logger: Logger): Log {
  const write = (level: Level) => (message: string, data?: LogData) => {
    if (logger.isLevelEnabled(level)) logger[level](withoutSecrets(data ?? {}), message);
  };
  return {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    child: (data) => wrap(logger.child(withoutSecrets(data))),
  };
}
