import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const binary = "@ton/sandbox/dist/executor/emulator-emscripten.wasm.js";

/** How every WebAssembly begins (a zero byte and `asm`), in base64. */
const beginning = "AGFzbQ";

/** A multiple of four characters, so that each piece of base64 is whole in itself. */
const pieceLength = 1 << 16;

/**
 * Compiles the machine once for all workers. Its code comes as a script that is one text of 6.7 MB: the text is found in the
 * file and decoded piece by piece, because a script that is run stays in memory beside what was made of it.
 */
export async function compileMachine(): Promise<WasmModule> {
  const path = createRequire(import.meta.url).resolve(binary);
  return WebAssembly.compile(decodeQuoted(await readFile(path), path));
}

/** The bytes of the one base64 text in a script. */
function decodeQuoted(script: Buffer, path: string): Uint8Array {
  const from = script.indexOf(beginning);
  const quote = script[from - 1];
  const end = quote === undefined ? -1 : script.indexOf(quote, from);
  if (end < 0) throw new Error(`there is no WebAssembly in ${path}`);
  const bytes = new Uint8Array(((end - from) >> 2) * 3);
  let length = 0;
  for (let at = from; at < end; at += pieceLength) {
    const piece = Buffer.from(script.toString("latin1", at, Math.min(at + pieceLength, end)), "base64");
    bytes.set(piece, length);
    length += piece.length;
  }
  return bytes.subarray(0, length);
}
