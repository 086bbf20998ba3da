import { toPrintable } from "../../lib/printable.ts";
import type { Style } from "./style.ts";

/** The width of screens and help: that of the narrowest common terminal. */
export const columns = 80;

/** A labelled text; its note is left out where it does not fit. */
export type ScreenRow = readonly [label: string, text: string, note?: string];

/** Rows under each other; a text that is too long continues on the next line. Texts may be of strangers. */
export function formatRows(rows: readonly ScreenRow[], { strong, faint, accent }: Style): string[] {
  const width = Math.max(...rows.map(([label]) => label.length));
  const left = width + "    ".length;
  return rows.flatMap(([label, ...texts]) => {
    const [text = "", note = ""] = texts.map((each = "") => toPrintable(each));
    const isNoted = note !== "" && left + text.length + "  ".length + note.length <= columns;
    const begin = `  ${strong(label)}${" ".repeat(width - label.length)}  `;
    const lines = wrapText(text, columns - left).map((line) => accent(line));
    return lines.map((line, at) => `${at === 0 ? begin : " ".repeat(left)}${line}${isNoted ? `  ${faint(note)}` : ""}`);
  });
}

/** Breaks text into lines of at most this many characters, between words; a longer word gets its own line. */
export function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
