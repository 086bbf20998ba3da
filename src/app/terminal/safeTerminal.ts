import { toPrintableLines } from "../../lib/printable.ts";
import type { Terminal } from "../Command.ts";
import { clearLine } from "./StatusTerminal.ts";
import { findMarks } from "./style.ts";

/**
 * A terminal that obeys nobody but us: of all control sequences only the marks of words and the cleared line before a
 * text come through. A text of somebody else may still mark words, so whoever shows one makes it printable as well.
 */
export function safeTerminal(terminal: Terminal): Terminal {
  const clean = (text: string): string => {
    const isCleared = terminal.isInteractive === true && text.startsWith(clearLine);
    const rest = isCleared ? text.slice(clearLine.length) : text;
    const parts = terminal.hasColours === true ? findMarks(rest) : [rest];
    // Every second part is a mark.
    const cleaned = parts.map((part, index) => (index % 2 === 0 ? toPrintableLines(part) : part)).join("");
    return isCleared ? `${clearLine}${cleaned}` : cleaned;
  };
  return {
    ...terminal,
    write: (text) => terminal.write(clean(text)),
    writeError: (text) => terminal.writeError(clean(text)),
  };
}
