import { createRequire } from "node:module";

const binary = "@ton/sandbox/dist/executor/emulator-emscripten.wasm.js";

/** Compiles the machine once for all workers. Its code comes as a text of 6.7 MB, which is not kept. */
export async function compileMachine(): Promise<WasmModule> {
  const load = createRequire(import.meta.url);
  const path = load.resolve(binary);
  const { EmulatorEmscriptenWasm: text } = load(path) as { readonly EmulatorEmscriptenWasm: string };
  Reflect.deleteProperty(load.cache, path);
  return WebAssembly.compile(Buffer.from(text, "base64"));
}
