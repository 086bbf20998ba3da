import type { Command, Terminal } from "./Command.ts";
import { AppError } from "./errors.ts";

/** What a command line asks for. */
export type Request =
  | { readonly kind: "help" }
  | { readonly kind: "command-help"; readonly command: Command }
  | { readonly kind: "run"; readonly command: Command; readonly args: readonly string[] };

const helpFlags = new Set(["--help", "-h", "help"]);
/** Spellings that people try before they read. */
const aliases = new Map([
  ["--version", "version"],
  ["-v", "version"],
]);

/** Finds out what the arguments ask for; none at all run the first command. */
export function parseCommandLine(commands: readonly Command[], args: readonly string[]): Request {
  const [first, ...rest] = args;
  if (first !== undefined && helpFlags.has(first)) {
    return { kind: "help" };
  }
  const command =
    first === undefined ? commands[0] : commands.find(({ name }) => name === (aliases.get(first) ?? first));
  if (command === undefined) {
    const known = commands.map(({ name }) => name).join(", ");
    throw new AppError("app/usage", `unknown command "${first}"; there are: ${known}`);
  }
  return rest.some((arg) => arg === "--help" || arg === "-h")
    ? { kind: "command-help", command }
    : { kind: "run", command, args: rest };
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
      terminal.write(formatHelp(commands));
      break;
    case "command-help":
      terminal.write(formatCommandHelp(request.command));
      break;
    case "run":
      await request.command.run(terminal, request.args);
      break;
  }
}

/** For commands that take no arguments. */
export function refuseArguments(command: string, args: readonly string[]): void {
  if (args.length > 0) {
    throw new AppError("app/usage", `"${command}" takes no arguments, not "${args.join(" ")}"`);
  }
}

function formatHelp(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return ["Usage: tongate [command]", "", ...lines, "", "tongate <command> --help tells more.", ""].join("\n");
}

function formatCommandHelp({ name, summary, examples }: Command): string {
  const lines = examples.map((example) => `  ${example}`);
  return [`tongate ${name}: ${summary}`, "", "Examples:", ...lines, ""].join("\n");
}
