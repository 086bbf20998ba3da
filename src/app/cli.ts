#!/usr/bin/env node
import { isCoded } from "../lib/errors.ts";
import type { Terminal } from "./Command.ts";
import { runCommandLine } from "./commandLine.ts";
import { commands } from "./commands/list.ts";

const terminal: Terminal = {
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
};

try {
  await runCommandLine(commands, terminal, process.argv.slice(2));
} catch (error) {
  if (!isCoded(error, "app/usage")) {
    throw error;
  }
  terminal.writeError(`tongate: ${error.message}\nTry: tongate --help\n`);
  // By convention 2 is "called wrongly" and 1 is "tried and failed".
  process.exitCode = 2;
}
