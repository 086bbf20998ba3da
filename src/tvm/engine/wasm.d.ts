/** The part of the platform's WebAssembly that is used here; the compiler knows it only together with a browser. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<WasmModule>;
  instantiate(module: WasmModule, imports: WasmImports): Promise<WasmInstance>;
  readonly Memory: new (descriptor: { readonly initial: number }) => WasmMemory;
  readonly Table: new (descriptor: { readonly initial: number; readonly element: string }) => WasmTable;
  readonly Global: new (descriptor: { readonly value: string; readonly mutable: boolean }, value: number) => WasmGlobal;
};

/** Compiled code; it can be handed to other threads, which need not compile it again. */
interface WasmModule {
  readonly [Symbol.toStringTag]: "WebAssembly.Module";
}

/** What compiled code is given, by namespace and name. */
type WasmImports = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

interface WasmInstance {
  readonly exports: Readonly<Record<string, unknown>>;
}

interface WasmTable {
  readonly length: number;
  get(index: number): unknown;
  set(index: number, value: unknown): void;
  grow(by: number): number;
}

interface WasmGlobal {
  value: number;
}

interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

/** The machine with the glue around it, which has no types of its own. Texts are passed as pointers to C strings. */
interface EmulatorModule {
  _malloc(size: number): number;
  _free(pointer: number): void;
  lengthBytesUTF8(text: string): number;
  stringToUTF8(text: string, pointer: number, size: number): void;
  UTF8ToString(pointer: number): string;
  _create_emulator(config: number, verbosity: number): number;
  _destroy_emulator(emulator: number): void;
  _emulate_with_emulator(
    emulator: number,
    libraries: number,
    account: number,
    message: number,
    parameters: number,
  ): number;
  _run_get_method(parameters: number, stack: number, config: number): number;
}

interface EmulatorOptions {
  instantiateWasm(imports: WasmImports, done: (instance: WasmInstance, module: WasmModule) => void): object;
  print(line: string): void;
  printErr(line: string): void;
}

declare module "@ton/sandbox/dist/executor/emulator-emscripten.js" {
  function openEmulator(options: EmulatorOptions): Promise<EmulatorModule>;
  export = openEmulator;
}
