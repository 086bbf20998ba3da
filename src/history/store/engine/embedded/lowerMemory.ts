/** Reads an unsigned LEB128 number. */
function readNumber(code: Uint8Array, from: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let at = from, scale = 1; at < code.length; at++, scale *= 128) {
    const byte = code[at] ?? 0;
    value += (byte & 127) * scale;
    if (byte < 128) return { value, end: at + 1 };
  }
  return { value, end: code.length };
}

/** The end of a limit, with or without a maximum. */
function endOfLimits(code: Uint8Array, at: number): number {
  const { end } = readNumber(code, at + 1);
  return ((code[at] ?? 0) & 1) === 0 ? end : readNumber(code, end).end;
}

const importSection = 2;
const imported = { function: 0, table: 1, memory: 2, global: 3, tag: 4 };

/** The position of the minimum size of the imported memory, if there is one. */
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
    // The names of the module and of the import.
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
 * Changes WebAssembly code so that it accepts a smaller imported memory, in pages of 64 KB; returns whether that was
 * possible. The code must be able to grow its memory.
 */
export function lowerMemory(code: Uint8Array, pages: number): boolean {
  const place = findLeast(code);
  if (place === undefined || readNumber(code, place.from).value < pages) return false;
  let rest = pages;
  // The same number of bytes, so that nothing moves.
  for (let at = place.from; at < place.end; at++) {
    code[at] = (rest % 128) + (at === place.end - 1 ? 0 : 128);
    rest = Math.floor(rest / 128);
  }
  return true;
}
