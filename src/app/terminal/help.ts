import type { Command } from "../Command.ts";
import { flagOf, type Option, type Options, valueNameOf } from "../options.ts";
import { columns, wrapText } from "./screen.ts";
import type { Style } from "./style.ts";

/** A longer flag gets its own line. */
const widestFlag = 26;

/** Help for the whole program. */
export function formatHelp(commands: readonly Command[], { strong }: Style): string {
  const rows = commands.map(({ name, summary }) => [name, summary] as const);
  return [
    `${strong("Usage:")} tongate [COMMAND] [OPTIONS]`,
    "",
    strong("Commands:"),
    ...formatRows(rows),
    "",
    "tongate help COMMAND shows the options and examples of a command.",
    "",
  ].join("\n");
}

/** Help for one command. */
export function formatCommandHelp(
  { name, summary, examples, options, settings, usage }: Command,
  style: Style,
): string {
  const { strong } = style;
  const parts = [
    wrapText(`tongate ${name}: ${summary}`, columns),
    usage === undefined ? [] : [strong("Usage:"), ...usage.map((each) => `  tongate ${name} ${each}`.trimEnd())],
    [strong("Examples:"), ...examples.flatMap(formatExample)],
    options === undefined ? [] : [strong("Options:"), ...formatOptions(options)],
    settings === undefined ? [] : [strong("Settings:"), ...aboutSettings, ...formatOptions(settings)],
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n");
}

const aboutSettings = [
  "  Each can also be set in tongate.json or by a variable: --log-level is",
  "  logLevel in the file and TONGATE_LOG_LEVEL as a variable.",
];

/** A long command line is continued with shell syntax, so that it can be pasted; a flag stays with its value. */
function formatExample(example: string): string[] {
  const joined = example.replaceAll(/(--[a-z-]+|>) (?!-)/g, `$1${joint}`);
  const [first = "", ...more] = wrapText(joined, columns - "    ".length - " \\".length);
  return [`  ${first}`, ...more.map((line) => `    ${line}`)].map((line, at) =>
    (at < more.length ? `${line} \\` : line).replaceAll(joint, " "),
  );
}

/** In the place of a space at which a line is not broken. */
const joint = "\u00a0";

/** The settings, each with its default. */
function formatOptions(options: Options): string[] {
  return formatRows(
    Object.entries(options).map(([name, option]) => [formatFlag(name, option), describeOption(option)] as const),
  );
}

/** Two columns; the second is wrapped. */
function formatRows(rows: readonly (readonly [name: string, text: string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length).filter((length) => length <= widestFlag));
  return rows.flatMap(([name, text]) => {
    const [first = "", ...more] = wrapText(text, columns - width - "    ".length);
    const pad = " ".repeat(width);
    const begin = name.length > width ? [`  ${name}`, `  ${pad}  ${first}`] : [`  ${name.padEnd(width)}  ${first}`];
    return [...begin, ...more.map((line) => `  ${pad}  ${line}`)];
  });
}

/** A flag that is on by default is shown in its negative form. */
function formatFlag(name: string, option: Option<unknown>): string {
  if (option.isFileOnly) return `"${name}" in the file`;
  const flag = flagOf(name);
  if (!option.isFlag) return `${flag} ${valueNameOf(name, option)}`;
  return option.fallback === true ? `${flag}, ${flag.replace("--", "--no-")}` : flag;
}

function describeOption({ about, fallback, arg }: Option<unknown>): string {
  const words = arg.allowed.startsWith("one of ") ? ` ${arg.allowed.replace("one", "One")}.` : "";
  const isShown = (typeof fallback === "string" && fallback !== "") || typeof fallback === "number";
  return `${about}${words}${isShown ? ` Default: ${fallback}.` : ""}`;
}
