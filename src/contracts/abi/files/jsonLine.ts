/**
 * The line of a part of a JSON text, by its path as errors have it: `methods[0].name`; `undefined` when it is not
 * there.
 */
export function findJsonLine(text: string, path: string): number | undefined {
  let at = 0;
  for (const [, name, index] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    const found = index === undefined ? findMember(text, at, name ?? "") : findItem(text, at, Number(index));
    if (found === undefined) return undefined;
    at = found;
  }
  return lineAt(text, skipSpace(text, at));
}

function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < position; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && " \t\r\n".includes(text[at] ?? "")) at++;
  return at;
}

/** The position after a string that begins here. */
function skipString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

/** The position after a value that begins here; the text is valid JSON. */
function skipValue(text: string, from: number): number {
  let at = skipSpace(text, from);
  let depth = 0;
  while (at < text.length) {
    const character = text[at] ?? "";
    if (character === '"') {
      at = skipString(text, at);
    } else {
      if (depth === 0 && ",]}".includes(character)) return at;
      if ("[{".includes(character)) depth++;
      if ("]}".includes(character)) depth--;
      at++;
    }
    if (depth === 0 && ",]} \t\r\n".includes(text[at] ?? " ")) return at;
  }
  return at;
}

/** Where the value of a member begins. */
function findMember(text: string, from: number, name: string): number | undefined {
  let at = skipSpace(text, from);
  if (text[at] !== "{") return undefined;
  for (at = skipSpace(text, at + 1); text[at] === '"'; at = skipSpace(text, at + 1)) {
    const end = skipString(text, at);
    const isNamed = text.slice(at + 1, end - 1) === name;
    at = skipSpace(text, end) + 1;
    if (isNamed) return at;
    at = skipSpace(text, skipValue(text, at));
    if (text[at] !== ",") return undefined;
  }
  return undefined;
}

/** Where an item of a list begins. */
function findItem(text: string, from: number, index: number): number | undefined {
  let at = skipSpace(text, from);
  if (text[at] !== "[") return undefined;
  at++;
  for (let passed = 0; passed < index; passed++) {
    at = skipSpace(text, skipValue(text, at));
    if (text[at] !== ",") return undefined;
    at++;
  }
  return at;
}
