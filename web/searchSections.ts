/** A part of a document below a heading. */
export interface Section {
  readonly href: string;
  readonly title: string;
  readonly text: string;
}

/** A section with the words around the first match. */
export interface Match {
  readonly section: Section;
  readonly excerpt: string;
}

const maxMatches = 20;
const around = 80;

/** Sections that have all words, those with a word in the heading first. */
export function searchSections(sections: readonly Section[], query: string): readonly Match[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return [];
  const matching = sections.filter(({ title, text }) => {
    const all = `${title} ${text}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const inTitle = ({ title }: Section) => words.some((word) => title.toLowerCase().includes(word));
  const sorted = [...matching.filter(inTitle), ...matching.filter((section) => !inTitle(section))];
  return sorted.slice(0, maxMatches).map((section) => ({ section, excerpt: excerptOf(section.text, words) }));
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const at = Math.max(
    0,
    ...words
      .map((word) => lower.indexOf(word))
      .filter((each) => each >= 0)
      .slice(0, 1),
  );
  const start = Math.max(0, at - around);
  const end = Math.min(text.length, at + around);
  return `${start > 0 ? "…" : ""}${text.slice(start, end).trim()}${end < text.length ? "…" : ""}`;
}
