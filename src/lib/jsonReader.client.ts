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
  let depth = 0;
  const edit = (all: string, token?: string, colon?: string): string => {
    if (token === undefined) depth += /[[{]/.test(all) ? 1 : -1;
    if (depth > maxDepth) throw new LibError("lib/json-depth", "too deep");
    if (token === undefined || colon !== undefined) return all;
    if (marked.test(token)) return `"${mark}s${token.slice(1)}`;
    if (!wholeNumber.test(token) || Number.isSafeInteger(Number(token))) return all;
    const { length } = token;
    if (length > maxLength) throw new LibError("lib/json-size", "too long", { data: { length, maxLength } });
    return `"${mark}n${token}"`;
  };
  const edited = text.replace(tokens, edit);
  yield;
  try {
    return JSON.parse(edited, (_key, value) => {
      if (typeof value !== "string" || value[0] !== mark) return value;
      return value[1] === "n" ? BigInt(value.slice(2)) : value.slice(2);
    });
  } catch (cause) {
    throw new LibError("lib/json", "not JSON", { cause });
  }
}

/** In the place of that of `jsonReader.ts`: the last of equal names counts. */
export const namesTwice = (): boolean => false;
