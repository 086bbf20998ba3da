/** The part of the platform's WebAssembly that is used here; the compiler knows it only together with a browser. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<WasmModule>;
  instantiate(module: WasmModule, imports: object): Promise<WasmInstance>;
  readonly Memory: new (descriptor: { readonly initial: number }) => WasmMemory;
  readonly Table: new (descriptor: { readonly initial: number; readonly element: string }) => WasmTable;
};

/** Compiled code; it can be handed to other threads, which need not compile it again. */
interface WasmModule {
  readonly [Symbol.toStringTag]: "WebAssembly.Module";
}

interface WasmInstance {
  readonly exports: Readonly<Record<string, unknown>>;
}

interface WasmTable {
  get(index: number): unknown;
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
  instantiateWasm(imports: object, done: (instance: WasmInstance, module: WasmModule) => void): object;
  print(line: string): void;
  printErr(line: string): void;
}

declare module "@ton/sandbox/dist/executor/emulator-emscripten.js" {
  function openEmulator(options: EmulatorOptions): Promise<EmulatorModule>;
  export = openEmulator;
}
