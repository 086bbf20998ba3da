import { actionWords } from "./actionWords.ts";
import { chainWords } from "./chainWords.ts";
import { ownWords } from "./ownWords.ts";
import { tokenWords } from "./tokenWords.ts";

/** A field with one name has one meaning in all answers, unless its owner has words of its own for it. */
const common: Readonly<Record<string, string>> = { ...actionWords, ...tokenWords, ...chainWords };

/** What a field of an answer means; `undefined` where nobody has said. */
export function findFieldWords(owner: string, field: string): string | undefined {
  return ownWords[`${owner}.${field}`] ?? common[field];
}
