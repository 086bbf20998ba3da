/** How words are marked on a terminal. */
export interface Style {
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  /** What to copy: addresses, URLs and commands. */
  readonly accent: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
}

const controlStart = "\u001b";
const marked =
  (code: number) =>
  (text: string): string =>
    `${controlStart}[${code}m${text}${controlStart}[0m`;
const unmarked = (text: string): string => text;

const colours: Style = { strong: marked(1), faint: marked(2), accent: marked(36), good: marked(32), bad: marked(31) };
const plain: Style = { strong: unmarked, faint: unmarked, accent: unmarked, good: unmarked, bad: unmarked };

/** The marks of words. */
const mark = new RegExp(`(${controlStart}\\[(?:0|1|2|31|32|36)m)`);

/** The parts of a text between and around its marks: every second one is a mark. */
export function findMarks(text: string): readonly string[] {
  return text.split(mark);
}

/** Colours only on a terminal that shows them: a file or another program gets plain text. */
export function styleFor({ hasColours = false }: { readonly hasColours?: boolean }): Style {
  return hasColours ? colours : plain;
}
