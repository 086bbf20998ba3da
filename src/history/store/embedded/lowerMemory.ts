/** Reads an unsigned number of WebAssembly's binary form. */
function readNumber(code: Uint8Array, from: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let at = from, scale = 1; at < code.length; at++, scale *= 128) {
    const byte = code[at] ?? 0;
    value += (byte & 127) * scale;
    if (byte < 128) return { value, end: at + 1 };
  }
  return { value, end: code.length };
}

/** Where a limit with or without a greatest value ends. */
function endOfLimits(code: Uint8Array, at: number): number {
  const { end } = readNumber(code, at + 1);
  return ((code[at] ?? 0) & 1) === 0 ? end : readNumber(code, end).end;
}

const importSection = 2;
const imported = { function: 0, table: 1, memory: 2, global: 3, tag: 4 };

/** Where the least size of the memory stands that the code is handed, if it is handed one. */
function findLeast(code: Uint8Array): { readonly from: number; readonly end: number } | undefined {
  for (let at = 8; at < code.length; ) {
    const { value: size, end: body } = readNumber(code, at + 1);
    if (code[at] === importSection) return findInImports(code, body);
    at = body + size;
  }
  return undefined;
}

function findInImports(code: Uint8Array, section: number): { readonly from: number; readonly end: number } | undefined {
  const { value: count, end } = readNumber(code, section);
  let at = end;
  for (let n = 0; n < count; n++) {
    // The names of the module and of the thing itself.
    for (let name = 0; name < 2; name++) {
      const { value: length, end: text } = readNumber(code, at);
      at = text + length;
    }
    const kind = code[at];
    at += 1;
    if (kind === imported.memory) return { from: at + 1, end: readNumber(code, at + 1).end };
    if (kind === imported.function) at = readNumber(code, at).end;
    else if (kind === imported.table) at = endOfLimits(code, at + 1);
    else if (kind === imported.global) at += 2;
    else if (kind === imported.tag) at = readNumber(code, at + 1).end;
    else return undefined;
  }
  return undefined;
}

/**
 * Changes WebAssembly code so that it may be handed a smaller memory than it asks for, of so many pages of 64 KB; tells
 * whether it is so. The code must know how to let its memory grow.
 */
export function lowerMemory(code: Uint8Array, pages: number): boolean {
  const place = findLeast(code);
  if (place === undefined || readNumber(code, place.from).value < pages) return false;
  let rest = pages;
  // As many bytes as were there, so that nothing moves.
  for (let at = place.from; at < place.end; at++) {
    code[at] = (rest % 128) + (at === place.end - 1 ? 0 : 128);
    rest = Math.floor(rest / 128);
  }
  return true;
}
