import type { Command, Terminal } from "../Command.ts";
import { AppError } from "../errors.ts";
import { suggest } from "../nearestName.ts";
import { parseFlags } from "../options.ts";
import { formatCommandHelp, formatHelp } from "./help.ts";
import { styleFor } from "./style.ts";

/** A parsed command line. */
export type Request =
  | { readonly kind: "help" }
  | { readonly kind: "command-help"; readonly command: Command }
  | { readonly kind: "run"; readonly command: Command; readonly args: readonly string[] };

const helpFlags = new Set(["--help", "-h", "help"]);
/** Common alternative spellings. */
const aliases = new Map([
  ["--version", "version"],
  ["-v", "version"],
]);

/** Parses the arguments; without a command the first one runs. */
export function parseCommandLine(commands: readonly Command[], args: readonly string[]): Request {
  const [first, second] = args;
  if (first !== undefined && helpFlags.has(first)) {
    return second === undefined || helpFlags.has(second)
      ? { kind: "help" }
      : { kind: "command-help", command: getCommand(commands, second) };
  }
  const isUnnamed = first === undefined || (first.startsWith("--") && !aliases.has(first));
  const command = (isUnnamed ? commands[0] : undefined) ?? getCommand(commands, first ?? "");
  const rest = isUnnamed ? args : args.slice(1);
  return rest.some((arg) => arg === "--help" || arg === "-h")
    ? { kind: "command-help", command }
    : { kind: "run", command, args: rest };
}

function getCommand(commands: readonly Command[], word: string): Command {
  const command = commands.find(({ name }) => name === (aliases.get(word) ?? word));
  if (command !== undefined) return command;
  const names = commands.map(({ name }) => name);
  const problem = word.startsWith("-")
    ? `unknown option ${word}; options begin with two dashes`
    : `unknown command "${word}"; ${suggest(word, names)}`;
  throw new AppError("app/usage", problem);
}

/** Answers a command line. */
export async function runCommandLine(
  commands: readonly Command[],
  terminal: Terminal,
  args: readonly string[],
): Promise<void> {
  const request = parseCommandLine(commands, args);
  switch (request.kind) {
    case "help":
      terminal.write(formatHelp(commands, styleFor(terminal)));
      break;
    case "command-help":
      terminal.write(formatCommandHelp(request.command, styleFor(terminal)));
      break;
    case "run":
      await request.command.run(terminal, request.args);
      break;
  }
}

/** The help to suggest after a refused command line: that of the command it named, or would have run. */
export function helpFor(commands: readonly Command[], [first]: readonly string[]): string {
  const named = commands.find(({ name }) => name === first);
  const command = first === undefined || first.startsWith("--") ? commands[0] : named;
  return command === undefined ? "--help" : `${command.name} --help`;
}

/** The given words, as the end of an error message. */
export function notWords(words: readonly string[]): string {
  return words.length === 0 ? "" : `, not "${words.join(" ")}"`;
}

/** For commands that take no arguments. */
export function refuseArguments(command: string, args: readonly string[]): void {
  const { words } = parseFlags(args, {});
  if (words.length > 0) throw new AppError("app/usage", `${command} takes no arguments${notWords(words)}`);
}
