/** The result of one check. */
export type Finding =
  | { readonly kind: "ok" | "note"; readonly subject: string; readonly text: string }
  | { readonly kind: "problem"; readonly subject: string; readonly text: string; readonly fix: string };

export function ok(subject: string, text: string): Finding {
  return { kind: "ok", subject, text };
}

/** An information that is not a fault, or not one that can be fixed here. */
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

/** A finding as a line, with its fix below it. */
export function formatFinding(finding: Finding): string {
  const { kind, subject, text } = finding;
  const line = `${kind.padEnd(width)}  ${subject}: ${text}\n`;
  return finding.kind === "problem" ? `${line}${" ".repeat(width)}  fix: ${finding.fix}\n` : line;
}
