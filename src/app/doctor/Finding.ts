import { toPrintable } from "../../lib/printable.ts";
import type { Style } from "../terminal/style.ts";

/** The result of one check. */
export type Finding =
  | { readonly kind: "ok" | "note"; readonly subject: string; readonly text: string }
  | { readonly kind: "problem"; readonly subject: string; readonly text: string; readonly fix: string };

export function ok(subject: string, text: string): Finding {
  return { kind: "ok", subject, text };
}

/** Information that is not a fault, or not one that can be fixed here. */
export function note(subject: string, text: string): Finding {
  return { kind: "note", subject, text };
}

export function problem(subject: string, text: string, fix: string): Finding {
  return { kind: "problem", subject, text, fix };
}

export function countOf(servers: number): string {
  return `${servers} lite ${servers === 1 ? "server" : "servers"}`;
}

const width = "problem".length;

/** The summary of all findings, in one line. */
export function formatVerdict(findings: readonly Finding[]): string {
  const problems = findings.filter(({ kind }) => kind === "problem");
  const [first] = problems;
  if (first === undefined) return `All is well: ${findings.length} checks found no problem.`;
  const servers = findings.filter(({ subject }) => subject.startsWith("lite server "));
  const isReached = servers.some(({ text }) => text.startsWith("reached"));
  if (servers.length > 0 && !isReached) return `0 of ${countOf(servers.length)} reached: is this machine online?`;
  const more = problems.length === 1 ? "" : ` (and ${problems.length - 1} more)`;
  const text = toPrintable(`${first.subject}: ${first.text}`);
  return `${problems.length} ${problems.length === 1 ? "problem" : "problems"}: ${text}${more}`;
}

/** A finding as a line, with its fix below it; its text may be that of a lite server. */
export function formatFinding(finding: Finding, { good, bad }: Pick<Style, "good" | "bad">): string {
  const { kind, subject, text } = finding;
  const mark = kind === "ok" ? good : kind === "problem" ? bad : (word: string) => word;
  const line = `${mark(kind.padEnd(width))}  ${toPrintable(`${subject}: ${text}`)}\n`;
  return finding.kind === "problem" ? `${line}${" ".repeat(width)}  fix: ${finding.fix}\n` : line;
}
