#!/usr/bin/env node
import { isCoded } from "../../lib/errors.ts";
import { toPrintableLines } from "../../lib/printable.ts";
import type { Terminal } from "../Command.ts";
import { program, wantsColours } from "../config.ts";
import { helpFor, runCommandLine } from "../terminal/commandLine.ts";
import { safeTerminal } from "../terminal/safeTerminal.ts";
import { commands } from "./list.ts";

const terminal: Terminal = safeTerminal({
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
  isInteractive: process.stdout.isTTY === true,
  hasColours: process.stdout.isTTY === true && wantsColours,
  columns: () => process.stdout.columns ?? 80,
});

for (const stream of [process.stdout, process.stderr]) {
  // The reader of our output may leave, like `head`, or have a full disk: the command continues.
  stream.on("error", () => {});
}

/** Errors of the system, such as a missing file: the message is sufficient. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && "syscall" in error;
}

const args = process.argv.slice(2);
try {
  await runCommandLine(commands, terminal, args);
} catch (error) {
  if (!isCoded(error) && !isSystemError(error)) throw error;
  const isCalledWrongly = isCoded(error, "app/usage") || isCoded(error, "app/config");
  const hint = isCalledWrongly ? `Try: ${program} ${helpFor(commands, args)}\n` : "";
  terminal.writeError(`tongate: ${toPrintableLines(error.message)}\n${hint}`);
  // By convention 2 means wrong usage, or that there was nothing to judge, and 1 means failure.
  process.exitCode = isCalledWrongly || isCoded(error, "app/unproved") ? 2 : 1;
}
