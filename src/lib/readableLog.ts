/** What stands in every line of the log, whoever wrote it. */
interface WrittenLine {
  readonly level: string;
  readonly time: string;
  readonly msg: string;
}

/** A line of the log for somebody at a terminal: when, how bad, what, and the rest as name=value. */
export function formatLogLine(line: string): string {
  const { level, time, msg, ...data } = JSON.parse(line) as WrittenLine & Readonly<Record<string, unknown>>;
  const word = level === "info" ? "" : `${level}: `;
  const rest = Object.entries(data).map(([name, value]) => `  ${name}=${formatValue(value)}`);
  return `${time.slice(11, 19)}  ${word}${msg}${rest.join("")}\n`;
}

/** An error is told by its code and message and those of its causes, since nobody reads a stack in passing. */
function formatValue(value: unknown): string {
  if (typeof value === "string") return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
  if (typeof value !== "object" || value === null || !("message" in value)) return JSON.stringify(value);
  const code = "code" in value ? `${value.code}: ` : "";
  const cause = "cause" in value && value.cause !== undefined ? ` (${formatValue(value.cause)})` : "";
  return `${code}${value.message}${cause}`;
}
