interface Line {
  readonly depth: number;
  readonly text: string;
  readonly method?: number | undefined;
}

/** Deeper lines are as far to the right as the deepest of these. */
const maxIndent = 24;
const maxText = 200;

/** Lines of a disassembly as text, with the names of methods. */
export function formatListing(lines: readonly Line[], nameMethod: (id: number) => string | undefined): string {
  return lines
    .map(({ depth, text, method }) => {
      const name = method === undefined ? undefined : nameMethod(method);
      const shown = name === undefined ? text : `method ${name} (${method}):`;
      const cut = shown.length > maxText ? `${shown.slice(0, maxText)}…` : shown;
      return `${"  ".repeat(Math.min(depth, maxIndent))}${cut}`;
    })
    .join("\n");
}
