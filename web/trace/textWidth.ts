/** Widths of letters as parts of the font size, at the upper end of the usual fonts. */
const widths: readonly (readonly [letters: RegExp, width: number])[] = [
  [/[ijl.,:;'|! ]/, 0.34],
  [/[frt()-]/, 0.45],
  [/[mwMW…×]/, 1],
  [/[A-Z]/, 0.74],
];
const usual = 0.65;

/** The width of a text in a picture, in pixels; layouts are made before anything is drawn. */
export function textWidth(text: string, size: number): number {
  const letters = Array.from(text, (letter) => widths.find(([some]) => some.test(letter))?.[1] ?? usual);
  return Math.ceil(letters.reduce((sum, width) => sum + width, 0) * size);
}

export function clip(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1)}…` : text;
}
