/**
 * Characters that a terminal obeys instead of showing them: control characters, marks of the writing direction and
 * separators of lines.
 */
const obeyed = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Text of somebody else for a terminal: what the terminal would obey is shown as in JSON. */
export function toPrintable(text: string): string {
  return text.replace(obeyed, nameOf);
}

/** The same for text whose lines are ours. */
export function toPrintableLines(text: string): string {
  return text.replace(obeyed, (character) =>
    character === "\n" || character === "\t" ? character : nameOf(character),
  );
}

function nameOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
