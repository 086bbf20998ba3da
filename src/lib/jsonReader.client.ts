import { LibError } from "./errors.ts";
import type { JsonRules, ReadSteps } from "./jsonReader.ts";

/** Strings and numbers, each with the colon after it, and brackets. */
const tokens = /("[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)([ \t\n\r]*:)?|[[\]{}]/g;
/** Of a value that is a string in the edited text: the next character says what it is of. */
const mark = "\ue000";
const marked = /^"(?:\ue000|\\ue000)/i;
const wholeNumber = /^-?[1-9][0-9]{15,}$/;
const maxLength = 1000;

/**
 * In the place of that of `jsonReader.ts`, for clients: the platform's parser reads a text in which large numbers are
 * strings. Errors have no position, and the last of equal names counts.
 */
export function* parseJsonText(text: string, { maxDepth }: Pick<JsonRules, "maxDepth">): ReadSteps<unknown> {
  let [depth, edited, from] = [0, "", 0];
  // One by one: a text that is refused is not read to its end.
  for (const { 0: all, 1: token, 2: colon, index } of text.matchAll(tokens)) {
    if (token === undefined) depth += /[[{]/.test(all) ? 1 : -1;
    if (depth > maxDepth) throw new LibError("lib/json-depth", "too deep");
    const changed = token === undefined || colon !== undefined ? undefined : editToken(token);
    if (changed === undefined) continue;
    edited += text.slice(from, index) + changed;
    from = index + all.length;
  }
  yield;
  try {
    return JSON.parse(edited + text.slice(from), (_key, value) => {
      if (typeof value !== "string" || value[0] !== mark) return value;
      return value[1] === "n" ? BigInt(value.slice(2)) : value.slice(2);
    });
  } catch (cause) {
    throw new LibError("lib/json", "not JSON", { cause });
  }
}

function editToken(token: string): string | undefined {
  if (marked.test(token)) return `"${mark}s${token.slice(1)}`;
  if (!wholeNumber.test(token) || Number.isSafeInteger(Number(token))) return undefined;
  const { length } = token;
  if (length > maxLength) throw new LibError("lib/json-size", "too long", { data: { length, maxLength } });
  return `"${mark}n${token}"`;
}

/** In the place of that of `jsonReader.ts`: the last of equal names counts. */
export const namesTwice = (): boolean => false;
