import type { Command, Terminal } from "./Command.ts";
import { AppError } from "./errors.ts";
import { flagOf, type Options } from "./options.ts";

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

/** Finds out what the arguments ask for; none at all, or only options, run the first command. */
export function parseCommandLine(commands: readonly Command[], args: readonly string[]): Request {
  const [first] = args;
  if (first !== undefined && helpFlags.has(first)) {
    return { kind: "help" };
  }
  const isUnnamed = first === undefined || (first.startsWith("--") && !aliases.has(first));
  const command = isUnnamed ? commands[0] : commands.find(({ name }) => name === (aliases.get(first) ?? first));
  const rest = isUnnamed ? args : args.slice(1);
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

function formatCommandHelp({ name, summary, examples, options }: Command): string {
  const lines = examples.map((example) => `  ${example}`);
  const rest =
    options === undefined ? [] : ["", "Options, also as TONGATE_… and in tongate.json:", ...formatOptions(options)];
  return [`tongate ${name}: ${summary}`, "", "Examples:", ...lines, ...rest, ""].join("\n");
}

/** What can be set, each with what it is when nobody sets it. */
function formatOptions(options: Options): string[] {
  const rows = Object.entries(options).map(([name, { about, fallback, isFileOnly }]) => {
    const isShown = typeof fallback === "string" || typeof fallback === "number";
    const flag = isFileOnly ? `"${name}" in the file` : flagOf(name);
    return { flag, text: `${about}${isShown ? ` Default: ${fallback}.` : ""}` };
  });
  const width = Math.max(...rows.map(({ flag }) => flag.length));
  return rows.map(({ flag, text }) => `  ${flag.padEnd(width)}  ${text}`);
}
