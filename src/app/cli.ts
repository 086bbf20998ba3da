#!/usr/bin/env node
import { isCoded } from "../lib/errors.ts";
import type { Terminal } from "./Command.ts";
import { runCommandLine } from "./commandLine.ts";
import { commands } from "./commands/list.ts";
import { program } from "./config.ts";

const terminal: Terminal = {
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
  isInteractive: process.stdout.isTTY === true,
};

try {
  await runCommandLine(commands, terminal, process.argv.slice(2));
} catch (error) {
  if (!isCoded(error)) {
    throw error;
  }
  const isCalledWrongly = error.code === "app/usage" || error.code === "app/config";
  terminal.writeError(`tongate: ${error.message}\n${isCalledWrongly ? `Try: ${program} --help\n` : ""}`);
  // By convention 2 is "called wrongly" and 1 is "tried and failed".
  process.exitCode = isCalledWrongly ? 2 : 1;
}
