import type { Style } from "./style.ts";

/** The width of screens and help: that of the narrowest common terminal. */
export const columns = 80;

/** A labelled line; its note is left out where it does not fit. */
export type ScreenRow = readonly [label: string, text: string, note?: string];

/** Rows under each other. */
export function formatRows(rows: readonly ScreenRow[], { strong, faint, accent }: Style): string[] {
  const width = Math.max(...rows.map(([label]) => label.length));
  return rows.map(([label, text, note]) => {
    const length = "  ".length + width + "  ".length + text.length;
    const more = note === undefined || length + "  ".length + note.length > columns ? "" : `  ${faint(note)}`;
    return `  ${strong(label)}${" ".repeat(width - label.length)}  ${accent(text)}${more}`;
  });
}
