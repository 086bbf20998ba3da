import { toPrintable } from "./printable.ts";

/** Properties of every log line. */
interface WrittenLine {
  readonly level: string;
  readonly time: string;
  readonly msg: string;
}

/** A log line for a terminal: time, level, message, and the data as name=value; values may come from outside. */
export function formatLogLine(line: string): string {
  const { level, time, msg, ...data } = JSON.parse(line) as WrittenLine & Readonly<Record<string, unknown>>;
  const word = level === "info" ? "" : `${level}: `;
  const rest = Object.entries(data).map(([name, value]) => `  ${name}=${formatValue(value)}`);
  return `${toPrintable(`${time.slice(11, 19)}  ${word}${msg}${rest.join("")}`)}\n`;
}

/** An error is shown by its code and message and those of its causes, without the stack. */
function formatValue(value: unknown): string {
  if (typeof value === "string") return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
  if (typeof value !== "object" || value === null || !("message" in value)) return JSON.stringify(value);
  const code = "code" in value ? `${value.code}: ` : "";
  const cause = "cause" in value && value.cause !== undefined ? ` (${formatValue(value.cause)})` : "";
  return `${code}${value.message}${cause}`;
}
