import type { Command, Terminal } from "./Command.ts";
import { AppError } from "./errors.ts";
import { suggest } from "./nearestName.ts";
import { flagOf, type Option, type Options } from "./options.ts";

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
  const [first] = args;
  if (first !== undefined && helpFlags.has(first)) return { kind: "help" };
  const isUnnamed = first === undefined || (first.startsWith("--") && !aliases.has(first));
  const command = isUnnamed ? commands[0] : commands.find(({ name }) => name === (aliases.get(first) ?? first));
  const rest = isUnnamed ? args : args.slice(1);
  if (command === undefined) {
    const names = commands.map(({ name }) => name);
    const problem =
      first?.startsWith("-") === true
        ? `unknown option "${first}"; options begin with two dashes`
        : `unknown command "${first}"; ${suggest(first ?? "", names)}`;
    throw new AppError("app/usage", problem);
  }
  return rest.some((arg) => arg === "--help" || arg === "-h")
    ? { kind: "command-help", command }
    : { kind: "run", command, args: rest };
}

/** Runs a command line. */
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

/** The help to suggest after a refused command line: that of the command it named, or would have run. */
export function helpFor(commands: readonly Command[], [first]: readonly string[]): string {
  const named = commands.find(({ name }) => name === first);
  const found = first === undefined || first.startsWith("--") ? commands[0] : named;
  return found === undefined ? "--help" : `${found.name} --help`;
}

/** The given words, as the end of an error message. */
export function notWords(words: readonly string[]): string {
  return words.length === 0 ? "" : `, not "${words.join(" ")}"`;
}

/** For commands that take no arguments. */
export function refuseArguments(command: string, args: readonly string[]): void {
  if (args.length > 0) throw new AppError("app/usage", `"${command}" takes no arguments, not "${args.join(" ")}"`);
}

function formatHelp(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return ["Usage: tongate [command]", "", ...lines, "", "tongate <command> --help shows more.", ""].join("\n");
}

function formatCommandHelp({ name, summary, examples, options, settings }: Command): string {
  const parts = [
    [`tongate ${name}: ${summary}`],
    ["Examples:", ...examples.map((example) => `  ${example}`)],
    options === undefined ? [] : ["Options:", ...formatOptions(options)],
    settings === undefined ? [] : [aboutSettings, ...formatOptions(settings)],
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n");
}

const aboutSettings =
  'Settings, also in tongate.json and as variables: --log-level is "logLevel" there, and TONGATE_LOG_LEVEL.';

/** The settings with their defaults. */
function formatOptions(options: Options): string[] {
  const rows = Object.entries(options).map(([name, option]) => ({
    flag: formatFlag(name, option),
    text: describeOption(option),
  }));
  const width = Math.max(...rows.map(({ flag }) => flag.length));
  return rows.map(({ flag, text }) => `  ${flag.padEnd(width)}  ${text}`);
}

/** An option that is on by default is shown with its `--no-` form. */
function formatFlag(name: string, { isFileOnly, isFlag, fallback }: Option<unknown>): string {
  if (isFileOnly) return `"${name}" in the file`;
  const flag = flagOf(name);
  return isFlag && fallback === true ? `${flag}, ${flag.replace("--", "--no-")}` : flag;
}

function describeOption({ about, fallback, arg }: Option<unknown>): string {
  const words = arg.allowed.startsWith("one of ") ? ` ${arg.allowed.replace("one", "One")}.` : "";
  const isShown = typeof fallback === "string" || typeof fallback === "number";
  return `${about}${words}${isShown ? ` Default: ${fallback}.` : ""}`;
}
