/** A file of a source as lines. */
export interface ShownFile {
  readonly name: string;
  readonly lines: readonly string[];
}

/** The files of a source that is one text: each begins with a line `// file: NAME`, unless there is one alone. */
export function splitSource(source: string): readonly ShownFile[] {
  const [before = "", ...parts] = source.split(/^\/\/ file: (\S.*)\n/gm);
  const files = parts.flatMap((name, at) =>
    at % 2 === 0 ? { name: name.trim(), lines: (parts[at + 1] ?? "").split("\n") } : [],
  );
  return before.trim() === "" && files.length > 0
    ? files
    : [{ name: "main.tolk", lines: before.split("\n") }, ...files];
}

/** Lines that are shown at once. */
const shownLines = 120;

/** The first line to show, so that a line is in the middle. */
export function firstShown(line: number | undefined, count: number): number {
  const first = Math.max(1, (line ?? 1) - shownLines / 2);
  return Math.max(1, Math.min(first, count - shownLines + 1));
}

/** The lines from one on that are shown, with their numbers. */
export function listShown({ lines }: ShownFile, first: number): readonly (readonly [line: number, text: string])[] {
  return lines.slice(first - 1, first - 1 + shownLines).map((text, at) => [first + at, text.slice(0, 500)]);
}
